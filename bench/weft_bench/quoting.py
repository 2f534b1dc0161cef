"""Text from files, quoted for where it goes: one function for each destination.

Records, studies, timelines and the words of libraries come from other machines and other people.
Whatever stands in them is shown as text: it starts no command and no formula, forms no element of a
page, and steers no terminal.
"""

import re
import shlex
import unicodedata
from html import escape
from pathlib import Path
from typing import Any

import jinja2

#: In CSV these begin a formula where the file is opened as a spreadsheet.
FORMULA_STARTS = ("=", "+", "-", "@")


def printable(text: str) -> str:
    """Characters that control rather than show, line ends among them, as Python escapes them."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or unicodedata.category(c) in ("Zs", "Co", "Cn")
        else c.encode("unicode_escape").decode()
        for c in text
    )


def printable_values(value: Any) -> Any:
    """What JSON or TOML holds, with every text in it printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable_values(name): printable_values(item) for name, item in value.items()}
    if isinstance(value, list):
        return [printable_values(item) for item in value]
    return value


def terminal(text: object) -> str:
    """One line of a terminal."""
    return printable(str(text))


def markdown(text: str) -> str:
    """Text that Markdown, and the HTML that is made of it, shows as it is, also within a table."""
    text = escape(printable(text), quote=False)
    return re.sub(r"([\\`*_\[\]|#~$])", r"\\\1", text)


def html(text: str) -> str:
    """Text or an attribute of HTML and SVG that no template and no library quotes."""
    return escape(printable(text))


def html_templates(folder: Path) -> jinja2.Environment:
    """Templates of HTML, which quote every text that is put into them."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def csv_value(value: Any) -> Any:
    """A value of a CSV file; an apostrophe tells spreadsheets that a text is no formula."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def shell(words: list[str]) -> str:
    """A command of bash, on one line whatever the words are."""
    return " ".join(_shell_word(word) for word in words)


def _shell_word(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    quoted = word.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + "".join(c if c.isprintable() else _in_octal(c) for c in quoted) + "'"


def _in_octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))


def job_name(text: str) -> str:
    """A name in the head of a job script, where nothing can be quoted."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text)

"""Faults drawn at random: an operator or a constant of a line of source becomes another one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath

from faults import Fault, FaultError

#: One after another gets a fault, so that all folders have some.
FOLDERS = ("src", "bindings/c", "src", "apps", "src", "bindings/fortran", "src", "bench", "src",
           "bindings/python")

#: After so many changes that do not compile there is nothing to draw.
ATTEMPTS = 200

#: Comments and texts, which say nothing to a compiler or can be anything.
HIDDEN = {
    "C++": r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'
           r"'(?:\\[^']*|[^'\\\n])'",
    "Fortran": r"""![^\n]*|"[^"\n]*"|'[^'\n]*'""",
    "Python": r'#[^\n]*|""".*?"""|' r"'''.*?'''|" r'"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'",
}
LANGUAGES = {".cpp": "C++", ".hpp": "C++", ".c": "C++", ".h": "C++", ".cu": "C++",
             ".f90": "Fortran", ".F90": "Fortran", ".py": "Python"}

#: Lines that declare, or that a compiler reads but a program does not run.
SKIPPED = {
    "C++": r"\s*(#|template|using |typedef |namespace |friend |enum |class |struct |static_assert)"
           r"|.*(operator|= default|= delete|\\$)",
    "Fortran": r"\s*(#|use\b|import\b|interface|end\b|module|subroutine|pure|elemental|type\b)"
               r"|(?!.*=).*::",
    "Python": r"\s*(import |from |@|class |def |global |nonlocal )",
}

#: Between spaces, as formatters put them round what has two operands: not so in declarations,
#: streams and arguments of templates.
OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-",
             "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+="}
OPERATORS_OF = {
    "C++": OPERATORS | {"&&": "||", "||": "&&"},
    "Fortran": OPERATORS | {"/=": "==", "==": "/=", ".and.": ".or.", ".or.": ".and."},
    "Python": OPERATORS | {"and": "or", "or": "and", "//": "*"},
}
WORDS_OF = {
    "C++": {"true": "false", "false": "true", "++": "--", "--": "++"},
    "Fortran": {".true.": ".false.", ".false.": ".true."},
    "Python": {"True": "False", "False": "True"},
}
INTEGER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")


def language_of(file: str) -> str | None:
    return LANGUAGES.get(PurePath(file).suffix)


def visible(text: str, language: str) -> str:
    """The text with blanks in the place of comments and texts."""
    return re.sub(HIDDEN[language], lambda match: re.sub(r"[^\n]", " ", match[0]), text,
                  flags=re.DOTALL)


def is_conditional(lines: list[str]) -> list[bool]:
    """Of each line, whether a preprocessor decides if there is such a line."""
    depth, result = 0, []
    for line in lines:
        depth -= line.lstrip().startswith("#endif")
        result.append(depth > 0)
        depth += line.lstrip().startswith("#if")
    return result


def swaps(line: str, language: str) -> Iterator[tuple[int, str, str]]:
    """Column, old text and new text of every change to a visible line."""
    for old, new in OPERATORS_OF[language].items():
        for match in re.finditer(rf"(?<=\S ){re.escape(old)}(?=\s)", line):
            yield match.start(), old, new
    for old, new in WORDS_OF[language].items():
        for match in re.finditer(rf"(?<!\w){re.escape(old)}|(?<=\w){re.escape(old)}(?!\w)"
                                 if not old.isalpha() else rf"\b{old}\b", line):
            yield match.start(), old, new
    for match in INTEGER.finditer(line):
        yield match.start(), match[0], str(int(match[0]) + 1)


def changes_of(file: str, text: str) -> list[tuple[int, int, str, str]]:
    """Line, column, old text and new text of everything that can be changed."""
    language = language_of(file)
    if language is None:
        return []
    lines = visible(text, language).split("\n")
    conditional = is_conditional(lines)
    return [(number, *swap)
            for number, line in enumerate(lines)
            if not conditional[number] and not re.match(SKIPPED[language], line)
            for swap in sorted(swaps(line, language))]


def fault_of(file: str, text: str, change: tuple[int, int, str, str]) -> Fault:
    """With as many lines before and after the changed one as make it unique."""
    number, column, old, new = change
    lines = text.split("\n")
    line = lines[number]
    changed = line[:column] + new + line[column + len(old) :]
    first, last = number, number
    while True:
        before, after = lines[first:number], lines[number + 1 : last + 1]
        fault = Fault(file, "\n".join([*before, line, *after]),
                      "\n".join([*before, changed, *after]))
        if len(fault.first_lines(text)) == 1:
            return fault
        if last - number < number - first and last + 1 < len(lines) or first == 0:
            last += 1
        else:
            first -= 1


def draw(texts: Mapping[str, str], count: int, seed: int,
         compiles: Callable[[Fault], bool]) -> list[Fault]:
    """So many faults in these files, always the same ones of a seed, of which all compile. The
    first ones do not depend on their number."""
    # Of Python's generator this alone is promised to stay the same.
    uniform = random.Random(seed).random

    def any_of(choices: list) -> object:
        return choices[int(uniform() * len(choices))]

    changes = {file: changes_of(file, text) for file, text in sorted(texts.items())}
    files = {folder: [file for file in changes if changes[file] and file.startswith(folder + "/")]
             for folder in FOLDERS}
    empty = [folder for folder, inside in files.items() if not inside]
    if empty:
        raise FaultError(f"nothing to change in {', '.join(empty)}")
    drawn: list[Fault] = []
    for number in range(count):
        folder = FOLDERS[number % len(FOLDERS)]
        for _ in range(ATTEMPTS):
            file = any_of(files[folder])
            fault = fault_of(file, texts[file], any_of(changes[file]))
            if fault not in drawn and "'''" not in fault.find and compiles(fault):
                drawn.append(fault)
                break
        else:
            raise FaultError(f"{folder}: of {ATTEMPTS} changes none is new and compiles")
    return drawn

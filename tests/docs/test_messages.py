"""Messages that the page on troubleshooting quotes are those of the sources."""

import re
from pathlib import Path

SOURCES = ("src/**/*.cpp", "src/**/*.hpp", "include/**/*.h*", "apps/weft/*.cpp",
           "bindings/**/*.cpp", "bindings/**/*.hpp", "bindings/python/weft/*.py")
LITERALS = re.compile(r'(?:f?"(?:[^"\\\n]|\\.)*"\s*)+')
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
#: Shorter pieces of a message are in some literal anyway.
FEWEST = 6


def literals(root: Path) -> str:
    """All of the sources' strings, one a line; those that stand side by side are one."""
    texts = [file.read_text("utf-8") for pattern in SOURCES for file in root.glob(pattern)]
    runs = (run for text in texts for run in LITERALS.findall(text))
    return "\n".join("".join(LITERAL.findall(run)).replace('\\"', '"') for run in runs)


def quoted(page: str) -> list[str]:
    """What stands in the first column of its tables, between backticks."""
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    return [message for row in rows for message in re.findall(r"`([^`]+)`", row)]


def missing_pieces(messages: list[str], strings: str) -> list[str]:
    return [f"{message!r}: {piece!r}" for message in messages for piece in message.split("...")
            if len(piece.strip()) >= FEWEST and piece.strip() not in strings]


def test_quoted_messages_are_in_the_sources(root):
    messages = quoted((root / "docs/guide/troubleshooting.md").read_text("utf-8"))
    assert len(messages) > 35
    assert missing_pieces(messages, literals(root)) == []


def test_a_message_that_has_changed_is_noticed(root):
    strings = literals(root)
    assert missing_pieces(["a transform is under way: wait"], strings) == []
    assert missing_pieces(["a transform is running: wait"], strings) != []

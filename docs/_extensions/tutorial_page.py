"""The parts of a tutorial: Markdown with blocks that a comment before them gives a meaning.

    <!-- cell -->        Python, run in the page's one interpreter, as a cell of a notebook
    <!-- file: NAME -->  a file that later blocks use
    <!-- run -->         commands of a shell
    <!-- output -->      what the cell or the commands before it print
"""

import re
from dataclasses import dataclass

BLOCK = re.compile(
    r"^<!-- (?P<kind>cell|file|run|output)(?:: (?P<name>[\w.-]+))? -->\n+"
    r"```(?P<language>\w+)\n(?P<text>.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^ *```", re.MULTILINE)
#: The language of a block, where there is no choice.
LANGUAGES = {"cell": "python", "run": "bash", "output": "text"}


@dataclass(frozen=True)
class Part:
    """Text between two blocks (kind "text"), or a block, with the place of its content."""

    kind: str
    text: str
    begin: int
    end: int
    name: str = ""


def parts_of(page: str) -> list[Part]:
    """All parts in their order.

    Raises
    ------
    ValueError
        If a block is without a comment, or of another language than its comment asks for.
    """
    found: list[Part] = []
    place = 0
    for match in BLOCK.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        if match["language"] != LANGUAGES.get(match["kind"], match["language"]):
            raise ValueError(f"line {line}: a block '{match['kind']}' in {match['language']}")
        if (match["kind"] == "file") != bool(match["name"]):
            raise ValueError(f"line {line}: files have names, and nothing else has")
        found += [Part("text", page[place:match.start()], place, match.start()),
                  Part(match["kind"], match["text"], *match.span("text"), match["name"] or "")]
        place = match.end()
    found.append(Part("text", page[place:], place, len(page)))
    for part in found:
        if part.kind == "text" and FENCE.search(part.text):
            raise ValueError(f"a block after line {page.count(chr(10), 0, part.begin)} "
                             "says not what it is")
    return found

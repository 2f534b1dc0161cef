"""Links of pages as one reads them in the repository: their files are there, and their headings.

test_site.py checks those of the site, of which README.md and its like are no part.
"""

import re
from pathlib import Path
from urllib.parse import urldefrag

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PROGRAM = re.compile(r"^ *(```|:::).*?^ *\1", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def pages(root: Path) -> list[Path]:
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


def slug(heading: str) -> str:
    """The place of a heading, as GitHub and MyST name it."""
    text = LINK.sub("", heading) if "](" in heading else heading
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def broken(page: Path) -> list[str]:
    found = []
    for link in LINK.findall(PROGRAM.sub("", page.read_text("utf-8"))):
        path, place = urldefrag(link)
        if ":" in path:
            continue
        target = page.parent / path if path else page
        if not target.exists():
            found.append(f"{link}: no such file")
        elif place and place not in map(slug, HEADING.findall(target.read_text("utf-8"))):
            found.append(f"{link}: no such heading")
    return found


def test_links_lead_to_files_and_headings(root):
    assert {str(page.relative_to(root)): links for page in pages(root)
            if (links := broken(page))} == {}


def test_broken_links_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b`, c-d\n[1](#a-b-c-d) [2](#a) [3](none.md) [4](https://none.example)\n"
                    "```\n[5](none.md)\n```\n")
    assert broken(page) == ["#a: no such heading", "none.md: no such file"]

"""The pages for contributors: the picture of folders is that of the code, and names exist."""

import importlib.util
import re
from html import unescape
from pathlib import Path
from types import ModuleType

import pytest

PAGE = "docs/architecture.md"
MOST_LINES = {PAGE: 200}
MOST_LINES_OF_INTERNALS = 130
SOURCES = ("src", "include", "bindings", "apps", "bench", "scripts", "tests")
SUFFIXES = {".hpp", ".cpp", ".cu", ".h", ".f90", ".F90", ".py", ".txt", ".cmake"}


@pytest.fixture(scope="module")
def drawing(root: Path) -> ModuleType:
    """docs/draw_folders.py"""
    spec = importlib.util.spec_from_file_location("draw_folders", root / "docs/draw_folders.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(root: Path) -> dict[str, str]:
    files = [root / PAGE, *sorted((root / "docs/internals").glob("*.md"))]
    return {file.relative_to(root).as_posix(): file.read_text("utf-8") for file in files}


@pytest.fixture(scope="module")
def words(root: Path) -> set[str]:
    """All identifiers of the sources."""
    found: set[str] = set()
    for folder in SOURCES:
        for file in (root / folder).rglob("*"):
            if file.suffix in SUFFIXES and file.is_file():
                found.update(re.findall(r"\w+", file.read_text("utf-8", errors="replace")))
    return found


def titles(drawing: ModuleType, kind: str) -> list[str]:
    svg = drawing.PICTURE.read_text("utf-8")
    return [unescape(title) for title in
            re.findall(rf'class="{kind}">\n<title>(.*?)</title>', svg)]


def quoted(pages: dict[str, str], pattern: str) -> list[tuple[str, str]]:
    """What stands in backticks and is all of the pattern, with its page."""
    return [(page, span) for page, text in pages.items()
            for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text) if re.fullmatch(pattern, span)]


def test_the_picture_has_the_includes_of_the_code(drawing):
    drawn = {tuple(title.split("->")) for title in titles(drawing, "edge")}
    assert len(drawn) > 10
    assert drawn == drawing.edges(drawing.reduced(drawing.read_graph())), (
        "run docs/draw_folders.py")


def test_the_reduction_keeps_what_is_reached(drawing):
    graph = drawing.read_graph()
    fewer = drawing.reduced(graph)
    for folder in graph:
        assert drawing.reached(graph, folder) == drawing.reached(fewer, folder)
    chain = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert drawing.reduced(chain) == {"a": {"b"}, "b": {"c"}, "c": set()}


def test_every_folder_is_in_the_table_and_in_the_picture(root, drawing):
    folders = {folder.name for folder in (root / "src").iterdir() if folder.is_dir()}
    assert set(drawing.jobs()) == folders
    assert set(titles(drawing, "node")) == folders
    texts = {unescape(text) for text in
             re.findall(r"<text [^>]*>(.*?)</text>", drawing.PICTURE.read_text("utf-8"))}
    assert texts == folders | set(drawing.jobs().values()), "run docs/draw_folders.py"


def test_pages_are_short(pages):
    for page, text in pages.items():
        assert text.count("\n") <= MOST_LINES.get(page, MOST_LINES_OF_INTERNALS), page


def test_names_exist(pages, words):
    unknown = [(page, name) for page, name in quoted(pages, r"\w+(::\w+)*")
               if not set(name.split("::")) <= words]
    assert unknown == []


def test_paths_exist(root, pages):
    """Of files that stand with a folder; tests/docs/test_names.py has those without."""
    missing = [
        (page, path) for page, path in quoted(pages, r"[\w.-]+(/[\w.-]+)+/?|[\w.-]+/")
        if not any((root / base / path).exists()
                    for base in ("", "src", "include", "bindings/python", "bench"))
    ]
    assert missing == []

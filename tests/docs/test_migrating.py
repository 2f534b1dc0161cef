"""The tables of docs/guide/migrating.md and its neighbors: tests compile and run what stands on
weft's side, and the names on the other side are names of that library."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

#: Where rows are compiled and run, for each page; the last one by MPI ranks of Python.
SOURCES = {
    "migrating": ("tests/docs/migrating/fftw_rows.cpp", "tests/docs/migrating/other_rows.cpp",
                  "tests/bindings/python/mpi/test_migrating.py"),
    "from-fftw": ("tests/docs/migrating/rows_in_c.c",),
    "from-heffte": ("tests/docs/migrating/other_rows.cpp",),
    "from-pencils": ("tests/docs/migrating/other_rows.cpp", "tests/docs/migrating/rows_in_c.c"),
}
#: Needs a GPU, or a library that is not built in everywhere.
NOT_RUN = {'options.device = "cuda"', '"mkl"'}
TABLE = re.compile(r"^\|(?P<head>.*)\|\n\|[-|]+\|\n(?P<rows>(?:\|.*\|\n)+)", re.MULTILINE)


def tables(root: Path, page: str) -> Iterator[tuple[str, list[list[str]]]]:
    """The head of each table about weft, and its rows as lists of cells."""
    text = (root / f"docs/guide/{page}.md").read_text("utf-8")
    for table in TABLE.finditer(text):
        if "weft in" in table["head"] or table["head"].rstrip().endswith("| weft"):
            rows = [re.split(r"(?<!\\)\|", row)[1:-1] for row in table["rows"].splitlines()]
            yield table["head"], rows


def without_spaces(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("page", SOURCES)
def test_weft_has_been_run(root: Path, page: str) -> None:
    sources = without_spaces("".join((root / file).read_text("utf-8") for file in SOURCES[page]))
    rows = [row for _, rows in tables(root, page) for row in rows]
    assert len(rows) > 10
    missing = [
        code
        for row in rows
        for cell in row[1:]
        for code in re.findall(r"`([^`]+)`", re.sub(r"\[[^]]*\]\([^)]*\)", "", cell))
        if code not in NOT_RUN
        and not all(without_spaces(part) in sources for part in code.split("..."))
    ]
    assert missing == []


def test_fftw_has_these_names(root: Path) -> None:
    headers = [Path("/usr/include", name) for name in ("fftw3.h", "fftw3-mpi.h")]
    if not all(header.exists() for header in headers):
        pytest.skip("the headers of FFTW-MPI are not in /usr/include")
    text = "".join(header.read_text("utf-8") for header in headers)
    names = {name
             for page in ("migrating", "from-fftw")
             for head, rows in tables(root, page) if "FFTW-MPI" in head
             for row in rows for name in re.findall(r"\b(?:fftw_|FFTW_)\w+", row[0])}
    assert len(names) > 15
    unknown = [name for name in names
               if not re.search(rf"\b{name}\b", text)
               and f"X({name.removeprefix('fftw_')})" not in text
               and f"XM({name.removeprefix('fftw_mpi_')})" not in text]
    assert unknown == []


def test_heffte_has_these_names(root: Path) -> None:
    text = "".join(file.read_text("utf-8") for file in root.glob("include/weft/heffte/*.hpp"))
    names = {name for _, rows in tables(root, "from-heffte") for row in rows
             for name in re.findall(r"(?:heffte|backend|scale|reshape_algorithm)::(\w+)", row[0])}
    assert len(names) > 8
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []

"""Pictures of records: what they show, and what they refuse."""

import re

import pytest
from synthetic import record
from weft_bench import picture
from weft_bench.report import ReportError


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


@pytest.fixture
def two_ranks(full_study):
    return [found for found in full_study if found.get("ranks") == 2]


def test_every_case_and_every_library_that_was_right(two_ranks, tmp_path):
    picture.draw(two_ranks, tmp_path / "all.svg")
    found = texts(tmp_path / "all.svg")
    cases = {(*r["shape"], r["kind"], r["grid"]) for r in two_ranks if r["library"] == "weft"}
    assert found.count("weft") == len(cases) > 2
    assert "sloppy" not in found  # always wrong


def test_variants_of_a_single_library_are_told_apart(tmp_path):
    records = [
        record(forward=(seconds,) * 3, backward=(seconds,) * 3, settings={"exchange": exchange})
        for exchange, seconds in (("alltoallv", 1e-3), ("p2p", 2e-3))
    ]
    picture.draw(records, tmp_path / "one.svg")
    assert {"alltoallv", "p2p", "2.00", "4.00"} <= set(texts(tmp_path / "one.svg"))


def test_other_formats_and_what_cannot_be_drawn(two_ranks, tmp_path):
    picture.draw(two_ranks, tmp_path / "all.png")
    assert (tmp_path / "all.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ReportError, match="all.txt: a picture is one of .svg, .png, .pdf"):
        picture.draw(two_ranks, tmp_path / "all.txt")
    with pytest.raises(ReportError, match="no correct result"):
        picture.draw([record(status="crashed")], tmp_path / "none.svg")

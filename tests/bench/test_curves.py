"""Curves on pages: which rows become points."""

import pytest
from weft_bench import curves
from weft_bench.lookup import LookupFailed, Row, Rows


def row(chunks: str, pair: float, exchange: str = "p2p", status: str = "ok") -> Row:
    fields = {"shape": [64, 64, 64], "kind": "c2c", "chunks": chunks, "exchange": exchange,
              "status": status}
    return Row(fields, {"forward": pair / 2, "backward": pair / 2, "pair": pair})


@pytest.fixture
def rows() -> Rows:
    return Rows([row("16", 3e-3), row("2", 2e-3), row("2", 1e-3), row("4", 1e-4, status="wrong"),
                 row("4", 5e-3), row("1", 4e-3, "alltoallv")], "study")


def test_points_are_the_fastest_right_rows_in_the_order_of_numbers(rows):
    found = curves.points(rows.where(exchange="p2p"), "chunks", "pair")
    assert found == [(2, 1.0), (4, 5.0), (16, 3.0)]


def test_gigaflops_are_those_of_the_forward_transform(rows):
    [(_, rate)] = curves.points(rows.where(chunks="16"), "chunks", "gflops")
    assert rate == pytest.approx(5 * 64**3 * 18 / 1.5e-3 / 1e9)


def test_rows_without_times_count_by_themselves():
    errors = Rows([Row({"codec": "bfp:8", "error": 1e-2}, {}), Row({"codec": "none"}, {})], "study")
    assert curves.points(errors, "codec", "error") == [(8, 1e-2)]
    doubled = Rows([Row({"codec": "bfp:8", "error": error}, {}) for error in (1, 2)], "study")
    with pytest.raises(LookupFailed, match="2 lines instead of one"):
        curves.points(doubled, "codec", "error")


def test_a_line_and_a_level_are_drawn(rows, tmp_path):
    picture = tmp_path / "curves.svg"
    curves.draw(rows, picture, "chunks", "pair", {"pairs": {"exchange": "p2p"}},
                {"all ranks": {}}, {"blocking": {"exchange": "alltoallv"}}, {"chunks": "N_c"})
    text = picture.read_text()
    for word in ("pairs", "blocking", "all ranks", "N_c", "forward + backward, ms"):
        assert word in text
    with pytest.raises(LookupFailed, match="nothing to draw"):
        curves.draw(rows, picture, "chunks", "pair", {"none": {"exchange": "x"}})

"""What transforms spend their time on: shares of records, and their chart."""

import pytest
from weft_bench import breakdown
from weft_bench.lookup import LookupFailed, Row, Rows


def row(ranks: int, pair: float = 10.0, **parts: float) -> Row:
    stages = [{"name": "a pass", "parts": {"transform": 3.0, **parts}}, {"name": "a pass"},
              {"name": "p2p", "parts": {"wait": 2.0, "exchange": 0.0}},
              {"name": "another pass", "parts": {"transform": 1.0}}]
    return Row({"shape": [8, 8, 8], "kind": "c2c", "ranks": ranks, "stages": stages},
               {"pair": pair})


def test_shares_are_those_of_a_pair_and_parts_that_take_no_time_are_left_out():
    assert breakdown.shares(row(2, pack=1.0)) == {
        "transform": pytest.approx(0.4), "pack": pytest.approx(0.1), "wait": pytest.approx(0.2)}


def test_shares_of_means_do_not_exceed_a_whole():
    assert sum(breakdown.shares(row(2, pair=5.0)).values()) == pytest.approx(1)


def test_records_without_a_breakdown_are_refused():
    plain = Row({"shape": [8, 8, 8], "ranks": 2, "stages": [{"name": "p2p"}]}, {"pair": 1.0})
    with pytest.raises(LookupFailed, match="8\\^3 on 2 ranks has no breakdown"):
        breakdown.shares(plain)


def test_a_chart_has_a_bar_for_each_number_of_ranks(tmp_path):
    rows = Rows([row(4, decode=1.0), row(2)], "study")
    breakdown.draw(rows, tmp_path / "shares.svg", {"cubes": {"kind": "c2c"}})
    text = (tmp_path / "shares.svg").read_text("utf-8")
    for word in ("cubes", "transform", "decode", "wait", "ranks"):
        assert f">{word}<" in text
    assert ">pack<" not in text and text.index(">2<") < text.index(">4<")

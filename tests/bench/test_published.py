"""Published figures: what is compared with what, and how they scale."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from weft_bench import published, published_report
from weft_bench.published import Figure, Work

RESULTS = Path(__file__).resolve().parents[2] / "bench/results"
WORK = Work("64^3", "c2c", "f64", "pair")


def figure(ranks: int, value: float, library: str = "a", **changes: object) -> Figure:
    made = Figure("s", "table 1", library, "m", ranks // 4, ranks, None, WORK, "pair", value, "s")
    return dataclasses.replace(made, **changes)


def test_a_ratio_is_made_of_the_same_work_on_as_many_ranks() -> None:
    [one] = published.compare([figure(4, 2.0)], [figure(4, 3.0, "weft"), figure(8, 1.0, "weft")])
    assert one.ratio == 1.5 and one.same_machine
    [other] = published.compare([figure(4, 2.0)], [figure(4, 3.0, "weft", machine="n")])
    assert other.ratio == 1.5 and not other.same_machine
    [none] = published.compare([figure(4, 2.0)], [figure(8, 1.0, "weft")])
    assert none.ratio is None and none.ours is not None


@pytest.mark.parametrize("changes", [
    {"work": dataclasses.replace(WORK, **{name: value})} for name, value in (
        ("shape", "65^3"), ("kind", "r2c"), ("precision", "f32"), ("direction", "forward"))
] + [{"gpus": 4}, {"library": "b"}], ids=str)
def test_other_work_is_not_compared(changes: dict[str, object]) -> None:
    ours = [figure(4, 3.0, "weft", **changes)] if "library" not in changes else [
        figure(4, 3.0, **changes)]
    [one] = published.compare([figure(4, 2.0)], ours)
    assert one.ours is None and one.ratio is None


def test_work_that_is_not_told_is_not_compared() -> None:
    untold = dataclasses.replace(WORK, direction="")
    [one] = published.compare([figure(4, 2.0, work=untold)], [figure(4, 2.0, "weft", work=untold)])
    assert one.ours is None


def test_both_efficiencies_and_how_far_a_library_scales() -> None:
    slow = [figure(4, 8.0), figure(8, 5.0), figure(16, 6.0)]
    fast = [figure(4, 4.0, "b"), figure(8, 2.5, "b")]
    a, b = published.scaling([*slow, figure(8, 7.0), *fast])  # the slower of two is left out
    assert [a.efficiency(point) for point in a.points] == [1.0, 0.8, 8 / 24]
    assert [a.efficiency_of_all(point) for point in a.points] == [0.5, 0.4, 4 / 24]
    assert a.limit.ranks == 8 and a.limit_seen
    assert b.limit.ranks == 8 and not b.limit_seen


def test_without_times_on_one_node_there_is_no_reference() -> None:
    [one] = published.scaling([figure(8, 5.0), figure(16, 3.0)])
    assert one.efficiency_of_all(one.points[0]) is None


def test_all_figures_have_a_source_and_what_is_compared_is_exact() -> None:
    figures = published.load(RESULTS)
    known = published.sources(RESULTS)["sources"]
    assert {one.source for one in figures} == set(known)
    assert all(one.where and one.value > 0 for one in figures)
    gpus = {one.machine for one in figures if one.gpus}
    assert "Summit" in gpus and "Jean-Zay CPU (2x20 Cascade Lake 6248)" not in gpus
    assert all(one.value > 0 and one.work.known for one in published.own(RESULTS))


def test_a_figure_without_a_source_is_refused(tmp_path: Path) -> None:
    for name in (published.TIMES, published.OTHERS, published.SOURCES):
        (tmp_path / name).write_bytes((RESULTS / name).read_bytes())
    path = tmp_path / published.OTHERS
    path.write_text(path.read_text().replace("\nheffte-talk,", "\nhearsay,", 1))
    with pytest.raises(published.PublishedError, match=r"figures\.csv:\d+: source 'hearsay'"):
        published.load(tmp_path)


def test_every_form_tells_the_same() -> None:
    told = json.loads(published_report.as_json(RESULTS))
    ratios = [one["ratio"] for one in told["comparisons"] if one["ratio"] is not None]
    assert len(told["figures"]) == len(published.load(RESULTS)) and len(ratios) >= 10
    texts = [write(RESULTS) for write in (
        published_report.terminal, published_report.markdown, published_report.html)]
    for name in ("PencilFFTs.jl", "Kokkos-FFT distributed", "cuDecomp"):
        assert all(name in text for text in texts)
    assert all(f"{ratios[0]:.3g}" in text for text in texts)

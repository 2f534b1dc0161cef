"""Tables of published figures, for terminal, Markdown, HTML and JSON alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from . import formatting, published, quoting, report_text
from .published import Comparison, Figure, Scaling, Work
from .table import Table, Value, number

DIRECTIONS = {"pair": "forward + backward", "mean": "mean of both", "forward": "forward"}


def _work(work: Work) -> list[Value]:
    case = " ".join(filter(None, (work.shape, work.kind, work.precision)))
    return [Value(case or formatting.ABSENT),
            Value(DIRECTIONS.get(work.direction, "not told"))]


def _units(one: Figure) -> Value:
    if one.units is None:
        return Value(formatting.ABSENT)
    text = formatting.count(one.units, "GPU" if one.gpus else "rank")
    return Value(f"{text}, {formatting.count(one.nodes, 'node')}" if one.nodes else text, one.units)


def _source(one: Figure) -> Value:
    return Value(f"{one.source}: {one.trust}" if one.trust else one.source)


def _seconds(one: Figure | None) -> Value:
    seconds = None if one is None else one.value
    return number(seconds, formatting.milliseconds(seconds))


def comparison_table(found: Sequence[Comparison]) -> Table:
    """Of times that have a counterpart."""
    rows = []
    for one in found:
        theirs, ours = one.published, one.ours
        if one.ratio is None or ours is None:
            continue
        same = "same" if one.same_machine else "not the same"
        rows.append([
            Value(theirs.library), Value(theirs.machine), *_work(theirs.work), _source(theirs),
            _units(theirs), _seconds(theirs), _seconds(ours), _units(ours),
            Value(f"{same}: {ours.machine}"),
            number(one.ratio, formatting.three_digits(one.ratio))])
    columns = ["library", "machine", "work", "direction", "source", "on", "published ms", "weft ms",
               "weft on", "weft's machine", "weft/published"]
    return Table("comparison", columns, rows, left=5, caption=(
        "Published times, of each library the fastest for each number of ranks, and our fastest of "
        "the same shape, kind, precision and direction on as many cores or GPUs. A ratio is one of "
        "two machines unless the column says “same”: it does not tell which library is faster. "
        "Behind a source stands what the figure was taken from. "
        f"{len(found) - len(rows)} published times have no counterpart of ours; `--json` has them."
        ))


def scaling_table(found: Sequence[Scaling]) -> Table:
    rows = []
    for one in found:
        last = one.points[-1]
        usual, by_all = one.efficiency(last), one.efficiency_of_all(last)
        units = _units(one.limit)
        limit = units.text if one.limit_seen else f"at least {units.text}"
        rows.append([
            Value(one.library), Value(last.machine), *_work(last.work),
            _units(one.points[0]), _units(last), _seconds(last),
            number(usual, formatting.percent(usual)), number(by_all, formatting.percent(by_all)),
            Value(limit, units.order)])
    columns = ["library", "machine", "work", "direction", "from", "to", "ms there", "efficiency",
               "by the fastest on one node", "scales up to"]
    return Table("scaling", columns, rows, left=4, caption=(
        "Efficiency at the most ranks. As usual: the time on the fewest ranks, times their number, "
        "over that on the most. By the fastest on one node: the time of the fastest of all "
        "libraries on one node over N times the time on N nodes, where the former is known. "
        "Scales up to: the number of ranks with the shortest time; “at least” where it is the "
        "largest measured."))


def others_table(figures: Sequence[Figure]) -> Table:
    """What is no time of a transform in a known direction."""
    rows = []
    timed = published.fastest(figures)
    kept = [one for one in figures if one.unit != "s" or one in timed]
    for one in kept:
        if one.unit == "s" and one.work.known:
            continue
        value = formatting.three_digits(one.value) if abs(one.value) >= 1e-4 else (
            f"{one.value:.2e}")
        rows.append([
            Value(one.library), Value(one.machine or formatting.ABSENT), _work(one.work)[0],
            Value(one.method or formatting.ABSENT), Value(one.quantity),
            Value(f"{one.source}, {one.where}"), _units(one),
            number(one.value, value if one.unit == "1" else f"{value} {one.unit}")])
    columns = ["library", "machine", "work", "how", "quantity", "source", "on", "value"]
    return Table("others", columns, rows, left=6, caption=(
        "Times of which the work or the direction is not told, and figures that are no times: "
        "nothing of ours is compared with them. Of several times of one experiment this is the "
        "shortest; `--json` has all."))


def sources_table(results: Path) -> Table:
    rows = [[Value(key), Value(source["kind"]), Value(source["title"])]
            for key, source in published.sources(results)["sources"].items()]
    return Table("sources", ["source", "kind", "title"], rows, left=3, sortable=False)


def tables(results: Path) -> dict[str, Table]:
    """By name; the titles are those of TITLES."""
    figures, ours = published.load(results), published.own(results)
    return {
        "comparison": comparison_table(published.compare(figures, ours)),
        "scaling": scaling_table(published.scaling(figures)),
        "own_scaling": scaling_table(published.scaling(
            one for one in ours if one.work.direction == "pair")),
        "others": others_table(figures),
        "sources": sources_table(results),
    }


TITLES = {
    "comparison": "Published times beside ours",
    "scaling": "How published times scale",
    "own_scaling": "How ours scale",
    "others": "Other published figures",
    "sources": "Sources",
}


def terminal(results: Path) -> str:
    return "\n\n".join(f"{TITLES[name]}\n\n{report_text.plain_table(table)}\n\n{table.caption}"
                       for name, table in tables(results).items())


def markdown(results: Path) -> str:
    blocks = ["# Published figures"]
    for name, table in tables(results).items():
        blocks += [f"## {TITLES[name]}", report_text.markdown_table(table)]
    return "\n\n".join(blocks) + "\n"


def html(results: Path) -> str:
    environment = quoting.html_templates(Path(__file__).parent)
    return environment.get_template("tables.html.j2").render(
        title="Published figures", tables=tables(results), titles=TITLES)


def as_json(results: Path) -> str:
    figures, ours = published.load(results), published.own(results)
    return json.dumps({
        "sources": published.sources(results)["sources"],
        "figures": [asdict(one) for one in figures],
        "comparisons": [
            {"published": asdict(one.published), "weft": asdict(one.ours) if one.ours else None,
             "same_machine": one.same_machine, "ratio": one.ratio}
            for one in published.compare(figures, ours)],
        "scaling": [
            {"library": one.library, "scales_up_to": one.limit.ranks, "limit_seen": one.limit_seen,
             "points": [asdict(point) | {
                 "efficiency": one.efficiency(point),
                 "efficiency_by_fastest_on_one_node": one.efficiency_of_all(point)}
                 for point in one.points]}
            for one in published.scaling([*figures, *ours])],
    }, indent=1, allow_nan=False) + "\n"


#: By the suffix of the file that is to be written.
FORMATS = {"markdown": markdown, "html": html, "json": as_json}

"""Compacted records: the same figures as whole ones, and no file that is not whole."""

import json
from pathlib import Path

import numpy as np
import pytest
from synthetic import energy, full_study, limits_record, machine, record
from weft_bench import cli, compact, compare, gpu_scaling, records, report_text, summary
from weft_bench.cells import split_by_machine
from weft_bench.records import RecordError
from weft_bench.report_sections import make_parts

#: Times are rounded to six digits in what reports show.
CLOSE = {"rel": 1e-5}


def stored(path: Path, found: list) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in found), "utf-8")
    return path


def compacted(tmp_path: Path, found: list, name: str = "study") -> list:
    target = tmp_path / f"{name}-compact.jsonl"
    compact.write(stored(tmp_path / f"{name}.jsonl", found), target)
    return records.load(target)


def cells_of(found: list) -> dict:
    return {(machine.name, cell.case, cell.variant): cell
            for machine in split_by_machine(found) for cell in machine.cells}


def uneven_blocks(generator: np.random.Generator, seconds: float = 1e-3, **changes) -> list:
    return [record(forward=seconds * generator.lognormal(0, 0.1, count),
                   backward=seconds * generator.lognormal(0.1, 0.1, count), round=number, **changes)
            for number, count in enumerate((1, 7, 20, 150))]


def test_medians_and_extremes_are_those_of_all_repetitions(tmp_path):
    study = full_study((64, 256))
    whole, small = cells_of(study), cells_of(compacted(tmp_path, study))
    assert list(small) == list(whole) and len(whole) > 80
    compared = 0
    for key, cell in whole.items():
        assert small[key].status == cell.status
        assert small[key].explanation == cell.explanation
        for direction in ("forward", "backward", "pair"):
            before, after = cell.sample(direction), small[key].sample(direction)
            assert (before is None) == (after is None)
            if before is not None:
                compared += 1
                assert after.median == pytest.approx(before.median, **CLOSE)
                assert after.spread == pytest.approx(before.spread, rel=1e-2)  # a difference
                assert after.shortest == pytest.approx(before.shortest, **CLOSE)
                assert after.longest == pytest.approx(before.longest, **CLOSE)
                assert (after.blocks, after.repetitions) == (before.blocks, before.repetitions)
    assert compared > 200


def test_blocks_of_different_lengths_and_two_machines(tmp_path):
    generator = np.random.default_rng(3)
    found = [*uneven_blocks(generator), *uneven_blocks(generator, machine=machine("node2"))]
    # Blocks that died before anything was known of their machine ran where their neighbors did.
    found.insert(4, record("other", status="crashed", reason="signal 11", machine=None))
    whole, small = cells_of(found), cells_of(compacted(tmp_path, found))
    assert list(small) == list(whole) and len(whole) == 3
    for key, cell in whole.items():
        if cell.ok:
            before, after = cell.sample("pair"), small[key].sample("pair")
            assert after.median == pytest.approx(before.median, **CLOSE)
            assert after.repetitions == before.repetitions == 178


def test_intervals_are_nearly_those_of_whole_records(tmp_path):
    study = full_study()
    whole, small = cells_of(study), cells_of(compacted(tmp_path, study))
    widths = []
    for key, cell in whole.items():
        if cell.ok:
            before, after = cell.sample("pair").estimate, small[key].sample("pair").estimate
            assert after.low <= after.value <= after.high
            widths.append((after.high - after.low) / (before.high - before.low))
    assert len(widths) > 100
    assert 0.9 < np.median(widths) < 1.1 and min(widths) > 0.5 and max(widths) < 2


def test_the_report_is_the_same_but_for_intervals(tmp_path):
    found = [*full_study((128,)), limits_record(2), limits_record(4),
             *(record("metered", ranks=8, round=n, energy=energy((210.0, 90.0))) for n in (0, 1))]
    texts = [report_text.csv_text(make_parts(some)) for some in (found, compacted(tmp_path, found))]
    tables = [[line.split(",") for line in text.splitlines()] for text in texts]
    names = tables[0][0]
    assert [row[0] for row in tables[0]] == [row[0] for row in tables[1]]
    compared = 0
    for before, after in zip(*(table[1:] for table in tables), strict=True):
        for name, old, new in zip(names, before, after, strict=True):
            if "low" in name or "high" in name or "resolved" in name:
                continue  # of intervals
            compared += 1
            try:
                assert float(new) == pytest.approx(float(old), rel=6e-3), name
            except ValueError:
                assert new == old, name
    assert compared > 1000


def test_compare_finds_in_compacted_records_what_it_finds_in_whole_ones(tmp_path):
    generator = np.random.default_rng(4)
    old = [record(forward=1e-3 * generator.lognormal(0, 0.01, 20), round=n) for n in range(5)]
    new = [record(forward=2e-3 * generator.lognormal(0, 0.01, 20), round=n) for n in range(5)]
    sides = compacted(tmp_path, old, "old"), compacted(tmp_path, new, "new")
    for before, after in ((old, sides[1]), (sides[0], new), sides):
        text, status = compare.compare(before, after)
        assert status == 1 and text.count("slower") == 2
    assert compare.compare(old, sides[0])[1] == 0


def test_repetitions_have_the_five_numbers_they_are_made_from():
    generator = np.random.default_rng(5)
    for count in (1, 2, 3, 4, 5, 40, 101):
        five = summary.of(generator.lognormal(0, 0.5, count))
        made = summary.repetitions(count, five)
        assert len(made) == count
        # Quartiles between two repetitions can be met only where there are some near them.
        assert [made[0], made[-1]] == pytest.approx([five[0], five[-1]])
        if count % 4 == 1:
            assert summary.of(made) == pytest.approx(five)


def bench_line(seconds: float, **changes) -> dict:
    """As `weft bench --json` prints it, without single repetitions."""
    times = {"min": seconds, "median": 1.1 * seconds, "max": 2 * seconds}
    made = {"library": "weft", "shape": [64] * 3, "kind": "c2c", "precision": "f64", "in": "slab:0",
            "out": "slab:1", "device": "cuda", "ranks": 2, "chunks": 1, "forward_seconds": times,
            "backward_seconds": times, "forward_error": seconds * 1e-13, "stages": []}
    return {**made, **changes}


def test_lines_without_a_format_are_joined_by_what_was_asked_for(tmp_path):
    found = [bench_line(1e-3), bench_line(5e-4, chunks=4), bench_line(3e-3), {"gb_per_s": 385.79}]
    target = tmp_path / "small.jsonl"
    assert compact.write(stored(tmp_path / "gpus.jsonl", found), target) == 3
    expanded = gpu_scaling.load([target])
    assert [one.get("chunks") for one in expanded] == [1, 1, 4, None]
    assert expanded[1]["forward_seconds"] == pytest.approx(found[2]["forward_seconds"])
    assert expanded[0]["forward_error"] == pytest.approx(3e-16)
    times = [gpu_scaling.times_of(some, gpu_scaling.Wanted()) for some in (expanded, found[:3])]
    assert times[0]["weft"][64, 64, 64] == pytest.approx(times[1]["weft"][64, 64, 64])


def test_the_command_says_what_it_saved(tmp_path, monkeypatch, capsys):
    source = stored(tmp_path / "a.jsonl", uneven_blocks(np.random.default_rng(6)))
    target = tmp_path / "b.jsonl"
    monkeypatch.setattr("sys.argv", ["weft-bench", "compact", str(source), str(target)])
    assert cli.main() == 0
    size = target.stat().st_size
    told = capsys.readouterr().out
    assert f"{target}: 2 lines, {size} bytes instead of {source.stat().st_size}" in told
    assert 3 * size < source.stat().st_size


@pytest.mark.parametrize(("text", "words"), [
    ("", "no records"),
    ("\n \n", "no records"),
    ('{"format": 1}\n{"format": 1', "last line is cut off"),
    ('{"format": 1}\n{"format" 1}\n', "bad.jsonl:2: "),
    ('[1]\n', "bad.jsonl:1: not a record of format 1"),
    ('{"format": 3}\n', "bad.jsonl:1: not a record of format 1"),
    ('{"format": 2}\n', "bad.jsonl:1: not a record of format 1"),
    ('{"blocks": []}\n', "bad.jsonl:1: compacted already"),
    ('{"format": 1}\n{"library": "weft"}\n', "some lines have a format and some have none"),
    ('{"format": 1, "library": "weft"}\n', "record 1 has no status"),
])
def test_bad_input_is_refused_and_nothing_is_written(tmp_path, monkeypatch, capsys, text, words):
    source, target = tmp_path / "bad.jsonl", tmp_path / "out.jsonl"
    source.write_text(text)
    target.write_text("kept")
    monkeypatch.setattr("sys.argv", ["weft-bench", "compact", str(source), str(target)])
    assert cli.main() == 2
    assert words in capsys.readouterr().err
    assert target.read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "out.jsonl"]


def test_the_whole_records_are_not_overwritten(tmp_path):
    source = stored(tmp_path / "a.jsonl", [record()])
    before = source.read_text()
    with pytest.raises(RecordError, match="a.jsonl holds the whole records"):
        compact.write(source, source)
    assert source.read_text() == before


def test_a_disk_that_is_full_leaves_no_half_of_a_file(tmp_path, monkeypatch):
    source, target = stored(tmp_path / "a.jsonl", [record()]), tmp_path / "b.jsonl"

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        compact.write(source, target)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize("damage", [
    lambda line: line.update(machine=5),
    lambda line: line["blocks"][0].pop("count"),
    lambda line: line["blocks"][0].update(pair=[1.0, 2.0]),
    lambda line: line.update(blocks=3),
])
def test_damaged_compacted_records_are_an_error(tmp_path, damage):
    target = tmp_path / "b.jsonl"
    compact.write(stored(tmp_path / "a.jsonl", [record()]), target)
    head, line = (json.loads(text) for text in target.read_text().splitlines())
    damage(line)
    stored(target, [head, line])
    with pytest.raises(RecordError, match="b.jsonl: a compacted record is damaged"):
        records.load(target)


def test_brief_lines_have_the_same_cases_and_times(tmp_path):
    study = full_study((64,))
    long = [line for line in compact.compact(study) if "shape" in line]
    brief = [compact.briefly(line) for line in long]
    assert not {name for line in brief for name in line} & {"stages", "memory", "layout"}
    assert all("--set" not in line.get("command", "") for line in brief)
    assert sum(len(json.dumps(line)) for line in brief) < 0.8 * sum(map(len, map(json.dumps, long)))
    target = stored(tmp_path / "brief.jsonl", [compact.briefly(line)
                                               for line in compact.compact(study)])
    whole, small = cells_of(compacted(tmp_path, study)), cells_of(records.load(target))
    assert list(small) == list(whole)
    for key, cell in whole.items():
        assert small[key].status == cell.status
        assert small[key].pooled("pair") == cell.pooled("pair")


def test_brief_lines_keep_energy_that_was_measured():
    nothing = {"host": {"joules_per_pair": None}, "device": None}
    measured = {"host": {"joules_per_pair": 2.0}, "device": None}
    assert "energy" not in compact.briefly({"energy": nothing})
    assert compact.briefly({"energy": measured})["energy"] == measured

"""From records to cells, rankings, scaling, grids and exchanges."""

import json
import math

import pytest
import synthetic
from synthetic import limits_record, machine, record
from weft_bench import analysis, cli, communication, scaling
from weft_bench.cells import Case, Limits, curve_seconds, split_by_machine

STEADY = 0.0001  # so that intervals of different libraries do not touch


def steady(seconds):
    return [seconds * (1 - STEADY), seconds, seconds * (1 + STEADY)]


def only_machine(records):
    (found,) = split_by_machine(records)
    return found


def contests_of(records):
    return analysis.contests_of(only_machine(records))


def cube(length):
    return {"shape": [length] * 3}


def test_blocks_of_a_cell_are_pooled():
    records = [record(forward=[1, 2]), record(forward=[3, 4, 5], round=1)]
    (cell,) = only_machine(records).cells
    sample = cell.sample("forward")
    assert (sample.median, sample.blocks, sample.repetitions) == (3, 2, 5)


@pytest.mark.parametrize(
    "change",
    [
        {"shape": [64, 64, 32]},
        {"kind": "r2c"},
        {"kind": ["r2c", "c2c", "c2c"]},
        {"precision": "f32"},
        {"batch": 2},
        {"in_place": True},
        {"in": "slab"},
        {"out": "pencil"},
        {"grid": "1x2"},
        {"ranks": 4},
        {"threads": 2},
        {"ranks_per_node": 1},
        {"launcher": "mpich"},
        {"settings": {"exchange": "p2p"}},
        {"device": "cuda"},
        {"library": "other"},
    ],
)
def test_different_measurements_are_never_pooled(change):
    assert len(only_machine([record(), record(**change)]).cells) == 2


def test_ranking_takes_the_best_settings_of_each_library():
    (contest,) = contests_of(
        [
            record("a", steady(2.0)),
            record("b", steady(3.0)),
            record("b", steady(1.0), settings={"plan": "measure"}),
        ]
    )
    assert [(s.library, s.place, s.tied) for s in contest.standings] == [
        ("b", 1, True),
        ("a", 2, False),
    ]
    assert contest.standings[0].cell.variant.settings == (("plan", "measure"),)
    assert contest.standings[1].to_fastest.value == pytest.approx(2.0)


@pytest.mark.parametrize("status", ["wrong", "leaks"])
def test_libraries_with_times_but_not_ok_never_rank(status):
    records = [record("a", steady(2.0)), record("fast", steady(0.1), status=status)]
    (contest,) = contests_of(records)
    assert [s.library for s in contest.standings] == ["a"]
    assert [(e.library, e.status) for e in contest.losers] == [("fast", status)]
    assert "fast" not in dict(analysis.most_wins([contest]))


def test_one_wrong_block_of_several_is_enough():
    records = [
        record("a", steady(2.0)),
        record("fast", steady(0.1)),
        record("fast", steady(0.1), status="wrong", reason="error too large", round=1),
    ]
    (contest,) = contests_of(records)
    assert [s.library for s in contest.standings] == ["a"]
    assert contest.losers[0].worst.explanation == "wrong in 1 of 2 blocks; error too large"


def test_wrong_settings_do_not_disqualify_right_ones():
    records = [
        record("a", steady(2.0)),
        record("a", steady(0.1), status="wrong", settings={"compress": "f32"}),
    ]
    (contest,) = contests_of(records)
    assert contest.standings[0].cell.variant.settings == ()
    assert analysis.contests_wrong([contest]) == {"a": 1}


def test_close_libraries_are_level():
    generator = synthetic.np.random.default_rng(5)
    records = [
        record(library, block, round=number)
        for library in ("a", "b")
        for number, block in enumerate(synthetic.blocks(generator, 1.0))
    ]
    (contest,) = contests_of(records)
    assert contest.standings[1].tied


def test_overall_is_the_geometric_mean_over_shared_cases():
    records = [
        record("a", steady(1.0), **cube(32)),
        record("b", steady(2.0), **cube(32)),
        record("a", steady(8.0), **cube(64)),
        record("b", steady(1.0), **cube(64)),
        record("a", steady(1.0), **cube(128)),
        record("b", status="crashed", **cube(128)),
    ]
    found = only_machine(records)
    result = analysis.overall(found, analysis.contests_of(found))
    assert len(result.shared) == 2
    means = {s.library: s.mean_ratio.value for s in result.standings}
    assert means == pytest.approx({"b": math.sqrt(2), "a": math.sqrt(8)}, rel=1e-3)
    assert [(s.library, s.wins, s.contests) for s in result.standings] == [
        ("b", 1, 2),
        ("a", 2, 3),
    ]


def test_libraries_with_few_results_are_left_out_of_the_overall_ranking():
    records = [record(n, steady(t), **cube(s)) for s in (16, 32, 64) for n, t in SPEEDS.items()]
    records += [record("rare", steady(0.5), **cube(16)), record("rare", status="hung", **cube(32))]
    found = only_machine(records)
    result = analysis.overall(found, analysis.contests_of(found))
    assert [s.library for s in result.standings] == ["a", "b"]
    assert result.left_out == {"rare": 1}


SPEEDS = {"a": 1.0, "b": 2.0}


def test_verdict_names_winners_and_wrong_libraries(full_study):
    found = only_machine(full_study)
    sentences = " ".join(analysis.verdict(found, analysis.contests_of(found)))
    assert sentences.startswith("Fastest: weft in ") and " of 73 cases." in sentences
    assert "Incorrect, and therefore not ranked: sloppy in 64 of 73 cases." in sentences


def test_failures_are_named_with_reasons(full_study):
    failures = {f.library: f for f in analysis.failures_of(only_machine(full_study))}
    assert (failures["crasher"].status, failures["crasher"].blocks) == ("crashed", 144)
    assert failures["crasher"].reason == "signal 11 (SIGSEGV) while planning"
    assert failures["shafft"].status == "hung"
    assert next(iter(failures)) == "sloppy"  # the gravest first


def test_reasons_that_differ_in_measured_numbers_are_one_failure():
    errors = ("error 1.5e-3 is above 2e-14", "error 2.5e-3 is above 2e-14", "no poison left: 3")
    records = [record(status="wrong", reason=r, round=i) for i, r in enumerate(errors)]
    failures = analysis.failures_of(only_machine(records))
    assert [(f.reason, f.blocks) for f in failures] == [(errors[0], 2), (errors[2], 1)]


def test_settings_that_never_vary_are_not_notable():
    records = [
        record(settings={"exchange": exchange, "local": "auto"}) for exchange in ("p2p", "alltoall")
    ]
    notable = [cell.notable for cell in only_machine(records).cells]
    assert notable == [(("exchange", "alltoall"),), (("exchange", "p2p"),)]


def test_machines_are_kept_apart():
    records = [record(machine=machine("a")), record(machine=machine("b"))]
    assert [m.description["hostname"] for m in split_by_machine(records)] == ["a", "b"]


def test_mpi_and_kernel_do_not_make_another_machine():
    other = machine(mpi="MPICH 4.0", kernel="Linux 6.2")
    assert len(only_machine([record(), record(machine=other)]).cells) == 1


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_block_without_machine_belongs_to_its_neighbors(position):
    records = [record(), record(round=1)]
    records.insert(position, record(status="crashed", reason="signal 11", machine=None))
    assert only_machine(records).cells[0].status == "crashed"


def test_records_that_cannot_be_placed_are_refused():
    with pytest.raises(ValueError, match="record 2 has no shape and ranks"):
        split_by_machine([record(), record() | {"shape": None, "ranks": None}])


@pytest.mark.parametrize(("name", "value"), [
    ("shape", "64"), ("shape", [8, "<b>"]), ("shape", [0]), ("ranks", "2"), ("machine", "node1"),
    ("settings", ["p2p"]), ("stages", {"a": 1}), ("library", 3), ("forward_seconds", 1.0),
])
def test_records_with_other_types_are_refused(tmp_path, monkeypatch, capsys, name, value):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(record() | {name: value}) + "\n")
    monkeypatch.setattr("sys.argv", ["weft-bench", "report", str(path)])
    assert cli.main() == 2
    assert f"weft-bench: error: record 1: {name} is {value!r}" in capsys.readouterr().err


def test_null_figures_leave_a_cell_without_times():
    (cell,) = only_machine([record(status="crashed")]).cells
    assert cell.sample("forward") is None
    assert cell.gflops is None
    assert cell.middle("memory", "peak") is None
    assert cell.stages == []


def test_strong_scaling_has_ideal_and_floor(full_study):
    found = {item.title: item for item in scaling.strong_scalings(only_machine(full_study))}
    item = found["256³ c2c f64, openmpi"]
    assert [point.ranks for point in item.series["weft"]] == list(synthetic.RANKS)
    (first_ranks, first_time), *_, (last_ranks, last_time) = item.ideal
    assert (first_ranks, last_ranks) == (1, 128)
    assert last_time == pytest.approx(first_time / 128)
    assert item.oversubscribed_from == 128
    assert "sloppy" not in item.series
    assert [point.ranks for point in item.series["crasher"]] == [1, 2]
    assert len(item.floor) == len(synthetic.RANKS)


def test_floor_is_memory_passes_or_arithmetic_and_an_alltoall():
    case = Case.of(record(shape=[64, 64, 64], ranks=2))
    limits = Limits("openmpi", 2, 1e9, None, (), ((2**20, 1e-3), (2**22, 4e-3)))
    memory = 2 * 2 * 16 * 64**3 / 1e9
    alltoall = 2e-3  # of 2^21 bytes for each rank
    assert scaling.floor_seconds(case, limits) == pytest.approx(2 * (memory + alltoall))
    slow = Limits("openmpi", 2, 1e9, 1e6, (), limits.alltoall)
    arithmetic = case.operations / 1e6
    assert scaling.floor_seconds(case, slow) == pytest.approx(2 * (arithmetic + alltoall))
    assert scaling.floor_seconds(case, None) is None


def test_no_limits_no_floor():
    records = [record(forward=steady(1 / ranks), ranks=ranks) for ranks in (1, 2)]
    (item,) = scaling.strong_scalings(only_machine(records))
    assert item.floor == []


def test_weak_scaling_groups_by_points_per_rank():
    records = [
        record(forward=steady(1.0), shape=[64, 64, 64], ranks=1),
        record(forward=steady(1.2), shape=[128, 128, 128], ranks=8),
        record(forward=steady(9.9), shape=[128, 128, 128], ranks=4),
    ]
    (item,) = scaling.weak_scalings(only_machine(records))
    assert [(p.ranks, p.time.value) for p in item.series["weft"]] == [(1, 2.0), (8, 2.4)]
    assert item.ideal[1][1] == pytest.approx(2 * 21 / 18)


def test_a_sweep_of_grids_is_one_contest_and_one_map(full_study):
    found = only_machine(full_study)
    swept = [c for c in analysis.contests_of(found) if c.case.grid == analysis.SWEPT]
    assert len(swept) == 1
    assert swept[0].standings[0].cell.case.grid == "2x8"
    (grid_map,) = scaling.grid_maps(found)
    assert grid_map.grids == ["1x16", "2x8", "4x4", "8x2", "16x1"]
    assert grid_map.libraries == ["weft", "2decomp", "heffte"]
    assert all(row.index(min(row)) == 1 for row in grid_map.seconds)


def test_steps_are_grouped_by_whether_they_move_data():
    steps = synthetic.stages(1.0, 4, 64**3, "alltoallv", 0.25)
    (cell,) = only_machine([record(stages=steps)]).cells
    grouped = communication.grouped_steps(cell)
    assert (grouped.transform, grouped.exchange) == pytest.approx((0.75, 0.25))
    assert (grouped.exchanged, grouped.exchanges) == (16 * 64**3 // 4, 1)


def test_exchanges_are_compared_with_the_limits(full_study):
    rows = communication.exchange_rows(only_machine(full_study))
    assert len(rows) == 32
    row = next(r for r in rows if r.case.shape == (64,) * 3 and r.algorithm == "p2p")
    assert row.case.launcher == "mpich"
    assert row.share == pytest.approx(0.4)
    assert row.bytes_per_rank == 16 * 64**3 / 8
    assert row.message_bytes == pytest.approx(row.bytes_per_rank / 7)
    assert row.rate == pytest.approx(row.bytes_per_rank / row.exchange_seconds)
    assert row.alltoall_rate == pytest.approx(
        row.bytes_per_rank / (8e-6 + row.bytes_per_rank / 3e9), rel=0.3
    )
    assert row.memory_rate == synthetic.MEMORY_RATE / 2 / 8


def test_without_limits_exchanges_have_no_ceilings(full_study):
    records = [r for r in full_study if r["library"] != "machine"]
    row = communication.exchange_rows(only_machine(records))[0]
    assert (row.alltoall_rate, row.pair_rate, row.memory_rate, row.of_alltoall) == (None,) * 4


def test_curves_are_interpolated_in_logarithms_and_go_on_with_their_last_rate():
    curve = ((1, 1.0), (100, 100.0))
    assert curve_seconds(curve, 10) == pytest.approx(10.0)
    assert curve_seconds(curve, 1000) == pytest.approx(1000.0)
    assert curve_seconds((), 10) is None


def test_limits_records_are_no_measurements_of_a_library():
    found = only_machine([limits_record(2), record()])
    assert found.libraries == ["weft"]
    assert found.limits["openmpi", 2].fft_flops == 2 * synthetic.FFT_RATE


def test_reference_is_weft_or_the_library_with_most_results():
    found = only_machine([record("a"), record("b"), record("b", **cube(32))])
    assert analysis.reference_library(found, analysis.contests_of(found)) == "b"
    found = only_machine([record("weft"), record("b"), record("b", **cube(32))])
    assert analysis.reference_library(found, analysis.contests_of(found)) == "weft"


@pytest.mark.parametrize(("kind", "half"), [("c2c", 1.0), ("r2c", 0.5)])
def test_operations_are_counted_as_the_records_count_them(kind, half):
    case = Case.of(record(kind=kind, batch=3))
    assert case.operations == pytest.approx(half * 3 * 5 * 64**3 * 18)

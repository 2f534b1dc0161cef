"""Where the time goes: what pages draw is what the steps of a record say, for every exchange."""

import pytest
from drawn import (
    bench_case,
    demo_lengths,
    demo_page,
    exchanges,
    harness_lengths,
    harness_page,
    steps_of,
)
from synthetic import record
from weft_bench import analysis, communication, report
from weft_bench.cells import split_by_machine

NOT_HERE = ("nccl", "mpi", "peer_packed")  # need a GPU, its MPI library, or a codec


def agree(drawn, told):
    """Within 2% of the whole."""
    whole = sum(told)
    assert sum(drawn) > 0 < told[1]
    assert drawn[1] / sum(drawn) == pytest.approx(told[1] / whole, abs=0.02)


def check_pages(folder, case):
    told = steps_of(case["stages"])
    agree(demo_lengths(demo_page(folder, case)), told)
    page = harness_page(folder, case["stages"], settings={"exchange": "auto"})
    agree(harness_lengths(page), told)


def test_exchanges_are_drawn_as_weft_bench_measured_them(tmp_path):
    _, on_hosts = exchanges()
    for name in ["auto", *on_hosts]:
        case = bench_case(tmp_path, "--exchange", name)
        moving = [stage for stage in case["stages"] if stage["moves_data"]]
        assert len(moving) == 2 and all(stage["bytes"] > 0 for stage in moving), name
        assert not any("transform" in stage["name"] for stage in moving), name
        check_pages(tmp_path, case)


@pytest.mark.parametrize("name", ["peer", "staged"])
def test_exchanges_of_devices_are_drawn_too(tmp_path, name):
    check_pages(tmp_path, bench_case(tmp_path, "--device", "emulated", "--exchange", name))


def test_exchanges_that_cannot_run_here_are_told_by_their_field(tmp_path):
    names, _ = exchanges()
    assert set(NOT_HERE) <= set(names)
    case = bench_case(tmp_path)
    for name in names:
        stages = [{**stage, "name": name if stage["moves_data"] else stage["name"],
                   "seconds": 7e-4 if stage["moves_data"] else 1e-4} for stage in case["stages"]]
        check_pages(tmp_path, case | {"exchange": name, "stages": stages})


def test_names_of_steps_mean_nothing():
    stages = [{"direction": "forward", "name": "alltoallv send", "seconds": 1.0, "bytes": 8,
               "moves_data": False},
              {"direction": "forward", "name": "pass", "seconds": 2.0, "bytes": 4,
               "moves_data": True}]
    (machine,) = split_by_machine([record(stages=stages, settings={"exchange": "alltoallv send"})])
    steps = communication.grouped_steps(machine.cells[0])
    assert (steps.transform, steps.exchange, steps.exchanged, steps.exchanges) == (1, 2, 4, 1)


def test_records_that_do_not_say_are_left_out_and_told(tmp_path):
    stages = [{"direction": "forward", "name": "alltoallv", "seconds": 1.0, "bytes": 8},
              {"direction": "forward", "name": "transform", "seconds": 2.0, "bytes": 4}]
    old = {"stages": stages, "mpi_seconds": None}
    records = [record(**old), record(shape=[32] * 3, **old)]
    (machine,) = split_by_machine(records)
    contests = analysis.contests_of(machine)
    assert communication.breakdowns(contests) == []
    assert communication.untold(contests) == {"weft": 2}
    for path in report.write(records, tmp_path / "old")[:2]:
        text = path.read_text("utf-8")
        assert "The breakdown of the time of weft is missing in 2 cases" in text
        assert "### Where the time goes" not in text and 'id="m1-breakdown"' not in text


def test_the_page_says_what_the_share_of_a_fused_exchange_is(tmp_path):
    case = bench_case(tmp_path)
    assert case["exchange"].startswith("node_shared")
    page = demo_page(tmp_path, case).read_text("utf-8")
    assert "stores straight into the memory of the other ranks" in page
    case_by_messages = case | {"exchange": "alltoallv"}
    page = demo_page(tmp_path, case_by_messages).read_text("utf-8")
    assert "stores straight" not in page
    page = harness_page(tmp_path, case["stages"]).read_text("utf-8")
    assert "the hatched part is the wait until all neighbors have written" in page


def test_noisy_rows_of_the_demo_are_marked(tmp_path):
    case = bench_case(tmp_path)
    for longest, mark in ((1.4, ""), (1.6, " †")):
        spread = {"min": 1.0, "median": 1.2, "max": longest}
        page = demo_page(tmp_path, case | {"forward_seconds": spread, "backward_seconds": spread})
        text = page.read_text("utf-8")
        assert f"<td>24 × 20 × 16 c2c{mark}</td>" in text
        assert ("† noisy: the longest repetition" in text) == bool(mark)

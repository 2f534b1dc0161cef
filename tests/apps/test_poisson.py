"""The solver `poisson` against solutions that are known."""

import json
import re
from pathlib import Path

import pytest

from conftest import Program

ENDS = ["p", "dd", "dn", "nd", "nn"]
ROUNDING = 1e-13


@pytest.fixture
def poisson(tmp_path):
    return Program(tmp_path, "poisson")


def solve(poisson, *arguments, ranks=2, timeout=300):
    """The records of one run, which must succeed."""
    poisson.succeed(*arguments, "--json", "records.json", ranks=ranks, timeout=timeout)
    path = Path(poisson.folder / "records.json")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    path.unlink()
    return records


@pytest.mark.sampled
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
@pytest.mark.parametrize("points", ["node", "cell"])
@pytest.mark.parametrize("shape", [(33,), (30, 32), (30, 31, 33)])
def test_all_boundaries(poisson, shape, points, ranks):
    records = solve(poisson, *shape, "--boundary", "any", "--points", points, ranks=ranks)
    assert len({record["boundary"] for record in records}) == len(ENDS) ** len(shape)
    assert max(record["error_l2"] for record in records) <= ROUNDING
    assert max(record["error_max"] for record in records) <= ROUNDING
    assert all(record["ranks"] == ranks for record in records)


@pytest.mark.parametrize("arguments", [
    ("--helmholtz", 1), ("--lengths", "1,2.5,0.5"), ("--points", "node,cell,node"),
    ("--input", "pencil:0", "--output", "pencil:2"), ("--input", "brick", "--output", "slab:0"),
    ("--exchange", "p2p"), ("--exchange", "alltoallw"), ("--threads", 2)])
def test_settings(poisson, arguments):
    for boundary in ("p,dn,nn", "dd,p,p", "nd,nn,dd"):
        [record] = solve(poisson, 40, 32, 36, "--boundary", boundary, *arguments, ranks=3)
        assert record["error_l2"] <= ROUNDING


def test_single_precision(poisson):
    [record] = solve(poisson, 32, 20, 20, "--boundary", "p,dn,nn", "--precision", "f32")
    assert 1e-9 < record["error_l2"] <= 1e-6


@pytest.mark.parametrize("points", ["node", "cell"])
def test_differences_are_of_second_order(poisson, points):
    records = solve(poisson, 1, 1, "--boundary", "any", "--points", points, "--stencil", 2,
                    "--convergence", "32,64", "--order", 1.9)
    orders = [record["order"] for record in records if "order" in record]
    assert len(orders) == len(ENDS) ** 2
    assert all(1.9 <= order <= 2.1 for order in orders)


@pytest.mark.parametrize("points", ["node", "cell"])
def test_singular_kernel_is_of_second_order(poisson, points):
    records = solve(poisson, 1, 1, 1, "--boundary", "u", "--points", points,
                    "--convergence", "16,32,64", ranks=3)
    assert 1.9 <= records[-1]["order"] <= 2.1
    assert records[-1]["error_l2"] < 2e-3


@pytest.mark.parametrize("boundary", ["u,u,p", "p,u,u", "u,p,dn", "nn,u,nn", "dd,nn,u"])
def test_bounded_and_unbounded_axes(poisson, boundary):
    records = solve(poisson, 1, 1, 1, "--boundary", boundary, "--convergence", "32,64", ranks=3)
    assert 1.9 <= records[-1]["order"] <= 2.1


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_unbounded_helmholtz(poisson, axes):
    records = solve(poisson, *[1] * axes, "--boundary", "u", "--helmholtz", 10,
                    "--convergence", "32,64")
    assert 1.9 <= records[-1]["order"] <= 2.1


@pytest.mark.parametrize("kernel, order", [("chat2", 2), ("hej4", 4), ("hej6", 6)])
@pytest.mark.parametrize("axes", [1, 2])
def test_orders_of_kernels(poisson, axes, kernel, order):
    records = solve(poisson, *[1] * axes, "--boundary", "u", "--kernel", kernel,
                    "--convergence", "128,256")
    assert abs(records[-1]["order"] - order) < 0.1


def test_orders_of_regular_kernels_in_three_dimensions(poisson):
    """They come up to their orders from below, on larger grids than a test should take."""
    for kernel, order, error in (("hej4", 3.4, 7e-3), ("hej6", 5.1, 5e-4)):
        records = solve(poisson, 1, 1, 1, "--boundary", "u", "--kernel", kernel,
                        "--convergence", "32,64")
        assert records[-1]["order"] > order
        assert records[-1]["error_l2"] < error


def test_spectral_kernel(poisson):
    coarse, fine = solve(poisson, 1, 1, 1, "--boundary", "u", "--kernel", "hej0",
                         "--lengths", "1,1.2,0.8", "--points", "cell", "--convergence", "24,48",
                         ranks=5)
    assert fine["order"] > 8
    assert fine["error_l2"] < 1e-7


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("boundary", ["p", "dd,dn,nn"])
def test_tolerance_is_kept(poisson, tolerance, boundary):
    arguments = [32, 32, 32, "--boundary", boundary, "--helmholtz", 1]
    [plain] = solve(poisson, *arguments, ranks=3)
    [packed] = solve(poisson, *arguments, "--tolerance", tolerance, "--repeat", 2, ranks=3)
    assert 0 < packed["compression_error"] <= tolerance
    assert packed["error_l2"] <= min(2 * tolerance, packed["bound"])
    assert packed["bytes"] < 0.7 * plain["bytes"]


@pytest.mark.parametrize("points", ["node", "cell"])
@pytest.mark.parametrize("boundary, order", [
    ("p", 3.5), ("nn", 3.5), ("dd", 4.5), ("dn", 4.5), ("nd", 4.5), ("p,dn,nn", 3.5)])
def test_solutions_of_finite_smoothness(poisson, boundary, order, points):
    shape = [1] * (boundary.count(",") + 1)
    coarse, fine = solve(poisson, *shape, "--boundary", boundary, "--points", points,
                         "--smoothness", 4.5, "--convergence", "48,96", ranks=3)
    assert fine["order"] == pytest.approx(order, abs=0.1)
    assert coarse["error_l2"] > 1e-8 and "bound" not in coarse


@pytest.mark.sampled
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("problem, enough", [
    ("--boundary p,dn,nn --smoothness 5.5", 16),
    ("--boundary p --smoothness 5.5", 16),
    ("--boundary p --smoothness 5.5 --helmholtz 0.01", 45),  # errors of one mode grow by far
    ("--boundary dd,nd,dd --smoothness 5.5 --output pencil:2", 16),
    ("--boundary p,dn,nn --stencil 2", 16),
    ("--boundary p,dd,nd --smoothness 4.5 --points cell,node,cell --lengths 1,2.5,0.5", 24),
    ("--boundary u", 16),
    ("--boundary p,u,nn --points cell", 24),
    ("--boundary u --kernel hej4", 64),
])
def test_tolerance_from_the_error_of_the_grid(poisson, problem, enough, ranks):
    """The sizes have every remainder of 4 and of 3, and several are prime."""
    arguments = [1, 1, 1, *problem.split(), "--convergence", "16,17,19,24,31,45,64,96", "--repeat",
                 2, "--exchange", "p2p"]
    plain = solve(poisson, *arguments, ranks=ranks)
    chosen = solve(poisson, *arguments, "--tolerance", "auto", ranks=ranks)
    assert len(plain) == len(chosen) == 8
    for exact, packed in zip(plain, chosen):
        assert packed["error_l2"] <= 2 * exact["error_l2"]
        if packed["shape"][0] >= enough:
            assert 0.4 <= packed["estimate"] / exact["error_l2"] <= 2.5
            assert packed["error_l2"] <= packed["bound"]
            assert packed["bytes"] <= 0.7 * exact["bytes"]
        else:
            assert ("tolerance" in packed) != ("no_compression" in packed)


@pytest.mark.parametrize("boundary, points, order, rounded, given, intervals", [
    ("p", "node", 4.5, 24, 25, 25 / 24), ("dd", "node", 5.5, 23, 24, 25 / 24),
    ("nn", "node", 4.5, 25, 26, 25 / 24), ("nd", "cell", 5.5, 24, 26, 26 / 24)])
def test_estimates_of_sizes_without_a_coarser_grid(poisson, boundary, points, order, rounded, given,
                                                   intervals):
    """They are made on the next smaller grid that has one."""
    exact, scaled = solve(poisson, 1, 1, "--boundary", boundary, "--points", points, "--smoothness",
                          5.5, "--convergence", f"{rounded},{given}", "--tolerance", "auto")
    assert scaled["estimate"] == pytest.approx(exact["estimate"] / intervals**order, rel=1e-9)


def test_compression_adds_less_than_the_estimate_but_not_too_little(poisson):
    """As the same tolerance shows where the grid has next to no error."""
    arguments = [64, 64, 64, "--boundary", "p,dn,nn", "--smoothness", 5.5, "--repeat", 2]
    [chosen] = solve(poisson, *arguments, "--tolerance", "auto", ranks=3)
    smooth = [64, 64, 64, "--boundary", "p,dn,nn", "--tolerance", chosen["tolerance"]]
    [compression] = solve(poisson, *smooth, ranks=3)
    assert 0.005 < compression["error_l2"] / chosen["estimate"] <= 1


@pytest.mark.parametrize("arguments, reason", [
    ([32, 32, 32], "falls faster than any power"),
    ([32, 32, 32, "--boundary", "u", "--kernel", "hej0"], "falls faster than any power"),
    ([64, 64, 12, "--stencil", 2], "too few points"),
    ([20, 20, "--points", "cell", "--stencil", 2], "too few points"),
    ([32, 32, 32, "--boundary", "u", "--kernel", "hej6"], "does not resolve the solution"),
    ([512, 512, "--boundary", "dd", "--smoothness", 8.5], "is at rounding level"),
    ([64, 64, 64, "--smoothness", 5.5, "--precision", "f32"], "is at rounding level"),
])
def test_where_no_tolerance_is_chosen(poisson, arguments, reason):
    [plain] = solve(poisson, *arguments, ranks=2)
    [chosen] = solve(poisson, *arguments, "--tolerance", "auto", ranks=2)
    assert reason in chosen["no_compression"] and "tolerance" not in chosen
    assert chosen["error_l2"] == plain["error_l2"] and chosen["bytes"] == plain["bytes"]
    assert f"no compression: {chosen['no_compression']}" in poisson.succeed(
        *arguments, "--tolerance", "auto", ranks=2)


def test_estimate_and_tolerance_are_printed(poisson):
    text = poisson.succeed(64, 64, "--stencil", 2, "--tolerance", "auto", ranks=2)
    assert "tolerance auto" in text.splitlines()[0]
    for name in ("bound", "estimate", "tolerance", "of transforms"):
        assert re.search(rf"  {name} \d\.\de-0\d", text), text


@pytest.mark.parametrize("boundary", ["p", "nn", "nn,p"])
@pytest.mark.parametrize("points", ["node", "cell"])
def test_mean_is_removed(poisson, boundary, points):
    arguments = [32, 30, "--boundary", boundary, "--points", points]
    [record] = solve(poisson, *arguments, "--offset", 2.5, ranks=3)
    assert record["removed_mean"] == pytest.approx(2.5, rel=1e-12)
    assert record["error_l2"] <= ROUNDING
    assert "removed mean of f: 2.5" in poisson.succeed(*arguments, "--offset", 2.5)
    assert "removed mean" not in poisson.succeed(*arguments)


def test_wrong_results_fail(poisson):
    poisson.fail(32, 32, "--boundary", "dd", "--offset", 1, says=["32x32 dd,dd", "above its bound"],
                 ranks=2)
    poisson.fail(32, 32, "--boundary", "dd", "--offset", 1, "--stencil", 2, "--tolerance", "auto",
                 says=["32x32 dd,dd", "above its bound"], ranks=2)
    poisson.fail(1, 1, "--boundary", "u", "--convergence", "32,64", "--order", 3,
                 says=["u,u", "order of convergence is too low"], ranks=2)


def test_records_are_appended(poisson):
    for n in (16, 24):
        poisson.succeed(n, n, "--boundary", "nn", "--json", "all.json")
    lines = (poisson.folder / "all.json").read_text().splitlines()
    assert [json.loads(line)["shape"] for line in lines] == [[16, 16], [24, 24]]


@pytest.mark.parametrize("arguments, says", [
    ([], ["N"]),
    ([8, 8, 8, 8], ["4 axes"]),
    ([8, 0], ["at least 2 points"]),
    ([-4, 8], ["must be positive"]),
    ([8, "x"], ["x"]),
    ([8, 8, "--boundary", "dq"], ["boundary 'dq'", "known"]),
    ([8, 8, "--boundary", "d"], ["boundary 'd'"]),
    ([8, 8, "--boundary", "p,p,p"], ["boundary", "3 values", "2 axes"]),
    ([8, 8, "--points", "edge"], ["points 'edge'", "node, cell"]),
    ([8, 8, "--lengths", "1,-1"], ["lengths"]),
    ([8, 8, "--helmholtz", -1], ["helmholtz"]),
    ([8, 8, "--stencil", "4"], ["stencil '4'"]),
    ([8, 8, "--kernel", "chat4"], ["kernel 'chat4'"]),
    ([8, 8, "--boundary", "u", "--kernel", "hej0"], ["hej0", "three unbounded axes"]),
    ([8, 8, "--boundary", "u,p", "--kernel", "hej4"], ["only kernel chat2"]),
    ([8, 8, "--boundary", "u", "--kernel", "hej4", "--helmholtz", 1], ["only kernel chat2"]),
    ([8, 8, "--convergence", "16,8"], ["sizes must grow"]),
    ([8, 8, "--order", "2"], ["--convergence"]),
    ([8, 8, "--tolerance", "-1"], ["tolerance"]),
    ([8, 8, "--tolerance", "2"], ["tolerance 2", "less than 1"]),
    ([8, 8, "--tolerance", "automatic"], ["tolerance", "automatic"]),
    ([8, 8, "--smoothness", "3"], ["smoothness", "more than 3"]),
    ([8, 8, "--smoothness", "5"], ["smoothness", "no integer"]),
    ([8, 8, "--smoothness", "nan"], ["smoothness"]),
    ([8, 8, "--smoothness", "5.5", "--boundary", "u"], ["smoothness", "not unbounded"]),
    ([8, 8, "--threads", 1000000], ["threads 1000000", "4096"]),
    ([8, 8, "--precision", "f16"], ["precision 'f16'"]),
    ([8, 8, "--input", "disc:0"], ["disc"]),
    ([8, 8, "--input", "grid:3x3"], ["grid 3x3"]),
    ([8, 8, "--exchange", "pigeon"], ["pigeon"]),
    ([8, 8, "--json", "missing/x.json"], ["'missing/x.json' cannot be written: No such file"]),
    ([8, 8, "--json", "/dev/full"], ["'/dev/full' cannot be written: No space left on device"]),
    ([8, 8, "--stencil", "\x1b[31m"], ["stencil '\\x1b[31m'"]),
    ([8, "\x1b[31m"], ["\\x1b[31m"]),
    ([8, 8, "--stencil", "x" * 60000], ["xxx...xxx"]),
    ([8, 8, "--frobnicate"], ["--frobnicate"]),
])
def test_bad_arguments(poisson, arguments, says):
    poisson.fail(*arguments, says=says, ranks=2)


def test_help(poisson):
    assert "--boundary" in poisson.succeed("--help")

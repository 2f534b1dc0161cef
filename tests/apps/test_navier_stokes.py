"""`navier_stokes`: known flows, ways to the same numbers, continued runs, files, bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from flows import ENERGY, METHODS, PATIENCE, TAYLOR_GREEN, Solver

REFERENCE = [(0.2, 0.124906154899, 0.000470355319999, 0.376282940234),
             (0.5, 0.124763794961, 0.00048024611, 0.384195461625),
             (0.8, 0.124617044019, 0.000499799295, 0.399837820367)]
ROOT = Path(__file__).resolve().parents[2]
# A real device takes the place of the emulated one: WEFT_TEST_DEVICE=cuda.
DEVICE = os.environ.get("WEFT_TEST_DEVICE", "emulated")


@pytest.fixture
def solver(tmp_path):
    return Solver(tmp_path, "navier_stokes")


def divergence(velocity):
    """Largest |k u|, relative to the largest |u|."""
    lengths = velocity.shape[1:]
    k = [np.fft.fftfreq(n, 1 / n) for n in lengths[:2]] + [np.arange(lengths[2])]
    x, y, z = np.meshgrid(*k, indexing="ij")
    product = x * velocity[0] + y * velocity[1] + z * velocity[2]
    return np.abs(product).max() / np.abs(velocity).max()


@pytest.mark.sampled
@pytest.mark.parametrize("form, batch", METHODS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("mesh", [[16], [32, 16, 24]])
def test_taylor_green(solver, mesh, ranks, form, batch):
    run = solver.flow(*mesh, *TAYLOR_GREEN, "--form", form, "--batch", batch, ranks=ranks)
    assert run["energy"] == pytest.approx(ENERGY, rel=0, abs=1e-11)
    assert (run["step"], run["time"]) == (10, pytest.approx(0.1, abs=1e-12))


@pytest.mark.sampled
@pytest.mark.parametrize("form, batch", METHODS)
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_taylor_green_on_a_device(solver, ranks, form, batch):
    run = solver.flow(16, *TAYLOR_GREEN, "--form", form, "--batch", batch, "--device", DEVICE,
                      ranks=ranks)
    assert run["energy"] == pytest.approx(ENERGY, rel=0, abs=1e-11)
    assert run["device"] == DEVICE


def test_taylor_green_64(solver):
    run = solver.flow(64, *TAYLOR_GREEN)
    assert run["energy"] == pytest.approx(ENERGY, rel=0, abs=1e-11)
    assert run["modes"] == [43, 43, 43]


def test_dissipation_of_taylor_green(solver):
    """Moments of the 512^3 reference of the high-order CFD workshop (case C3.5, Re = 1600, file
    spectral_Re1600_512.gdiag): time, kinetic energy, -dE/dt, enstrophy."""
    solver.flow(32, "--re", 1600, "--dt", 0.02, "--end", 1, "--history", "history.txt")
    history = np.loadtxt(solver.folder / "history.txt")
    assert history.shape == (51, 4)
    for time, energy, loss, enstrophy in REFERENCE:
        row = history[np.isclose(history[:, 0], time)][0]
        assert row[1] == pytest.approx(energy, rel=1e-7)
        assert row[2] == pytest.approx(loss, rel=1e-3)
        assert row[3] == pytest.approx(2 / 1600 * enstrophy, rel=1e-4)


def test_picture_of_the_dissipation(tmp_path):
    history = ROOT / "bench/results/2026-11-22-taylor-green-256.txt"
    subprocess.run([sys.executable, ROOT / "apps/navier_stokes/plot_dissipation.py",
                    f"256^3={history}", tmp_path / "picture.svg", "--reference", history],
                   check=True)
    picture = (tmp_path / "picture.svg").read_text()
    for text in "256^3: -dE/dt", "256^3: 2 nu Z", "reference", "dissipation":
        assert f">{text}</text>" in picture


def test_picture_of_deviations(tmp_path):
    for name, factor in ("plain", 1.0), ("tight", 1 + 1e-6):
        rows = [[t, factor * (2 - t), 1, 3 - t] for t in (0.0, 0.5, 1.0)]
        table = "".join(f"{' '.join(map(repr, row))}\n" for row in rows)
        (tmp_path / f"{name}.txt").write_text(table)
        lines = [json.dumps({"energies": [9.0, 9.0]}), json.dumps({"energies": [0, 2, 3 * factor]})]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    run = subprocess.run([sys.executable, ROOT / "apps/navier_stokes/plot_deviation.py", "plain",
                          "a=tight", "picture.svg"],
                         cwd=tmp_path, check=True, capture_output=True, text=True)
    assert run.stdout == "a: energy 1e-06, enstrophy 0, shells 1e-06, median 5e-07\n"
    assert run.stderr == ""
    picture = (tmp_path / "picture.svg").read_text()
    for text in "a", "time", "relative deviation", "energy (thick) and enstrophy (thin)":
        assert f">{text}</text>" in picture


@pytest.mark.parametrize("arguments", [
    ["--fields-in-flight", 2],
    ["--batch", 3],
    ["--fields-in-flight", 3, "--exchange", "p2p"],
    ["--input", "pencil:2", "--output", "pencil:0"],
    ["--input", "brick", "--output", "grid:1x2x2,order=210"],
    ["--exchange", "alltoallw", "--local", "fftw"],
    ["--threads", 3],
    ["--device", DEVICE],
    ["--device", DEVICE, "--batch", 3, "--input", "pencil:2", "--output", "pencil:0"],
])
def test_ways_to_the_same_numbers(solver, arguments):
    flow = [16, 12, 18, "--initial", "random", "--peak", 3, "--nu", 0.02, "--dt", 0.02, "--steps",
            5, "--force-shells", 1]
    solver.flow(*flow, "--save", "usual", ranks=1)
    threads = 1
    if arguments[0] == "--threads":
        arguments, threads = [], arguments[1]
    solver.flow(*flow, "--save", "other", *arguments, ranks=4, threads=threads)
    usual, other = solver.velocity("usual-000005.npy"), solver.velocity("other-000005.npy")
    assert divergence(usual) < 1e-13
    assert np.abs(other - usual).max() < 1e-13 * np.abs(usual).max()


def test_more_ranks_than_modes(solver):
    run = solver.flow(4, *TAYLOR_GREEN, "--steps", 2, "--save", "few", ranks=7)
    assert run["modes"] == [3, 3, 3]
    assert solver.velocity("few-000002.npy").shape == (3, 3, 3, 2)


def test_rules_of_dealiasing_agree_where_the_flow_is_resolved(solver):
    flow = ["--initial", "random", "--peak", 1, "--nu", 0.1, "--dt", 0.01, "--steps", 10]
    two_thirds = solver.flow(23, *flow, "--save", "two_thirds")
    three_halves = solver.flow(16, *flow, "--dealias", "3/2", "--save", "three_halves")
    assert two_thirds["points"] == [23] * 3 and three_halves["points"] == [24] * 3
    assert two_thirds["modes"] == [17] * 3 and three_halves["modes"] == [15] * 3
    assert two_thirds["energy"] == pytest.approx(three_halves["energy"], rel=1e-7)
    aliased = solver.flow(16, *flow, "--dealias", "none")
    assert aliased["points"] == [16] * 3 and aliased["modes"] == [15] * 3
    assert aliased["energy"] == pytest.approx(three_halves["energy"], rel=1e-4)


@pytest.mark.parametrize("rule, form", [("2/3", "rotational"), ("3/2", "rotational"),
                                        ("none", "rotational"), ("3/2", "advective")])
def test_without_friction_energy_is_kept(solver, rule, form):
    """u x w is normal to u at every point, so that not even aliasing makes energy."""
    flow = [16, "--initial", "random", "--nu", 0, "--dt", 0.005, "--steps", 20, "--form", form]
    assert solver.flow(*flow, "--dealias", rule)["energy"] == pytest.approx(0.5, abs=1e-10)


@pytest.mark.parametrize("forcing, device", [(0, "host"), (2, "host"), (2, DEVICE)])
def test_continued_runs_repeat_every_bit(solver, forcing, device):
    flow = [16, "--nu", 0.02, "--end", 9, "--force-shells", forcing, "--device", device]
    solver.flow(*flow, "--initial", "random", "--steps", 8, "--save", "whole", "--save-every", 4,
                ranks=3)
    whole_end = solver.folder / "whole-000008.json"
    for ranks in [3, 2]:
        run = solver.flow(*flow, "--steps", 4, "--restart", "whole-000004.json", "--save", "parts",
                          ranks=ranks)
        assert run["step"] == 8
        whole, parts = solver.velocity("whole-000008.npy"), solver.velocity("parts-000008.npy")
        if ranks == 3:
            assert np.array_equal(whole, parts)
            assert run["time"] == json.loads(whole_end.read_text())["time"]
        assert np.abs(whole - parts).max() < 1e-13 * np.abs(whole).max()


def test_history_of_a_continued_run_is_appended(solver):
    flow = [16, "--nu", 0.02, "--dt", 0.02]
    solver.flow(*flow, "--steps", 6, "--history", "whole.txt")
    solver.flow(*flow, "--steps", 3, "--history", "parts.txt", "--save", "half")
    solver.flow(*flow, "--steps", 3, "--history", "parts.txt", "--restart", "half-000003.json")
    whole = np.loadtxt(solver.folder / "whole.txt")
    parts = np.loadtxt(solver.folder / "parts.txt")
    assert np.array_equal(whole[:, [0, 1, 3]], parts[:, [0, 1, 3]])
    assert whole[:, 2] == pytest.approx(parts[:, 2], rel=1e-2)
    assert whole[:, 2] == pytest.approx(whole[:, 3], rel=2e-4)  # without forcing


def test_tolerance(solver):
    flow = [24, "--initial", "random", "--nu", 0.02, "--dt", 0.02, "--steps", 5]
    exact = solver.flow(*flow, "--save", "exact", ranks=3)
    near = solver.flow(*flow, "--save", "near", "--tolerance", "1e-6", ranks=3)
    assert near["tolerance"] == 1e-6
    assert near["energy"] == pytest.approx(exact["energy"], rel=1e-6)
    exact, near = solver.velocity("exact-000005.npy"), solver.velocity("near-000005.npy")
    assert 0 < np.linalg.norm(near - exact) < 1e-6 * np.linalg.norm(exact)


def test_single_precision(solver):
    run = solver.flow(16, *TAYLOR_GREEN, "--precision", "f32", "--save", "short")
    assert run["energy"] == pytest.approx(ENERGY, rel=1e-6)
    assert solver.velocity("short-000010.npy").dtype == np.complex64


@pytest.mark.parametrize("device", ["host", DEVICE])
def test_spectrum_adds_up_to_the_energy(solver, device):
    run, spectra = solver.spectrum(24, 16, 20, "--initial", "random", "--nu", 0.02, "--steps", 4,
                                   "--spectrum-every", 2, "--device", device, ranks=3)
    assert [line["step"] for line in spectra] == [2, 4]
    assert sum(spectra[-1]["energies"]) == pytest.approx(run["energy"], rel=1e-13)
    assert spectra[-1]["time"] == run["time"]


def test_random_field_has_the_spectrum_and_does_not_depend_on_ranks(solver):
    flow = [20, "--initial", "random", "--energy", 0.7, "--peak", 2, "--steps", 0]
    run, [line] = solver.spectrum(*flow, "--save", "one", ranks=1)
    k = np.arange(len(line["energies"]))
    model = np.where(k <= 7, k**4 * np.exp(-2 * (k / 2)**2), 0)
    assert line["energies"] == pytest.approx(0.7 * model / model.sum(), abs=1e-14)
    solver.flow(*flow, "--save", "four", ranks=4)
    one, four = solver.velocity("one-000000.npy"), solver.velocity("four-000000.npy")
    assert np.abs(one - four).max() < 1e-15
    assert divergence(one) < 1e-14
    # Coefficients of real fields: u(-k) is the conjugate of u(k).
    opposite = np.roll(one[:, ::-1, ::-1, 0], 1, axis=(1, 2))
    assert np.abs(np.conj(opposite) - one[..., 0]).max() < 1e-16
    solver.flow(*flow, "--save", "other", "--seed", 2)
    assert np.abs(solver.velocity("other-000000.npy") - one).max() > 1e-3


def test_forcing_holds_the_energy_of_the_large_scales(solver):
    flow = [24, "--initial", "random", "--peak", 2, "--nu", 0.05, "--steps", 20]
    _, spectra = solver.spectrum(*flow, "--force-shells", 2, "--spectrum-every", 10)
    for first, last in zip(spectra[0]["energies"][1:3], spectra[-1]["energies"][1:3]):
        assert last == pytest.approx(first, rel=1e-12)
    assert spectra[-1]["energies"][3] != pytest.approx(spectra[0]["energies"][3], rel=1e-3)


@pytest.mark.parametrize("arguments, says", [
    ([], ["N is required"]),
    ([8, 8], ["2 lengths"]),
    ([3], ["3x3x3", "4 to"]),
    ([-8], ["-8x-8x-8"]),
    (["16x"], ["'16x'"]),
    ([16, "--nu", -1], ["viscosity -1"]),
    ([16, "--nu", "nan"], ["viscosity nan"]),
    ([16, "--re", 0], ["Reynolds number 0"]),
    ([16, "--re", 100, "--nu", 0.01], ["--nu"]),
    ([16, "--dt", 0], ["time step 0"]),
    ([16, "--cfl", -0.5], ["CFL -0.5"]),
    ([16, "--end", "inf"], ["end inf"]),
    ([16, "--steps", -1], ["steps -1"]),
    ([16, "--every", 0], ["every 0"]),
    ([16, "--dealias", "4/3"], ["'4/3'", "3/2"]),
    ([16, "--initial", "jet"], ["'jet'", "taylor-green"]),
    ([16, "--initial", "random", "--peak", 6], ["peak 6", "1 to 5"]),
    ([16, "--initial", "random", "--energy", 0], ["energy 0"]),
    ([16, "--force-shells", 6], ["force shells 6", "0 to 5"]),
    ([16, "--form", "vector"], ["'vector'", "rotational, advective"]),
    ([16, "--batch", "few"], ["'few'"]),
    ([16, "--batch", 2, "--form", "advective"], ["batch 2: must be 1, 3"]),
    ([16, "--batch", 9], ["batch 9", "--form advective"]),
    ([16, "--fields-in-flight", 0], ["0"]),
    ([16, "--precision", "f16"], ["'f16'", "f32"]),
    ([16, "--device", "abacus"], ["'abacus'", "emulated"]),
    ([16, "--exchange", "pigeon"], ["'pigeon'", "alltoallv"]),
    ([16, "--input", "cube"], ["'cube'", "slab"]),
    ([16, "--tolerance", -1], ["tolerance", "-1"]),
    ([16, "--tolerance", 2], ["tolerance 2", "less than 1"]),
    ([16, "--threads", -1], ["-1"]),
    ([16, "--threads", 1000000], ["threads 1000000", "4096"]),
    ([16, "--spectrum-every", 2], ["--spectrum"]),
    ([16, "--save-every", 2], ["--save"]),
    ([16, "--history", "none/history.txt"], ["none/history.txt", "No such file or directory"]),
    ([16, "--history", "/dev/full"], ["cannot write '/dev/full': No space left on device"]),
    ([16, "--steps", 1, "--spectrum", "/dev/full"], ["'/dev/full': No space left on device"]),
    ([16, "--history", "\x1b[31m/h"], ["\\x1b[31m/h"]),
    ([16, "--form", "\x1b[31m"], ["\\x1b[31m"]),
    ([16, "--restart", "none.json"], ["'none.json'"]),
    ([16, "--bogus"], ["--bogus"]),
])
def test_bad_arguments(solver, arguments, says):
    solver.fail(*arguments, ranks=2, says=says, timeout=PATIENCE)


def test_too_long_steps_are_noticed(solver):
    solver.fail(16, "--initial", "random", "--energy", 1e6, "--dt", 1, "--end", 20, ranks=2,
                says=["no longer finite", "shorter time step"], timeout=PATIENCE)


def test_bad_restart_files(solver):
    flow = [16, "--nu", 0.02, "--dt", 0.02, "--steps", 1]
    solver.flow(*flow, "--save", "good")
    good = json.loads((solver.folder / "good-000001.json").read_text())

    def fails(changes, says, arguments=flow):
        text = changes if isinstance(changes, str) else json.dumps({**good, **changes})
        (solver.folder / "bad.json").write_text(text)
        solver.fail(*arguments, "--restart", "bad.json", ranks=3, says=says, timeout=PATIENCE)

    fails({}, ["3x11x11x6", "3x15x15x8"], [20, "--steps", 1])
    fails({}, ["<c16", "<c8"], [*flow, "--precision", "f32"])
    fails({"format": "other"}, ["'bad.json'", "format"])
    fails({"velocity": "none.npy"}, ["'none.npy'", "No such file"])
    fails({"step": -1}, ["'bad.json'", "negative"])
    fails({"time": "soon"}, ["'bad.json'"])
    fails("no JSON", ["'bad.json'"])
    fails("", ["'bad.json'"])
    fails('{"\\u001b[31m": nothing}', ["'bad.json'", "not a restart file"])
    fails("\x1b[31m" + "x" * 60000, ["'bad.json'", "not a restart file"])
    fails({"velocity": "\x1b[31m.npy"}, ["\\x1b[31m.npy", "No such file"])
    (solver.folder / "bad.json").write_text("[" * 60000)
    told = solver.run(*flow, "--restart", "bad.json", timeout=PATIENCE).stderr
    assert "'bad.json'" in told and len(told) < 700
    content = (solver.folder / good["velocity"]).read_bytes()
    (solver.folder / "cut.npy").write_bytes(content[:-100])
    fails({"velocity": "cut.npy"}, ["'cut.npy'", "truncated"])


def test_temporary_files_that_may_have_been_left_behind_are_told_of(solver):
    (solver.folder / ".weft-far-12-3.4-abcdef").write_bytes(b"unknown")
    flow = [16, "--nu", 0.02, "--dt", 0.02, "--steps", 2]
    told = solver.run(*flow, "--save", "run", "--save-every", 1, timeout=PATIENCE).stderr
    assert told.count("navier_stokes: warning: ") == 1
    assert "'.weft-far-12-3.4-abcdef' (7 B)" in told and "process 12 on far" in told
    assert "warning" not in solver.run(*flow, timeout=PATIENCE).stderr

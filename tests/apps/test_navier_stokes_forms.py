"""`navier_stokes`: forms of the nonlinear term beside direct sums, batches, seconds of phases."""

import numpy as np
import pytest
from flows import METHODS, PATIENCE, TAYLOR_GREEN, Solver


@pytest.fixture
def solver(tmp_path):
    return Solver(tmp_path, "navier_stokes")


class DirectSum:
    """A step of a flow with the modes -m ... m, without transforms: the nonlinear term is the sum
    -i (u_p q) u_q over all modes p + q = k."""

    def __init__(self, stored):
        """Of the coefficients with k_z >= 0, in the order of FFTs."""
        self.highest = m = stored.shape[-1] - 1
        half = np.fft.fftshift(stored, axes=(1, 2))
        opposite = np.conj(half[:, ::-1, ::-1, :0:-1])
        self.velocity = np.concatenate([opposite, half], axis=-1)
        self.k = np.stack(np.meshgrid(*[np.arange(-m, m + 1)] * 3, indexing="ij"))

    def stored(self):
        return np.fft.ifftshift(self.velocity[..., self.highest:], axes=(1, 2))

    def slope(self, u, nu):
        m, modes = self.highest, 2 * self.highest + 1
        products = np.zeros((3, *[2 * modes - 1] * 3), complex)
        for place in np.ndindex(*[modes] * 3):
            target = tuple(slice(first, first + modes) for first in place)
            along = -1j * np.tensordot(self.k[(slice(None), *place)], u, axes=1)
            at = u[(slice(None), *place)]
            products[(slice(None), *target)] += along * at[:, None, None, None]
        n = products[:, m:m + modes, m:m + modes, m:m + modes]
        k2 = (self.k**2).sum(axis=0)
        pressure = (self.k * n).sum(axis=0) / np.maximum(k2, 1)
        return n - self.k * pressure - nu * k2 * u

    def step(self, dt, nu):
        first = self.slope(self.velocity, nu)
        second = self.slope(self.velocity + dt / 2 * first, nu)
        third = self.slope(self.velocity + dt / 2 * second, nu)
        fourth = self.slope(self.velocity + dt * third, nu)
        self.velocity = self.velocity + dt / 6 * (first + 2 * second + 2 * third + fourth)


@pytest.mark.parametrize("form", ["rotational", "advective"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("mesh, rule", [(10, "2/3"), (7, "3/2")])
def test_a_step_is_that_of_direct_sums(solver, mesh, rule, ranks, form):
    flow = [mesh, "--dealias", rule, "--form", form, "--initial", "random", "--peak", 2, "--nu",
            0.01, "--dt", 0.05, "--save", "run"]
    assert solver.flow(*flow, "--steps", 0, ranks=ranks)["modes"] == [7, 7, 7]
    solver.flow(*flow, "--steps", 1, ranks=ranks)
    begin, end = solver.velocity("run-000000.npy"), solver.velocity("run-000001.npy")
    direct = DirectSum(begin)
    assert np.array_equal(direct.stored(), begin)
    direct.step(0.05, 0.01)
    change = np.abs(end - begin).max()
    assert change > 0.01 * np.abs(begin).max()
    assert np.abs(end - direct.stored()).max() < 1e-13 * change


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_batches_repeat_every_bit(solver, ranks):
    flow = [16, "--initial", "random", "--nu", 0.02, "--dt", 0.02, "--steps", 3, "--save", "run"]
    found = {}
    for form, batch in METHODS:
        run = solver.flow(*flow, "--form", form, "--batch", batch, ranks=ranks)
        assert (run["form"], run["batch"]) == (form, batch)
        found[form, batch] = solver.velocity("run-000003.npy")
    for (form, _), velocity in found.items():
        assert np.array_equal(velocity, found[form, 1])


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_forms_agree_without_aliasing(solver, ranks):
    flow = [16, "--initial", "random", "--peak", 3, "--nu", 0.01, "--dt", 0.02, "--steps", 10,
            "--save", "run"]
    apart = {}
    for rule in "2/3", "3/2", "none":
        velocities = []
        for form in "rotational", "advective":
            solver.flow(*flow, "--form", form, "--dealias", rule, ranks=ranks)
            velocities.append(solver.velocity("run-000010.npy"))
        apart[rule] = np.abs(velocities[1] - velocities[0]).max() / np.abs(velocities[0]).max()
    assert apart["2/3"] < 1e-13 and apart["3/2"] < 1e-13
    assert apart["none"] > 1e-6


def test_phases_add_up_to_the_step(solver):
    # Dense transforms take many times as long as products do, however noisy the machine is.
    run = solver.flow(16, *TAYLOR_GREEN, "--form", "advective", "--local", "reference", ranks=1)
    phases, step = run["phase_seconds"], run["step_seconds"]
    assert list(phases) == ["backward", "products", "forward", "advance", "other"]
    assert sum(one["mean"] for one in phases.values()) == pytest.approx(step["mean"], rel=1e-12)
    assert 0 < step["min"] <= step["median"] <= step["max"] and step["mean"] <= step["max"]
    # 48 transforms, 12, and loops over arrays.
    median = {name: one["median"] for name, one in phases.items()}
    assert median["backward"] > median["forward"] > median["products"] > median["other"]
    assert solver.flow(16, "--steps", 0)["step_seconds"]["median"] is None
    table = solver.succeed(16, "--steps", 2, ranks=2, timeout=PATIENCE).split("seconds per step")[1]
    assert [line.split()[0] for line in table.splitlines()[1:]] == [*phases, "total"]
    shares = [float(line.split()[-1].rstrip("%")) for line in table.splitlines()[1:]]
    assert sum(shares[:-1]) == pytest.approx(100, abs=0.3) and shares[-1] == 100

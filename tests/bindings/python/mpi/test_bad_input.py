"""Numbers and arrays that are not what they are to be: errors say so, the same on all ranks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mpi4py import MPI

import weft

HUGE = 2**70
NO_INTEGERS = [2.5, 4.0, np.float64(4), "4", True, np.True_]

#: Options of plans that are integers.
OPTIONS = ["threads", "tile_bytes", "stream_bytes", "chunks", "receive_chunks",
           "fields_in_flight", "mpi_count_limit", "device_number", "stream"]
#: What takes an integer of some name, made with it.
PER_AXIS = ["shape", "input_points", "modes", "grid"]
LAYOUTS: dict[str, Callable[[Any], weft.Layout]] = {
    "axis": lambda value: weft.Layout("slab", axis=value),
    "parts[0]": lambda value: weft.Layout("grid", parts=(value, 1)),
    "lower corner[0]": lambda value: weft.Layout("own_box", own=((value, 0), (1, 1))),
    "upper corner[0]": lambda value: weft.Layout("boxes", boxes=(((0, 0), (value, 1)),)),
    "order[0]": lambda value: weft.Layout("slab", order=(value, 1)),
    "halo_lower[0]": lambda value: weft.Layout("slab", halo_lower=(value, 0)),
    "halo_upper[0]": lambda value: weft.Layout("slab", halo_upper=(value, 0)),
    "strides[0]": lambda value: weft.Layout("slab", strides=(value, 1)),
}


def makers(comm: MPI.Intracomm) -> dict[str, tuple[str, Callable[[Any], Any]]]:
    """By the place of an integer: its name in messages, and what makes an object with it."""
    result: dict[str, tuple[str, Callable[[Any], Any]]] = {}

    def plan(**options: Any) -> weft.Plan:
        return weft.Plan(**{"shape": (8, 4), "comm": comm, **options})

    for name in PER_AXIS:
        result[f"plan's {name}"] = (f"{name}[0]",
                                    lambda value, name=name: plan(**{name: (value, 4)}))
    for name, layout in LAYOUTS.items():
        result[f"layout's {name}"] = name, lambda value, of=layout: plan(input=of(value))
    halo, convolution = weft.Halo, weft.Convolution
    result |= {
        "plan's batch": ("batch", lambda value: plan(batch=value)),
        "halo's shape": ("shape[1]", lambda value: halo((8, value), comm=comm)),
        "halo's lower": ("lower[0]", lambda value: halo((8, 4), comm=comm, lower=(value, 1))),
        "halo's upper": ("upper[0]", lambda value: halo((8, 4), comm=comm, upper=(value, 1))),
        "halo's batch": ("batch", lambda value: halo((8, 4), comm=comm, batch=value)),
        "convolution's shape": ("shape[0]", lambda value: convolution((value, 4), comm=comm)),
        "convolution's second": ("second[0]", lambda value: convolution((8, 4), comm=comm,
                                                                        second=(value, 2))),
        "length": ("length", lambda value: weft.LongTransform(value, comm=comm)),
    }
    return result


def fails(comm: MPI.Intracomm, text: str, call: Callable[[], Any]) -> None:
    with pytest.raises(weft.Error) as caught:
        call()
    error = str(caught.value)
    assert len(set(comm.allgather(error))) == 1
    assert text in error, error


def is_bad_here(comm: MPI.Intracomm, culprit: str) -> bool:
    return culprit == "all" or comm.rank == comm.size - 1


@pytest.mark.parametrize("culprit", ["all", "last"])
@pytest.mark.parametrize("place", sorted(makers(MPI.COMM_WORLD)))
def test_integers(comm: MPI.Intracomm, place: str, culprit: str) -> None:
    name, make = makers(comm)[place]
    is_bad = is_bad_here(comm, culprit)
    for value in (HUGE, -HUGE):
        fails(comm, f"{name} {value}: must be between ", lambda: make(value if is_bad else 1))
    for value in NO_INTEGERS:
        fails(comm, f"{name} {value!r}: must be an integer", lambda: make(value if is_bad else 1))


@pytest.mark.parametrize("culprit", ["all", "last"])
@pytest.mark.parametrize("name", OPTIONS)
def test_integers_of_options(comm: MPI.Intracomm, name: str, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    for value, text in [(HUGE, f"{HUGE}: must be between "), (-HUGE, f"-{HUGE}: must be between "),
                        (2.5, "'2.5': must be a"), (np.float64(4), "'4.0': must be a"),
                        (True, "'yes': must be a"), (np.True_, "'yes': must be a"),
                        ("four", "'four': must be a"), ("", "'': must be a")]:
        options: dict[str, Any] = {name: value if is_bad else 2}
        fails(comm, f"{name} {text}", lambda: weft.Plan((8, 4), comm=comm, **options))
        fails(comm, f"{name} {text}", lambda: weft.Convolution((8, 4), comm=comm, **options))


def test_integers_of_numpy(comm: MPI.Intracomm) -> None:
    for kind in (np.int32, np.uint8, np.int64):
        shape = (kind(8), kind(4))
        with weft.Plan(shape, comm=comm, batch=kind(2), threads=kind(1), modes=shape,
                       input=weft.slab_split(kind(1))) as plan:
            assert (plan.info.shape, plan.info.batch) == ((8, 4), 2)
            plan.forward(plan.input.zeros())
            assert plan.report(kind(0)).error == 0
        assert weft.good_length(kind(11)) == 12


def test_one_number_is_that_of_one_axis(comm: MPI.Intracomm) -> None:
    with weft.Plan(8, comm=comm, modes=5, input_points=7) as plan:
        assert (plan.info.modes, plan.info.input_points) == ((5,), (7,))
    fails(comm, "modes 5: must be as many", lambda: weft.Plan((8, 4), comm=comm, modes=5))


@pytest.mark.parametrize("bad, text", [
    ({"kinds": 3}, "kinds 3: must be a str, or one for each axis"),
    ({"norm": 3}, "norm 3: must be a str"),
    ({"exchange": object()}, ": must be a str, a number, a bool or a sequence of integers"),
    ({"exchange": "p2p,chunks=4"}, "exchange 'p2p,chunks=4': must have no comma"),
    ({"tile_byte": 4096}, "option 'tile_byte' is unknown (did you mean 'tile_bytes'?); known: "),
    ({"tile_byte": None}, "option 'tile_byte' is unknown"),
    ({"reorder": 3}, "reorder '3': must be yes or no"),
    ({"orthogonalize": "yes"}, "orthogonalize 'yes': must be True or False"),
    ({"interleaved": 3}, "interleaved 3: must be True or False"),
    ({"tolerance": "small"}, "tolerance 'small': must be a number"),
    ({"input": weft.Layout("slob")}, "form 'slob' of a layout is unknown; known: "),
    ({"input": weft.Layout("grid", parts=3)},  # type: ignore[arg-type]
     "parts 3: must be a sequence"),
])
@pytest.mark.parametrize("culprit", ["all", "last"])
def test_other_types(comm: MPI.Intracomm, bad: dict[str, Any], text: str, culprit: str) -> None:
    arguments: dict[str, Any] = {"shape": (8, 4), "comm": comm}
    arguments |= bad if is_bad_here(comm, culprit) else {}
    fails(comm, text, lambda: weft.Plan(**arguments))


def test_periodic_is_no_number(comm: MPI.Intracomm) -> None:
    fails(comm, "periodic 3: must be a bool, or one for each axis",
          lambda: weft.Halo((8, 4), comm=comm, periodic=3))  # type: ignore[arg-type]


@pytest.mark.parametrize("culprit", ["all", "last"])
def test_integers_of_methods(comm: MPI.Intracomm, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    with weft.Plan((8, 4), comm=comm) as plan:
        x = plan.input.zeros()
        y = plan.forward(x)
        for value, text in [(HUGE, f"{HUGE}: must be between"), (2.5, "2.5: must be an integer"),
                            (None, "None: must be an integer")]:
            fails(comm, f"samples {text}",
                  lambda: plan.sampled_error(x, y, samples=value if is_bad else 4))
            fails(comm, f"seed {text}",
                  lambda: plan.sampled_error(x, y, seed=value if is_bad else 4))
        fails(comm, "seed -1: must be between 0 and",
              lambda: plan.sampled_error(x, y, seed=-1 if is_bad else 4))
        assert plan.sampled_error(x, y, samples=np.int32(3)).samples == 3


def test_integers_without_communication() -> None:
    with weft.Plan((8, 4), comm=MPI.COMM_SELF) as plan:
        waves = weft.Wavenumbers(plan, (1, 1))
        plan.forward(plan.input.zeros())
        calls: list[tuple[str, Callable[[Any], Any]]] = [
            ("axis", waves.vector), ("axis", waves.derivative), ("field", plan.report),
            ("n", weft.good_length), ("n", lambda n: weft.wavenumbers("c2c", n)),
            ("n", lambda n: weft.derivative_wavenumbers("c2c", n)),
            ("n", lambda n: weft.grid_points("c2c", n)),
            ("points", lambda n: weft.rounding_error_bound(np.float64, n))]
        for name, call in calls:
            with pytest.raises(weft.Error, match=f"^{name} {HUGE}: must be between"):
                call(HUGE)
            for value in NO_INTEGERS:
                with pytest.raises(weft.Error) as caught:
                    call(value)
                assert str(caught.value) == f"{name} {value!r}: must be an integer"
    for n in (0, -1):
        with pytest.raises(weft.Error, match=f"^n {n}: must be positive"):
            weft.wavenumbers("c2c", n)
    with pytest.raises(TypeError, match=f"indices .{HUGE}.: must be integers of 64 bits"):
        weft.wavenumbers("c2c", 8, [HUGE])


class NoExport:
    """Offers DLPack, as tensors that need gradients do, but only says what to do first."""

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("call detach() first")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def bad_arrays(good: np.ndarray) -> list[tuple[Any, str]]:
    big = good.astype(good.dtype.newbyteorder(">"))
    order = (f"is of dtype {big.dtype}, not in this machine's byte order: convert it with "
             "a.astype(a.dtype.newbyteorder('='))")
    read_only = np.frombuffer(big.tobytes(), big.dtype).reshape(big.shape)
    return [(big, order), (read_only, order),
            (good.astype(object), "is of dtype object, "),
            (good.astype("U9"), "is of dtype <U9, "),
            (good.astype(np.clongdouble), f"is of dtype {np.dtype(np.clongdouble)}, "),
            (np.zeros(good.shape, [("a", "f8")]), "is of dtype [('a', '<f8')], "),
            (good.tolist(), "is no array that can be used: 'list'; numpy.asarray makes one of it"),
            (tuple(good.tolist()), "is no array that can be used: 'tuple'; numpy.asarray makes"),
            (NoExport(), "cannot be used: call detach() first"),
            (weft.DistArray.zeros((8, 4), good.dtype, comm=MPI.COMM_SELF),
             "is no array that can be used: 'DistArray'; what this rank has of it is its local")]


@pytest.mark.parametrize("culprit", ["all", "last"])
def test_arrays(comm: MPI.Intracomm, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    shape, dtype = (8, 6), np.complex128
    with weft.Plan(shape, dtype, comm) as plan, weft.Halo(shape, dtype, comm) as halo, \
            weft.Convolution(shape, dtype, comm) as convolution:
        calculus = weft.Calculus(plan, (1, 1))
        x = plan.input.zeros()
        for bad, text in bad_arrays(x):
            given = bad if is_bad else x
            for name, call in [
                    ("input array", lambda: plan.forward(given)),
                    ("output array", lambda: plan.forward(x, given)),
                    ("input array", lambda: plan.backward(given)),
                    ("field 1: input array", lambda: plan.forward_many([x, given])),
                    ("input array", lambda: (plan.start_forward(given), plan.wait())),
                    ("input array", lambda: plan.sampled_error(given, x)),
                    ("halo array", lambda: halo.exchange(given)),
                    ("halo array", lambda: (halo.start_accumulate(given), halo.wait())),
                    ("first array", lambda: convolution.convolve(given, x)),
                    ("second array", lambda: convolution.correlate(x, given)),
                    ("result array", lambda: convolution.convolve(x, x, given)),
                    ("input array", lambda: calculus.laplacian(given)),
                    ("input array", lambda: calculus.gradient(given)),
                    ("input 1 array", lambda: calculus.divergence([x, given]))]:
                fails(comm, f"{name} {text}", call)
    with weft.LongTransform(36, dtype, comm) as long:
        x = np.zeros(long.size, dtype)
        for bad, text in bad_arrays(x):
            fails(comm, f"input array {text}", lambda: long.forward(bad if is_bad else x))


@pytest.mark.parametrize("culprit", ["all", "last"])
def test_lists_of_arrays_that_are_none(comm: MPI.Intracomm, culprit: str) -> None:
    """Whatever the iteration raises on a rank, the others do not wait for it."""
    is_bad = is_bad_here(comm, culprit)
    with weft.Plan((8, 6), comm=comm) as plan:
        x = plan.input.zeros()
        view = memoryview(np.zeros((2, 2)))  # whose iteration is not implemented
        fails(comm, "no array that can be used",
              lambda: plan.forward_many(view if is_bad else [x]))  # type: ignore[arg-type]
        calculus = weft.Calculus(plan, (1, 1))
        fails(comm, "0 input arrays, 2 are needed",
              lambda: calculus.divergence(view if is_bad else [x, x]))  # type: ignore[arg-type]

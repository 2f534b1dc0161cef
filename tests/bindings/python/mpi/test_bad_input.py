"""Arguments, numbers and arrays that are not what they are to be: errors say so, the same on all
ranks, whether all make the mistake or the last one only."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers import NoExport, OnDevice, fails, is_bad_here
from mpi4py import MPI

import weft
from weft import _core

pytestmark = pytest.mark.parametrize("culprit", ["all", "last"])
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


def plan(comm: MPI.Intracomm, **options: Any) -> weft.Plan:
    return weft.Plan(**{"shape": (8, 4), "comm": comm, **options})


#: By the place of an integer: its name in messages, and what makes an object with it.
MAKERS: dict[str, tuple[str, Callable[[MPI.Intracomm, Any], Any]]] = {
    **{f"plan's {name}": (f"{name}[0]", lambda comm, value, name=name: plan(
        comm, **{name: (value, 4)})) for name in PER_AXIS},
    **{f"layout's {name}": (name, lambda comm, value, of=layout: plan(comm, input=of(value)))
       for name, layout in LAYOUTS.items()},
    "plan's batch": ("batch", lambda comm, value: plan(comm, batch=value)),
    "halo's shape": ("shape[1]", lambda comm, value: weft.Halo((8, value), comm=comm)),
    "halo's lower": ("lower[0]", lambda comm, value: weft.Halo((8, 4), comm=comm,
                                                               lower=(value, 1))),
    "halo's upper": ("upper[0]", lambda comm, value: weft.Halo((8, 4), comm=comm,
                                                               upper=(value, 1))),
    "halo's batch": ("batch", lambda comm, value: weft.Halo((8, 4), comm=comm, batch=value)),
    "convolution's shape": ("shape[0]", lambda comm, value: weft.Convolution((value, 4),
                                                                             comm=comm)),
    "convolution's second": ("second[0]", lambda comm, value: weft.Convolution(
        (8, 4), comm=comm, second=(value, 2))),
    "length": ("length", lambda comm, value: weft.LongTransform(value, comm=comm)),
}


@pytest.mark.parametrize("place", sorted(MAKERS))
def test_integers(comm: MPI.Intracomm, place: str, culprit: str) -> None:
    name, make = MAKERS[place]
    is_bad = is_bad_here(comm, culprit)
    for value in (HUGE, -HUGE):
        fails(comm, f"{name} {value}: must be between ", lambda: make(comm, value if is_bad else 1))
    for value in NO_INTEGERS:
        fails(comm, f"{name} {value!r}: must be an integer",
              lambda: make(comm, value if is_bad else 1))


@pytest.mark.parametrize("name", OPTIONS)
def test_integers_of_options(comm: MPI.Intracomm, name: str, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    for value, text in [(HUGE, f"{HUGE}: must be between "), (-HUGE, f"-{HUGE}: must be between "),
                        (2.5, "'2.5': must be a"), (np.float64(4), "'4.0': must be a"),
                        (True, "'yes': must be a"), ("four", "'four': must be a"),
                        ("", "'': must be a")]:
        options: dict[str, Any] = {name: value if is_bad else 2}
        fails(comm, f"{name} {text}", lambda: weft.Plan((8, 4), comm=comm, **options))
        fails(comm, f"{name} {text}", lambda: weft.Convolution((8, 4), comm=comm, **options))


def test_integers_that_are_good(comm: MPI.Intracomm, culprit: str) -> None:
    """Those of NumPy; and one number stands for one axis."""
    for kind in (np.int32, np.uint8, np.int64):
        shape = (kind(8), kind(4))
        with weft.Plan(shape, comm=comm, batch=kind(2), threads=kind(1), modes=shape,
                       input=weft.slab_split(kind(1))) as good:
            assert (good.info.shape, good.info.batch) == ((8, 4), 2)
            good.forward(good.input.zeros())
            assert good.report(kind(0)).error == 0
        assert weft.good_length(kind(11)) == 12
    with weft.Plan(8, comm=comm, modes=5, input_points=7) as good:
        assert (good.info.modes, good.info.input_points) == ((5,), (7,))
    fails(comm, "modes 5: must be as many", lambda: weft.Plan((8, 4), comm=comm, modes=5))


BAD_ARGUMENTS = [
    ({"shape": ()}, "0 axes"),
    ({"shape": (4,) * 7}, "axes"),
    ({"shape": "abc"}, "shape[0] 'a': must be an integer"),
    ({"dtype": np.int32}, "dtype int32 is not supported"),
    ({"dtype": ">c16"}, "dtype >c16 is not supported"),
    ({"kinds": "dct5"}, "dct5"),
    ({"kinds": ("c2c",)}, "1 kinds are given, but the shape has 2 axes"),
    ({"kinds": 3}, "kinds 3: must be a str, or one for each axis"),
    ({"kinds": "r2c"}, "r2c"),
    ({"norm": "orto"}, "orto"),
    ({"norm": 3}, "norm 3: must be a str"),
    ({"input": "slab:7"}, "7"),
    ({"input": None}, "input layout must be given"),
    ({"output": 3}, "output layout must be a str or a weft.Layout, not 3"),
    ({"output": "slap:1"}, "slap:1"),
    ({"input": weft.grid((64, 1))}, "64"),
    ({"input": weft.boxes([((0, 0), (4, 4))] * 9)}, "9"),
    ({"input": weft.Layout("slob")}, "form 'slob' of a layout is unknown; known: "),
    ({"input": weft.Layout("grid", parts=3)}, "parts 3: must be a sequence"),  # type: ignore
    ({"batch": 0}, "batch"),
    ({"exchange": "pigeons"}, "pigeons"),
    ({"exchange": object()}, ": must be a str, a number, a bool or a sequence of integers"),
    ({"exchange": "p2p,chunks=4"}, "exchange 'p2p,chunks=4': must have no comma"),
    ({"threads": -1}, "threads -1"),
    ({"tolerance": -1.0}, "tolerance -1"),
    ({"tolerance": float("nan")}, "nan"),
    ({"tolerance": "small"}, "tolerance 'small': must be a number"),
    ({"grid": (2, 3, 4, 5, 6, 7, 8, 9)}, "grid '2x3x4x5x6x7x8x9': must be numbers"),
    ({"reorder": 3}, "reorder '3': must be yes or no"),
    ({"orthogonalize": "yes"}, "orthogonalize 'yes': must be True or False"),
    ({"interleaved": 3}, "interleaved 3: must be True or False"),
    ({"kind": "r2c"}, "Plan: argument 'kind' is unknown (did you mean 'kinds'?); known: shape, "),
    ({"tile_byte": None}, "Plan: argument 'tile_byte' is unknown (did you mean 'tile_bytes'?)"),
    ({"wings": 2}, "Plan: argument 'wings' is unknown; known: "),
]


@pytest.mark.parametrize("bad, text", BAD_ARGUMENTS)
def test_arguments(comm: MPI.Intracomm, bad: dict[str, Any], text: str, culprit: str) -> None:
    given = bad if is_bad_here(comm, culprit) else {}
    before = _core.living_plans()
    differs = "differs between ranks" if culprit == "last" and comm.size > 1 else None
    fails(comm, text, lambda: plan(comm, **given), differs)
    assert _core.living_plans() == before


def test_other_arguments(comm: MPI.Intracomm, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    fails(comm, "periodic 3: must be a bool, or one for each axis",
          lambda: weft.Halo((8, 4), comm=comm, periodic=3 if is_bad else True))  # type: ignore
    misspelled: Any = {"periodc": True} if is_bad else {}
    fails(comm, "Halo: argument 'periodc' is unknown (did you mean 'periodic'?); known: shape, ",
          lambda: weft.Halo((8, 4), comm=comm, **misspelled))
    for make, length in ((weft.Convolution, (8, 4)), (weft.LongTransform, 12)):
        given: Any = {"mod": 3, "ordr": 3} if is_bad else {}
        fails(comm, f"{make.__name__}: argument 'mod' is unknown",
              lambda: make(length, comm=comm, **given))
    for comm_given, error, text in ((3, TypeError, "must be a communicator of mpi4py"),
                                    (MPI.COMM_NULL, weft.Error, "MPI_COMM_NULL")):
        with pytest.raises(error, match=text):
            weft.Plan((4, 4), comm=comm_given)  # type: ignore[arg-type]
    if comm.size > 1:
        fails(comm, "shape differs between ranks", lambda: plan(comm, shape=(8, 4 + comm.rank)))
        fails(comm, "options differs", lambda: plan(comm, chunks=comm.rank))


def test_codes(comm: MPI.Intracomm, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    error = fails(comm, "threads -1", lambda: plan(comm, threads=-1 if is_bad else 0))
    assert error.code is weft.ErrorCode.argument and error.code == "argument"
    error = fails(comm, "cannot allocate ", lambda: plan(comm, shape=(2**27, 2**27), kinds="none"))
    assert error.code == "memory" and str(error.code) == "memory"
    for device in weft.list_devices():
        if not device.usable:
            error = fails(comm, "", lambda: plan(comm, device=device.name))
            assert error.code is weft.ErrorCode.unsupported
    with plan(comm) as good:
        x = good.input.zeros()

        def unlucky(values: np.ndarray, block: weft.Block) -> None:
            raise LookupError("no luck")

        error = fails(comm, "no luck", lambda: good.forward(x, on_input=unlucky))
        assert error.code == weft.ErrorCode.callback
    with pytest.raises(weft.Error) as caught:
        weft.import_fftw_wisdom("/no/such/file", "f8")
    assert caught.value.code is weft.ErrorCode.file
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is weft.Error and again.code is weft.ErrorCode.file
    assert str(again) == str(caught.value)
    assert weft.Error("other").code is weft.ErrorCode.argument


def test_integers_of_methods(comm: MPI.Intracomm, culprit: str) -> None:
    is_bad = is_bad_here(comm, culprit)
    with plan(comm) as good:
        x = good.input.zeros()
        y = good.forward(x)
        for value, text in [(HUGE, f"{HUGE}: must be between"), (2.5, "2.5: must be an integer"),
                            (None, "None: must be an integer")]:
            for name in ("samples", "seed"):
                fails(comm, f"{name} {text}",
                      lambda: good.sampled_error(x, y, **{name: value if is_bad else 4}))
        fails(comm, "seed -1: must be between 0 and",
              lambda: good.sampled_error(x, y, seed=-1 if is_bad else 4))
        assert good.sampled_error(x, y, samples=np.int32(3)).samples == 3


def test_integers_without_communication(culprit: str) -> None:
    with weft.Plan((8, 4), comm=MPI.COMM_SELF) as good:
        waves = weft.Wavenumbers(good, (1, 1))
        good.forward(good.input.zeros())
        calls: list[tuple[str, Callable[[Any], Any]]] = [
            ("axis", waves.k), ("axis", waves.derivative), ("field", good.report),
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


def bad_arrays(good: np.ndarray) -> list[tuple[Any, str]]:
    big = good.astype(good.dtype.newbyteorder(">"))
    order = (f"is of dtype {big.dtype}, not in this machine's byte order: convert it with "
             "a.astype(a.dtype.newbyteorder('='))")
    return [
        (big, order),
        (np.frombuffer(big.tobytes(), big.dtype).reshape(big.shape), order),
        (good.astype(object), "is of dtype object, "),
        (good.astype("U9"), "is of dtype <U9, "),
        (good.astype(np.clongdouble), f"is of dtype {np.dtype(np.clongdouble)}, "),
        (np.zeros(good.shape, [("a", "f8")]), "is of dtype [('a', '<f8')], "),
        (good.astype(np.complex64), "is of complex64, "),
        (np.zeros(good.shape, np.int64), "is of int64, "),
        (good.tolist(), "is not a usable array: 'list'; numpy.asarray makes one of it"),
        (tuple(good.tolist()), "is not a usable array: 'tuple'; numpy.asarray makes"),
        ("an array", "is not a usable array: 'str'"),
        (NoExport(good), "cannot be used: call detach() first"),
        (OnDevice(good), "is not memory of "),
        (weft.DistArray.zeros((8, 4), good.dtype, comm=MPI.COMM_SELF),
         "is not a usable array: 'DistArray'; what this rank has of it is its local")]


def test_arrays(comm: MPI.Intracomm, culprit: str) -> None:
    """Of any kind, wherever arrays are taken."""
    is_bad = is_bad_here(comm, culprit)
    shape, dtype = (8, 6), np.complex128
    with weft.Plan(shape, dtype, comm) as good, weft.Halo(shape, dtype, comm) as halo, \
            weft.Convolution(shape, dtype, comm) as convolution, \
            weft.LongTransform(36, dtype, comm) as long:
        calculus = weft.Calculus(good, (1, 1))
        x = good.input.zeros()
        for bad, text in bad_arrays(x):
            given = bad if is_bad else x
            calls: list[tuple[str, Callable[[], Any]]] = [
                ("input array", lambda: good.forward(given)),
                ("output array", lambda: good.forward(x, given)),
                ("input array", lambda: good.backward(given)),
                ("field 1: input array", lambda: good.forward_many([x, given])),
                ("input array", lambda: (good.start_forward(given), good.wait())),
                ("input array", lambda: good.sampled_error(given, x)),
                ("halo array", lambda: halo.exchange(given)),
                ("halo array", lambda: (halo.start_accumulate(given), halo.wait())),
                ("first array", lambda: convolution.convolve(given, x)),
                ("second array", lambda: convolution.correlate(x, given)),
                ("result array", lambda: convolution.convolve(x, x, given)),
                ("input array", lambda: calculus.laplacian(given)),
                ("input array", lambda: calculus.gradient(given)),
                ("input 1 array", lambda: calculus.divergence([x, given]))]
            for name, call in calls:
                fails(comm, f"{name} {text}", call)
        x = np.zeros(long.size, dtype)
        for bad, text in bad_arrays(x):
            fails(comm, f"input array {text}", lambda: long.forward(bad if is_bad else x))


def test_shapes_and_memory_of_arrays(comm: MPI.Intracomm, culprit: str) -> None:
    """Nothing is written then."""
    is_bad = is_bad_here(comm, culprit)
    with weft.Plan((14, 8, 6), comm=comm, output="slab:1") as good:
        x, out = good.input.zeros(), good.output.empty()
        out[...] = 7
        frozen = out.copy()
        frozen.flags.writeable = False
        rank = "" if culprit == "all" or comm.size == 1 else f"rank {comm.size - 1}: "
        for array, name, call in (
                (x, "input", lambda bad: good.forward(bad if is_bad else x, out)),
                (out, "output", lambda bad: good.forward(x, bad if is_bad else out))):
            shifted = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype)
            every_other = np.empty((2 * array.shape[0], *array.shape[1:]), array.dtype)[::2]
            for bad, text in [(np.empty((*array.shape, 2), array.dtype), "has shape"),
                              (np.empty(array.shape[::-1], array.dtype).T, "has strides"),
                              (every_other, "has strides"),
                              (shifted.reshape(array.shape), "is not aligned")]:
                fails(comm, f"{rank}{name} array {text}", lambda: call(bad))
        fails(comm, "output array is read-only", lambda: call(frozen))
        both = np.zeros(x.size + out.size + 2, np.complex128)
        first, second = both[1:1 + x.size].reshape(x.shape), both[2:2 + out.size].reshape(out.shape)
        fails(comm, "overlap",
              lambda: good.forward(first if is_bad else x, second if is_bad else out))
        assert np.all(out == 7)
        good.forward(x, out)
        assert np.all(out == 0)


def test_lists_of_arrays_that_are_none(comm: MPI.Intracomm, culprit: str) -> None:
    """Whatever the iteration raises on a rank, the others do not wait for it."""
    is_bad = is_bad_here(comm, culprit)
    view: Any = memoryview(np.zeros((2, 2)))  # whose iteration is not implemented
    with weft.Plan((8, 6), comm=comm) as good:
        x = good.input.zeros()
        for bad in (view, 7):
            fails(comm, "not a usable array",
                  lambda: good.forward_many(bad if is_bad else [x]))
        calculus = weft.Calculus(good, (1, 1))
        fails(comm, "0 input arrays, 2 are needed",
              lambda: calculus.divergence(view if is_bad else [x, x]))

"""What the tests of this folder share: errors of all ranks, parts of arrays, odd arrays."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mpi4py import MPI

import weft


def fails(comm: MPI.Intracomm, text: str, call: Callable[[], Any],
          or_text: str | None = None) -> weft.Error:
    """The same error on all ranks, in which one of the texts occurs."""
    with pytest.raises(weft.Error) as caught:
        call()
    error = str(caught.value)
    assert len(set(comm.allgather(error))) == 1
    assert text in error or (or_text is not None and or_text in error), error
    return caught.value


def is_bad_here(comm: MPI.Intracomm, culprit: str) -> bool:
    """Whether this rank makes the mistake: all of them, or the last one."""
    return culprit == "all" or comm.rank == comm.size - 1


def random_array(random: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    values = random.standard_normal((*shape, 2)) @ np.array([1, 1j])
    return (values if np.dtype(dtype).kind == "c" else values.real).astype(dtype)


def local(whole: np.ndarray, side: weft.LocalArray) -> np.ndarray:
    """This rank's part of a global array; where there is a batch, its axis comes first there."""
    part = side.empty()
    part[...] = (whole[side.box.slices] if side.field_axis is None else
                 np.moveaxis(whole[(slice(None), *side.box.slices)], 0, side.field_axis))
    return part


def part_of(whole: np.ndarray, side: weft.LocalArray) -> np.ndarray:
    """This rank's part of an array with the batch first, also where that is one field."""
    return local(whole if side.field_axis is not None else whole[0], side)


def near(comm: MPI.Intracomm, computed: np.ndarray, exact: np.ndarray, bound: float) -> None:
    """The relative L2 error over all ranks."""
    squares = comm.allreduce(np.array([np.sum(abs(computed - exact) ** 2),
                                       np.sum(abs(exact) ** 2)], float))
    assert squares[0] ** 0.5 <= bound * max(squares[1] ** 0.5, 1e-300), squares


class ThroughDlpack:
    """An array of another library: all that is known of it is DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class NoExport(ThroughDlpack):
    """Offers DLPack, as tensors that need gradients do, but only says what to do first."""

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("call detach() first")


class OnDevice(ThroughDlpack):
    """What claims to be memory of a GPU."""

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        tensor = pointer(capsule, b"dltensor")
        # After the address of the data come the type of the device and its number.
        ctypes.c_int32.from_address(tensor + ctypes.sizeof(ctypes.c_void_p)).value = 2
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

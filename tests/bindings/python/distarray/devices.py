"""Arrays on the device of the checks: WEFT_TEST_DEVICE is "cuda", where they are CuPy's, or
"emulated", where they are NumPy's."""

import os

import numpy as np
from mpi4py import MPI

from weft.distarray.device import to_host

DEVICE = os.environ.get("WEFT_TEST_DEVICE", "emulated")
IS_EMULATED = DEVICE == "emulated"
#: Numbers in physical space, with the kinds that fit them.
PRECISIONS = [
    (np.complex128, "c2c"), (np.complex64, "c2c"), (np.float64, "r2c"), (np.float32, "r2c")
]

if IS_EMULATED:
    xp = np
else:
    import cupy as xp


def device_number(comm):
    """Of the GPU of this rank."""
    return -1 if IS_EMULATED else comm.rank % xp.cuda.runtime.getDeviceCount()


def on(comm):
    """Where plans of this rank work."""
    return {"device": DEVICE, "device_number": device_number(comm)}


if not IS_EMULATED:
    xp.cuda.Device(device_number(MPI.COMM_WORLD)).use()


def on_device(values, side):
    """An array of a plan's side with these elements."""
    array = side.empty(xp)
    array[...] = xp.asarray(values)
    return array


def part(whole, side):
    """What this rank has of a global array, on the device."""
    return on_device(whole[side.box.slices], side)


def expect_near(computed, expected, comm, dtype=None):
    """Relative L2 error over all ranks, each of which has a part."""
    computed = to_host(computed)
    assert computed.shape == expected.shape, (computed.shape, expected.shape)
    assert computed.dtype == (dtype or expected.dtype), (computed.dtype, dtype)
    wide = np.complex128
    squares = np.array([np.sum(np.abs(computed.astype(wide) - expected) ** 2),
                        np.sum(np.abs(expected.astype(wide)) ** 2)])
    squares = sum(comm.allgather(squares))
    single = np.finfo(computed.dtype).bits == 32
    assert squares[0] <= (1e-6 if single else 1e-14) ** 2 * squares[1], squares


def expect_part(computed, whole, side, comm, dtype=None):
    """What this rank has of a global array; results are on the device."""
    assert isinstance(computed, (np.ndarray, xp.ndarray)), type(computed)
    expect_near(computed, whole[side.box.slices], comm, dtype)

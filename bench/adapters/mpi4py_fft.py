"""mpi4py-fft for the program that embeds this module."""

from __future__ import annotations

import mpi4py

mpi4py.rc.initialize = False
mpi4py.rc.finalize = False

import numpy as np  # noqa: E402
from mpi4py import MPI  # noqa: E402
from mpi4py_fft import PFFT, newDistArray  # noqa: E402


class Plan:
    """A plan with its arrays; transforms are unscaled."""

    def __init__(self, comm: int, shape: tuple[int, ...], grid: tuple[int, ...], dtype: str,
                 arrays: str, collapse: str, **options) -> None:
        # Axes in lists, for with single axes collapse fails where the second axis is split.
        self.fft = PFFT(MPI.Comm.f2py(comm), shape, axes=([0], [1], [2]), dtype=np.dtype(dtype),
                        grid=grid, collapse=collapse == "yes", **options)
        self.planned = arrays == "planned"
        if self.planned:
            self.physical = self.fft.forward.input_array
            self.spectral = self.fft.forward.output_array
            same = (self.fft.backward.input_array is self.spectral
                    and self.fft.backward.output_array is self.physical)
            assert same, "backward works in other arrays than forward"
        else:
            self.physical = newDistArray(self.fft, False)
            self.spectral = newDistArray(self.fft, True)
        assert self.physical.flags.c_contiguous and self.spectral.flags.c_contiguous

    def place(self, spectral: bool) -> tuple[int, ...]:
        """First indices, ends and address of an array."""
        array = self.spectral if spectral else self.physical
        box = self.fft.local_slice(spectral)
        return (*(part.start for part in box), *(part.stop for part in box), array.ctypes.data)

    def forward(self) -> None:
        if self.planned:
            self.fft.forward(normalize=False)
        else:
            self.fft.forward(self.physical, self.spectral, normalize=False)

    def backward(self) -> None:
        if self.planned:
            self.fft.backward()
        else:
            self.fft.backward(self.spectral, self.physical)

    def destroy(self) -> None:
        self.fft.destroy()

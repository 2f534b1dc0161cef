"""Cosine and sine transforms of FFTW, which SciPy ships for tests of its own."""

from pathlib import Path

import numpy as np
import pytest
import scipy.fftpack
from mpi4py import MPI

import weft

VECTORS = Path(scipy.fftpack.__file__).parent / "tests" / "fftw_double_ref.npz"


@pytest.mark.parametrize("device", ["host", "emulated", "cuda", "hip"])
def test_cosine_and_sine_transforms(comm: MPI.Intracomm, device: str) -> None:
    if not any(entry.name == device and entry.usable for entry in weft.list_devices()):
        pytest.skip(f"device {device} is not here")
    with np.load(VECTORS) as vectors:
        names = [name for name in vectors.files if name.startswith(("dct", "dst"))]
        assert len(names) == 112
        for name in names:
            kind, number, length = name.split("_")
            exact = vectors[name]
            with weft.Plan((int(length),), np.float64, comm, kinds=kind + number,
                           device=device) as plan:
                x = plan.input.empty()
                x[...] = np.arange(int(length), dtype=float)[plan.input.box.slices]
                out = plan.forward(x, np.full_like(plan.output.empty(), np.nan))
                error = np.linalg.norm(out - exact[plan.output.box.slices])
                whole = comm.allreduce(error ** 2) ** 0.5
                assert whole <= 5e-15 * np.linalg.norm(exact), name

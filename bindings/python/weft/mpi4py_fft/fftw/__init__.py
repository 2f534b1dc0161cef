"""Transforms of arrays of one process, planned as in `mpi4py_fft.fftw`, by `weft.fft`."""

from weft.mpi4py_fft.fftw.factory import (
    FFT,
    cleanup,
    export_wisdom,
    fftlib,
    forget_wisdom,
    get_fftw_lib,
    get_planned_FFT,
    import_wisdom,
    set_timelimit,
)
from weft.mpi4py_fft.fftw.utilities import *  # noqa: F403
from weft.mpi4py_fft.fftw.xfftn import (
    dct_type,
    dctn,
    dst_type,
    dstn,
    fftn,
    flag_dict,
    get_normalization,
    hfftn,
    idct_type,
    idctn,
    idst_type,
    idstn,
    ifftn,
    ihfftn,
    inverse,
    irfftn,
    rfftn,
)

__all__ = [  # noqa: F405
    "C2C_BACKWARD", "C2C_FORWARD", "C2R", "FFT", "FFTW_BACKWARD", "FFTW_CONSERVE_MEMORY",
    "FFTW_DESTROY_INPUT", "FFTW_DHT", "FFTW_ESTIMATE", "FFTW_EXHAUSTIVE", "FFTW_FORWARD",
    "FFTW_HC2R", "FFTW_MEASURE", "FFTW_PATIENT", "FFTW_PRESERVE_INPUT", "FFTW_R2HC",
    "FFTW_REDFT00", "FFTW_REDFT01", "FFTW_REDFT10", "FFTW_REDFT11", "FFTW_RODFT00", "FFTW_RODFT01",
    "FFTW_RODFT10", "FFTW_RODFT11", "FFTW_UNALIGNED", "FFTW_WISDOM_ONLY", "R2C", "aligned",
    "aligned_like", "cleanup", "dct_type", "dctn", "dst_type", "dstn", "export_wisdom", "fftlib",
    "fftn", "flag_dict", "forget_wisdom", "get_alignment", "get_fftw_lib", "get_normalization",
    "get_planned_FFT", "hfftn", "idct_type", "idctn", "idst_type", "idstn", "ifftn", "ihfftn",
    "import_wisdom", "inverse", "irfftn", "rfftn", "set_timelimit",
]

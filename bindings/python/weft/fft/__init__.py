"""Fast transforms with the interface of `scipy.fft`, by weft.

Functions take NumPy arrays, and anything that becomes one, which belong to the calling process
alone; no other rank takes part. Arrays of CuPy are transformed on their GPU, where results are too.
Plans are made when they are first needed, and kept: the 64 used last, with workspaces of up to 512
MiB; see `weft.set_plan_limit` and `weft.clear_plans`. They may be called from several threads.

An object with an attribute ``__weft_transform__``, as `weft.DistArray` is, is handed the call of a
function: ``__weft_transform__(name, s=..., axes=..., norm=..., overwrite_x=..., workers=...)``, for
cosine and sine transforms also ``type=...`` and ``orthogonalize=...``, where `name` is that of the
function of several axes, such as ``"rfftn"``, also where the one of one axis was called.

Frequencies, shifts, good lengths and numbers of workers are SciPy's own functions; so are `fht` and
`ifht`.
"""

from scipy.fft import (
    fftfreq,
    fftshift,
    fhtoffset,
    get_workers,
    ifftshift,
    next_fast_len,
    prev_fast_len,
    rfftfreq,
    set_workers,
)

from weft.fft._cosine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from weft.fft._fourier import (
    fft,
    fft2,
    fftn,
    hfft,
    hfft2,
    hfftn,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    ihfft2,
    ihfftn,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)
from weft.fft._scipy import fht, ifht

__all__ = [
    "dct", "dctn", "dst", "dstn", "fft", "fft2", "fftfreq", "fftn", "fftshift", "fht", "fhtoffset",
    "get_workers", "hfft", "hfft2", "hfftn", "idct", "idctn", "idst", "idstn", "ifft", "ifft2",
    "ifftn", "ifftshift", "ifht", "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn",
    "next_fast_len", "prev_fast_len", "rfft", "rfft2", "rfftfreq", "rfftn", "set_workers",
]

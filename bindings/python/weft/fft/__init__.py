"""Fast transforms with the interface of `scipy.fft`, by weft.

Functions take NumPy arrays, and anything that converts to one, of the calling process; no other
rank takes part. CuPy arrays are transformed on their GPU, and so are the results. Plans are made
when they are first needed, and cached: the 64 most recently used, with workspaces of up to 512 MiB;
see `weft.set_plan_limit` and `weft.clear_plans`. Functions may be called from several threads.

Calls with an object that has an attribute ``__weft_transform__``, such as `weft.DistArray`, are
passed on to it: ``__weft_transform__(name, s=..., axes=..., norm=..., overwrite_x=...,
workers=...)``, for cosine and sine transforms also ``type=...`` and ``orthogonalize=...``. `name`
is that of the function of several axes, such as ``"rfftn"``, even if the one for a single axis was
called.

Functions for frequencies, shifts, good lengths and numbers of workers are SciPy's own; so are `fht`
and `ifht`.
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

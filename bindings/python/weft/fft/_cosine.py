"""Cosine and sine transforms with the signatures of SciPy's."""

from __future__ import annotations

from typing import Any, SupportsIndex

from weft.fft import _arguments as arguments
from weft.fft import _scipy
from weft.fft._documentation import documented
from weft.fft._engine import transform

#: Name of the transforms, and whether they are those forward.
_FUNCTIONS = {"dctn": ("dct", True), "idctn": ("dct", False),
              "dstn": ("dst", True), "idstn": ("dst", False)}


def _transform(name: str, x: Any, type: int, s: Any, axes: Any, norm: str | None,
               overwrite_x: bool, workers: int | None, orthogonalize: bool | None,
               one_axis: bool) -> Any:
    distributed = getattr(x, "__weft_transform__", None)
    if distributed is not None:
        if one_axis:
            s, axes = (None if s is None else (s,)), (axes,)
        return distributed(name, type=type, s=s, axes=axes, norm=norm, overwrite_x=overwrite_x,
                           workers=workers, orthogonalize=orthogonalize)
    kind, forward = _FUNCTIONS[name]
    array = arguments.number_array(x)
    resolve = arguments.length_and_axis if one_axis else arguments.lengths_and_axes
    lengths, chosen = resolve(array, s, axes)
    norm, threads = arguments.norm_of(name, norm), arguments.threads_of(workers)
    if not isinstance(type, SupportsIndex) or type not in (1, 2, 3, 4):
        raise ValueError(f"invalid type {type!r} of a transform: must be 1, 2, 3 or 4")
    if not chosen:
        return x
    if kind == "dct" and type == 1 and min(lengths) < 2:
        raise ValueError("DCT-I needs at least 2 data points")
    if _scipy.is_needed_for(array):
        return _scipy.call(name, array, type, lengths, chosen, norm, workers=threads,
                           orthogonalize=orthogonalize)
    own = overwrite_x or arguments.is_temporary(array, x)
    array, copied = arguments.resized(array, lengths, chosen)
    kinds = ["none"] * array.ndim
    for axis in chosen:
        kinds[axis] = f"{kind}{int(type)}"
    in_place = (own or copied) and arguments.may_be_overwritten(array)
    return transform(array, tuple(kinds), array.shape, forward, norm, threads,
                     None if orthogonalize is None else bool(orthogonalize),
                     out=array if in_place else None)


@documented("ndarray of the type of the input")
def dct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None,
        overwrite_x: bool = False, workers: int | None = None,
        orthogonalize: bool | None = None) -> Any:
    """Cosine transform along one axis."""
    return _transform("dctn", x, type, n, axis, norm, overwrite_x, workers, orthogonalize,
                      one_axis=True)


@documented("ndarray of the type of the input")
def dctn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None,
         orthogonalize: bool | None = None) -> Any:
    """Cosine transform along several axes."""
    return _transform("dctn", x, type, s, axes, norm, overwrite_x, workers, orthogonalize,
                      one_axis=False)


@documented("ndarray of the type of the input")
def idct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None,
         orthogonalize: bool | None = None) -> Any:
    """Cosine transform along one axis back; the inverse of `dct`."""
    return _transform("idctn", x, type, n, axis, norm, overwrite_x, workers, orthogonalize,
                      one_axis=True)


@documented("ndarray of the type of the input")
def idctn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None,
          orthogonalize: bool | None = None) -> Any:
    """Cosine transform along several axes back; the inverse of `dctn`."""
    return _transform("idctn", x, type, s, axes, norm, overwrite_x, workers, orthogonalize,
                      one_axis=False)


@documented("ndarray of the type of the input")
def dst(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None,
        overwrite_x: bool = False, workers: int | None = None,
        orthogonalize: bool | None = None) -> Any:
    """Sine transform along one axis."""
    return _transform("dstn", x, type, n, axis, norm, overwrite_x, workers, orthogonalize,
                      one_axis=True)


@documented("ndarray of the type of the input")
def dstn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None,
         orthogonalize: bool | None = None) -> Any:
    """Sine transform along several axes."""
    return _transform("dstn", x, type, s, axes, norm, overwrite_x, workers, orthogonalize,
                      one_axis=False)


@documented("ndarray of the type of the input")
def idst(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None,
         overwrite_x: bool = False, workers: int | None = None,
         orthogonalize: bool | None = None) -> Any:
    """Sine transform along one axis back; the inverse of `dst`."""
    return _transform("idstn", x, type, n, axis, norm, overwrite_x, workers, orthogonalize,
                      one_axis=True)


@documented("ndarray of the type of the input")
def idstn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None,
          overwrite_x: bool = False, workers: int | None = None,
          orthogonalize: bool | None = None) -> Any:
    """Sine transform along several axes back; the inverse of `dstn`."""
    return _transform("idstn", x, type, s, axes, norm, overwrite_x, workers, orthogonalize,
                      one_axis=False)

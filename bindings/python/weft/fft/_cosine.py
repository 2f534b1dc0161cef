"""Cosine and sine transforms with the signatures of SciPy's."""

from __future__ import annotations

from typing import Any, Protocol, SupportsIndex

from weft._transform_arguments import lengths_and_axes, norm_of
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
    resolve = arguments.length_and_axis if one_axis else lengths_and_axes
    lengths, chosen = resolve(array.shape, s, axes)
    norm, threads = norm_of(name, norm), arguments.threads_of(workers)
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


class _AlongAxis(Protocol):
    """The functions of one axis."""

    def __call__(self, x: Any, type: int = 2, n: int | None = None, axis: int = -1,
                 norm: str | None = None, overwrite_x: bool = False, workers: int | None = None,
                 orthogonalize: bool | None = None) -> Any: ...


class _AlongAxes(Protocol):
    """Those of several."""

    def __call__(self, x: Any, type: int = 2, s: Any = None, axes: Any = None,
                 norm: str | None = None, overwrite_x: bool = False, workers: int | None = None,
                 orthogonalize: bool | None = None) -> Any: ...


def _along_axis(function: str, summary: str) -> _AlongAxis:
    """The function of one axis of this name."""

    def along_axis(x: Any, type: int = 2, n: int | None = None, axis: int = -1,
                   norm: str | None = None, overwrite_x: bool = False, workers: int | None = None,
                   orthogonalize: bool | None = None) -> Any:
        return _transform(function + "n", x, type, n, axis, norm, overwrite_x, workers,
                          orthogonalize, one_axis=True)

    return documented(along_axis, __name__, function, _RESULT, summary)


def _along_axes(function: str, summary: str) -> _AlongAxes:
    """The function of several axes of this name."""

    def along_axes(x: Any, type: int = 2, s: Any = None, axes: Any = None,
                   norm: str | None = None, overwrite_x: bool = False, workers: int | None = None,
                   orthogonalize: bool | None = None) -> Any:
        return _transform(function, x, type, s, axes, norm, overwrite_x, workers, orthogonalize,
                          one_axis=False)

    return documented(along_axes, __name__, function, _RESULT, summary)


def _family(name: str, summary: str) -> tuple[_AlongAxis, _AlongAxes]:
    """The functions of one axis and of several."""
    return (_along_axis(name, summary.format("along one axis", "")),
            _along_axes(name + "n", summary.format("along several axes", "n")))


_RESULT = "ndarray of the type of the input"

dct, dctn = _family("dct", "Cosine transform {}.")
idct, idctn = _family("idct", "Cosine transform {} back; the inverse of `dct{}`.")
dst, dstn = _family("dst", "Sine transform {}.")
idst, idstn = _family("idst", "Sine transform {} back; the inverse of `dst{}`.")

"""Transforms of distributed arrays with the arguments of scipy.fft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy

from weft._layout import Layout
from weft._transform_arguments import OPPOSITE, lengths_and_axes, norm_of
from weft.distarray.base import ArrayBase, SomeArray
from weft.distarray.geometry import Shape, cropped, resized, resolve
from weft.distarray.plans import planned

if TYPE_CHECKING:
    from typing_extensions import Self

Lengths = Sequence[int] | int | None

#: Cosine and sine transforms of these types are each other's inverse.
INVERSE_TYPE = {1: 1, 2: 3, 3: 2, 4: 4}
PRECISIONS = {"float16": "float32", "float32": "float32", "complex64": "complex64"}


class Spectral(ArrayBase):
    """The transforms of scipy.fft, of a `DistArray`. All of them are collective.

    Arguments are those of the functions of the same name in scipy.fft (`norm` may also be
    ``"none"``, as in weft.fft), with one more,

    layout : Layout or str, optional
        Layout of the result; default: that of the input. If the shape changes, slabs, pencils and
        the like are divided anew; listed boxes are cut, or extended at the upper end.

    `s` truncates the input or pads it with zeros along each axis, which are neither stored nor
    communicated. Integers and booleans are transformed as float64, float16 as float32. Errors are
    raised on every rank: ValueError for arguments that do not fit, TypeError for elements that
    cannot be transformed (such as longdouble), weft.Error for errors of plans.

    Plans are cached, see `set_plan_limit`.
    """

    def fftn(self, s: Lengths = None, axes: Lengths = None, norm: str | None = None, *,
             layout: Layout | str | None = None) -> Self:
        """The discrete Fourier transform of several axes. Collective."""
        return self._transformed("fftn", s, axes, norm, layout)

    def ifftn(self, s: Lengths = None, axes: Lengths = None, norm: str | None = None, *,
              layout: Layout | str | None = None) -> Self:
        """The inverse of `fftn`. Collective."""
        return self._transformed("ifftn", s, axes, norm, layout)

    def rfftn(self, s: Lengths = None, axes: Lengths = None, norm: str | None = None, *,
              layout: Layout | str | None = None) -> Self:
        """The transform of real numbers; of the last of `axes` n // 2 + 1 modes are kept.
        Collective."""
        return self._transformed("rfftn", s, axes, norm, layout)

    def irfftn(self, s: Lengths = None, axes: Lengths = None, norm: str | None = None, *,
               layout: Layout | str | None = None) -> Self:
        """The inverse of `rfftn`. Collective. The length of the last of `axes` is 2 (m - 1) for m
        modes, and 1 for one, unless `s` says otherwise."""
        return self._transformed("irfftn", s, axes, norm, layout)

    def dctn(self, type: int = 2, s: Lengths = None, axes: Lengths = None, norm: str | None = None,
             orthogonalize: bool | None = None, *, layout: Layout | str | None = None) -> Self:
        """The cosine transform of a type from 1 to 4. Collective."""
        return self._transformed("dctn", s, axes, norm, layout, type, orthogonalize)

    def idctn(self, type: int = 2, s: Lengths = None, axes: Lengths = None, norm: str | None = None,
              orthogonalize: bool | None = None, *, layout: Layout | str | None = None) -> Self:
        """The inverse of `dctn` of this type. Collective."""
        return self._transformed("idctn", s, axes, norm, layout, type, orthogonalize)

    def dstn(self, type: int = 2, s: Lengths = None, axes: Lengths = None, norm: str | None = None,
             orthogonalize: bool | None = None, *, layout: Layout | str | None = None) -> Self:
        """The sine transform of a type from 1 to 4. Collective."""
        return self._transformed("dstn", s, axes, norm, layout, type, orthogonalize)

    def idstn(self, type: int = 2, s: Lengths = None, axes: Lengths = None, norm: str | None = None,
              orthogonalize: bool | None = None, *, layout: Layout | str | None = None) -> Self:
        """The inverse of `dstn` of this type. Collective."""
        return self._transformed("idstn", s, axes, norm, layout, type, orthogonalize)

    def __weft_transform__(self, name: str, **arguments: Any) -> Self:
        """What the functions of weft.fft do with a `DistArray`. Collective.

        Parameters
        ----------
        name
            Of the function of several axes: ``"fftn"``, ``"hfftn"``, ...
        arguments
            Those of that function. `overwrite_x` and `workers` mean nothing here.
        """
        arguments = {key: arguments[key] for key in arguments.keys() - {"overwrite_x", "workers"}}
        if name == "hfftn":
            return self.conj().irfftn(**_opposite(arguments))
        if name == "ihfftn":
            return self.rfftn(**_opposite(arguments)).conj()
        result: Self = getattr(self, name)(**arguments)
        return result

    def _transformed(self, name: str, s: Lengths, axes: Lengths, norm: str | None,
                     layout: Layout | str | None, type_: int | None = None,
                     orthogonalize: bool | None = None) -> Self:
        """Collective. Agrees on the arguments, and puts the transform together."""
        call = (
            f"{name}(s={s!r}, axes={axes!r}, norm={norm!r}, type={type_!r}, "
            f"orthogonalize={orthogonalize!r}) of {self._text}"
        )

        def check() -> tuple[Shape, tuple[int, ...], numpy.dtype, str]:
            if name.endswith(("ctn", "stn")):
                _check_type(name, type_)
            return (
                *_lengths_and_axes(name, self.shape, s, axes),
                _dtype(name, self.dtype),
                norm_of(name, norm),
            )

        lengths, chosen, dtype, scaling = self._context.collectively(call, check)
        source = self if dtype == self.dtype else self.astype(dtype)
        final = _final_shape(name, lengths, chosen)
        target = self._in_layout(layout, final, resized(self._geometry, final)).layout
        if not chosen:
            geometry = resolve(self._context, final, target)
            return source._of(geometry, source._memory_in(geometry).copy(), self.device)
        if name in ("fftn", "rfftn"):
            kind = "c2c" if name == "fftn" else "r2c"
            kinds = {**dict.fromkeys(chosen, "c2c"), chosen[-1]: kind}
            return _forward(source, kinds, lengths, target, norm=scaling)
        if name == "ifftn":
            return _inverse_fourier(source, chosen, lengths, target, scaling)
        if name == "irfftn":
            return _inverse_real(source, chosen, lengths, target, scaling)
        assert type_ is not None
        if name.startswith("i"):
            name, type_, scaling = name[1:], INVERSE_TYPE[type_], OPPOSITE[scaling]
        kinds = dict.fromkeys(chosen, f"{name[:3]}{int(type_)}")
        return _forward(source, kinds, lengths, target, norm=scaling, orthogonalize=orthogonalize)


def _opposite(arguments: dict[str, Any]) -> dict[str, Any]:
    norm = arguments.get("norm") or "backward"
    return {**arguments, "norm": OPPOSITE.get(norm, norm)}


def _forward(
    x: SomeArray, kinds: dict[int, str], lengths: Shape, layout: Layout, **options: Any
) -> SomeArray:
    """Collective. The forward transform of a plan; zeros beyond the array are no points of it."""
    x = _first_points(x, lengths)
    halved = [axis for axis, kind in kinds.items() if kind == "r2c"]
    shape = _replaced(lengths, {axis: lengths[axis] // 2 + 1 for axis in halved})
    result_dtype = numpy.result_type(x.dtype, numpy.complex64) if halved else x.dtype
    target = resolve(x._context, shape, layout)
    if x.shape != lengths:
        options["input_points"] = x.shape
    plan = planned(x._geometry, target, x.dtype, x.device, shape=lengths,
                   kinds=",".join(kinds.get(axis, "none") for axis in range(x.ndim)), **options)
    result = x._of(target, target.empty(result_dtype, x.device), x.device)
    plan.forward(x.local, result.local)
    return result


def _inverse_fourier(
    x: SomeArray, axes: tuple[int, ...], lengths: Shape, layout: Layout, norm: str
) -> SomeArray:
    """Collective. Zeros beyond the array come after its last mode, which is not the highest one:
    they are points of the forward transform of the conjugate numbers."""
    x = _first_points(x, lengths)
    kinds = dict.fromkeys(axes, "c2c")
    if x.shape != lengths:
        return _forward(x.conj(), kinds, lengths, layout, norm=OPPOSITE[norm]).conj()
    return _backward(x, kinds, lengths, layout, x.dtype, norm=norm)


def _inverse_real(
    x: SomeArray, axes: tuple[int, ...], lengths: Shape, layout: Layout, norm: str
) -> SomeArray:
    """Collective. Zeros beyond the last mode of the halved axis are modes that are not kept; where
    there are some along other axes, these are transformed first."""
    *others, halved = axes
    modes = lengths[halved] // 2 + 1
    x = _first_points(x, _replaced(lengths, {halved: modes}))
    kinds = {**dict.fromkeys(others, "c2c"), halved: "r2c"}
    if any(x.shape[axis] < lengths[axis] for axis in others):
        partly = _replaced(lengths, {halved: x.shape[halved]})
        x = _inverse_fourier(x, tuple(others), partly, resized(x._geometry, partly), norm)
        kinds = {halved: "r2c"}
    real = numpy.dtype(x.dtype.char.lower())
    options = {}
    if x.shape[halved] < modes:
        options["modes"] = _replaced(lengths, {halved: 2 * x.shape[halved] - 1})
    return _backward(x, kinds, lengths, layout, real, norm=norm, **options)


def _backward(x: SomeArray, kinds: dict[int, str], lengths: Shape, layout: Layout,
              dtype: numpy.dtype, **options: Any) -> SomeArray:
    """Collective. The backward transform of a plan, to numbers of this type."""
    target = resolve(x._context, lengths, layout)
    kind_list = ",".join(kinds.get(axis, "none") for axis in range(x.ndim))
    plan = planned(target, x._geometry, dtype, x.device, kinds=kind_list, **options)
    result = x._of(target, target.empty(dtype, x.device), x.device)
    plan.backward(x.local, result.local)
    return result


def _first_points(x: SomeArray, lengths: Shape) -> SomeArray:
    """Collective. Cuts off what is beyond these lengths, where there is anything."""
    shape = tuple(map(min, x.shape, lengths))
    if shape == x.shape:
        return x
    geometry = resolve(x._context, shape, cropped(x._geometry, shape))
    first = tuple(slice(0, extent) for extent in geometry.local_shape)
    return x._from_values(geometry, x.local[first], x.dtype, x.device)


def _replaced(values: Shape, changes: dict[int, int]) -> Shape:
    return tuple(changes.get(axis, value) for axis, value in enumerate(values))


def _final_shape(name: str, lengths: Shape, axes: tuple[int, ...]) -> Shape:
    if name != "rfftn":
        return lengths
    return _replaced(lengths, {axes[-1]: lengths[axes[-1]] // 2 + 1})


def _check_type(name: str, given: Any) -> None:
    if not isinstance(given, SupportsIndex) or given not in INVERSE_TYPE:
        raise ValueError(f"{name} of type {given!r}: types are 1 to 4")


def _lengths_and_axes(name: str, shape: Shape, s: Lengths,
                      axes: Lengths) -> tuple[Shape, tuple[int, ...]]:
    """The length of every axis, transformed or not, and which axes are."""
    given, chosen = lengths_and_axes(shape, s, axes)
    if not chosen and name in ("rfftn", "irfftn"):
        raise ValueError("at least 1 axis must be transformed")
    if name == "irfftn" and s is None:
        given[-1] = max(2 * (given[-1] - 1), 1)
    return _replaced(shape, dict(zip(chosen, given))), tuple(chosen)


def _dtype(name: str, dtype: numpy.dtype) -> numpy.dtype:
    """What an array is converted to before it is transformed."""
    real_only = name == "rfftn"
    needs_complex = name in ("fftn", "ifftn", "irfftn")
    if (
        dtype.kind not in "biufc"
        or dtype.itemsize > numpy.dtype(complex).itemsize
        or (dtype.kind == "f" and dtype.itemsize > numpy.dtype(float).itemsize)
    ):
        raise TypeError(f"{name} of elements of dtype {dtype} is not supported")
    if real_only and dtype.kind == "c":
        raise TypeError(f"{name} needs real numbers, not {dtype}")
    default = "complex128" if dtype.kind == "c" else "float64"
    working = numpy.dtype(PRECISIONS.get(dtype.name, default))
    return numpy.result_type(working, numpy.complex64) if needs_complex else working

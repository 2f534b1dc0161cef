"""Ways to make a `DistArray`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy
from mpi4py import MPI
from numpy.typing import ArrayLike, DTypeLike

from weft._layout import Layout
from weft.distarray.base import ArrayBase
from weft.distarray.collective import Context, context_of
from weft.distarray.device import array_module
from weft.distarray.gathering import scatter
from weft.distarray.geometry import Geometry, Shape, described, dtype_of, layout_of, resolve
from weft.distarray.random_field import random_values

if TYPE_CHECKING:
    from typing_extensions import Self

DEFAULT_LAYOUT = "slab:0"


def shape_of(given: int | Iterable[int]) -> Shape:
    lengths = given if isinstance(given, Iterable) else (given,)
    return tuple(operator.index(length) for length in lengths)


def resolved(name: str, comm: MPI.Intracomm | Context | None, shape: int | Iterable[int],
             layout: Layout | str, check: Callable[[], Any] = lambda: None) -> tuple[Geometry, Any]:
    """Collective. The geometry that all ranks ask for, and what `check` returned on this one."""
    context = comm if isinstance(comm, Context) else context_of(comm)
    call = f"{name}, shape={shape!r}, layout={described(layout)})"
    arguments = context.collectively(call, lambda: (shape_of(shape), layout_of(layout), check()))
    return resolve(context, *arguments[:2]), arguments[2]


class Creation(ArrayBase):
    """The constructors of `DistArray`, with its parameters. All of them are collective over `comm`,
    and raise the same error on every rank where an argument is bad on any."""

    def __init__(self, shape: int | Iterable[int], dtype: DTypeLike = float,
                 layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
                 device: str = "host") -> None:
        geometry, chosen = resolved(f"DistArray(dtype={dtype!r}, device={device!r}", comm, shape,
                                    layout, lambda: (array_module(device), dtype_of(dtype))[1])
        self._take(geometry, geometry.empty(chosen, device), device)

    @classmethod
    def empty(cls, shape: int | Iterable[int], dtype: DTypeLike = float,
              layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
              device: str = "host") -> Self:
        """An array whose elements are not initialized. Collective."""
        return cls(shape, dtype, layout, comm, device=device)

    @classmethod
    def full(cls, shape: int | Iterable[int], fill_value: Any, dtype: DTypeLike | None = None,
             layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
             device: str = "host") -> Self:
        """An array whose elements are all `fill_value`, by default of its dtype. Collective."""

        def check() -> numpy.ndarray:
            array_module(device)
            value = numpy.full((), fill_value, dtype)
            dtype_of(value.dtype)
            return value

        name = f"full(fill_value={fill_value!r}, dtype={dtype!r}, device={device!r}"
        geometry, value = resolved(name, comm, shape, layout, check)
        return cls._from_values(geometry, array_module(device).asarray(value), value.dtype, device)

    @classmethod
    def zeros(cls, shape: int | Iterable[int], dtype: DTypeLike = float,
              layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
              device: str = "host") -> Self:
        """An array of zeros. Collective."""
        return cls.full(shape, 0, dtype, layout, comm, device=device)

    @classmethod
    def ones(cls, shape: int | Iterable[int], dtype: DTypeLike = float,
             layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
             device: str = "host") -> Self:
        """An array of ones. Collective."""
        return cls.full(shape, 1, dtype, layout, comm, device=device)

    @classmethod
    def from_function(cls, function: Callable[..., ArrayLike], shape: int | Iterable[int],
                      dtype: DTypeLike | None = None, layout: Layout | str = DEFAULT_LAYOUT,
                      comm: MPI.Intracomm | None = None, *, device: str = "host") -> Self:
        """An array of the values of a function of global indices. Collective.

        Parameters
        ----------
        function
            Called once on every rank with one integer array for each axis: the global indices of
            the rank's box, of shapes that broadcast to that of the box, such as ``(n, 1, 1)``,
            ``(1, n, 1)`` and ``(1, 1, n)``. Must work with arrays that are empty.
        dtype
            Default: the type of the result.
        """
        geometry, _ = resolved("from_function(", comm, shape, layout, lambda: array_module(device))
        context = geometry.context

        def evaluate() -> tuple[Any, numpy.dtype]:
            module = array_module(device)
            indices = module.ix_(*(module.arange(a, b) for a, b in zip(*geometry.box)))
            values = module.asarray(function(*indices))
            chosen = dtype_of(values.dtype if dtype is None else dtype)
            if not numpy.can_cast(values.dtype, chosen, "same_kind"):
                raise TypeError(f"values of dtype {values.dtype} are no elements of dtype {chosen}")
            return module.broadcast_to(values, geometry.local_shape), chosen

        values, chosen = context.collectively(f"from_function(dtype={dtype})", evaluate)
        context.collectively(f"from_function() of dtype {chosen}", lambda: None)
        return cls._from_values(geometry, values, chosen, device)

    @classmethod
    def random(cls, shape: int | Iterable[int], dtype: DTypeLike = float,
               layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
               seed: int = 0, device: str = "host") -> Self:
        """Random numbers, uniform in [-1, 1), of complex types both parts. Collective.

        They depend on shape, seed and place only: every layout and number of ranks sees the same
        array, to rounding of `dtype`, which must be real or complex floating point.
        """

        def check() -> tuple[numpy.dtype, int]:
            chosen = dtype_of(dtype)
            if chosen.kind not in "fc":
                raise TypeError(f"random numbers are real or complex, not {chosen}")
            array_module(device)
            return chosen, operator.index(seed)

        name = f"random(dtype={dtype!r}, seed={seed!r}"
        geometry, (chosen, number) = resolved(name, comm, shape, layout, check)
        values = random_values(geometry.shape, geometry.box, chosen.kind == "c", number)
        return cls._from_values(geometry, array_module(device).asarray(values), chosen, device)

    @classmethod
    def from_local(cls, local: Any, shape: int | Iterable[int],
                   layout: Layout | str = DEFAULT_LAYOUT, comm: MPI.Intracomm | None = None, *,
                   copy: bool | None = None, device: str = "host") -> Self:
        """An array from the local arrays of all ranks. Collective.

        Parameters
        ----------
        local : array_like
            The elements of this rank's box, with the axes in the order of `shape`; of the same
            dtype on all ranks.
        copy
            True: the elements are copied. None: they are copied only if their memory does not match
            the layout; otherwise the arrays share memory. False: a mismatch is an error.

        Raises
        ------
        ValueError
            If the shape is not that of the box, or `copy` is False and a copy is needed.
        """
        geometry, values = resolved(f"from_local(copy={copy}", comm, shape, layout,
                                    lambda: array_module(device).asarray(local))
        context = geometry.context

        def check() -> Any | None:
            dtype_of(values.dtype)
            if values.shape != geometry.local_shape:
                raise ValueError(
                    f"the local array of rank {context.rank} has shape {values.shape}, its box "
                    f"{geometry.box} has {geometry.local_shape}"
                )
            memory = None if copy else geometry.flat(values, device)
            if copy is False and memory is None and values.size > 0:
                raise ValueError(
                    f"the local array of rank {context.rank} has strides {values.strides} bytes; "
                    f"without a copy layout {geometry} needs {geometry.strides} in elements, and "
                    f"memory for {geometry.size}"
                )
            return memory

        memory = context.collectively(f"from_local(dtype={values.dtype})", check)
        if memory is not None:
            return cls._of(geometry, memory, device)
        return cls._from_values(geometry, values, values.dtype, device)

    @classmethod
    def from_global(cls, array: ArrayLike, layout: Layout | str = DEFAULT_LAYOUT,
                    comm: MPI.Intracomm | None = None, *, device: str = "host") -> Self:
        """An array from a global one that every rank has; each rank copies its box. Collective."""
        whole = numpy.asarray(array)
        geometry, dtype = resolved(f"from_global(dtype={whole.dtype}", comm, whole.shape, layout,
                                   lambda: dtype_of(whole.dtype))
        mine = array_module(device).asarray(whole[geometry.box.slices])
        return cls._from_values(geometry, mine, dtype, device)

    @classmethod
    def scatter(cls, array: ArrayLike | None, layout: Layout | str = DEFAULT_LAYOUT,
                comm: MPI.Intracomm | None = None, *, root: int = 0, device: str = "host") -> Self:
        """An array from a global one that rank `root` has; other ranks pass None. Collective."""
        context = context_of(comm)

        def check() -> tuple[Shape, numpy.dtype] | None:
            array_module(device)
            if not 0 <= operator.index(root) < context.size:
                raise ValueError(f"root {root} is none of the {context.size} ranks")
            if context.rank != root:
                return None
            whole = numpy.asarray(array)
            return whole.shape, dtype_of(whole.dtype)

        mine = context.collectively(f"scatter(root={root})", check)
        shape, dtype = context.comm.bcast(mine, root)
        geometry, _ = resolved("scatter(", context, shape, layout)
        whole = numpy.asarray(array) if context.rank == root else None
        local = scatter(geometry, whole, dtype, root)
        return cls._from_values(geometry, array_module(device).asarray(local), local.dtype, device)

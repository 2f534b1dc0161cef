"""Halo exchange."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike, NDArray

from weft import _core
from weft._collective import Collective, check_names, make_collectively
from weft._layout import Layout
from weft._local_array import LocalArray
from weft._request import (
    checked_layout,
    number_type,
    numbers_of,
    optional_numbers,
)


class Halo(Collective[_core.Halo]):
    """The halo exchange of a distributed array, set up once and used many times.

    The halo of a rank consists of the points around its box, including edges and corners, that
    other ranks own, or the rank itself across a periodic border. Each rank sends one message to
    each rank that needs its points.

    Making and destroying it and all its operations are collective over the communicator, which is
    duplicated. Errors are raised on all ranks, and the array was not written then. The rules for
    threads and the lifetime of `Plan` apply.

    Parameters
    ----------
    shape : sequence of int
        Shape of the global array, 1 to 6 axes.
    dtype : dtype, optional
        float64 (default), float32, complex128 or complex64.
    comm : mpi4py.MPI.Intracomm, optional
        Communicator; all processes by default.
    layout : str or Layout, optional
        Which box each rank owns, and how it lies in memory: `Layout.with_halo` leaves the room.
    lower, upper : sequence of int, optional
        Widths of the halo before and after the box along each axis: at most those of the layout's
        halo, which are the default. They may exceed the boxes of neighbors. With explicit strides
        they must be given, and the array has room for just these.
    periodic : bool or sequence of bool, optional
        Whether the halo wraps around, for all axes or for each.
    batch : int, optional
        Number of fields exchanged together.
    interleaved : bool, optional
        Whether the fields lie side by side at each point.

    Raises
    ------
    weft.Error
        If an argument is invalid on any rank, or differs between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> layout = weft.slab_split(0).with_halo((1, 0), (1, 0))
    >>> with weft.Halo((12, 10), np.float64, layout=layout, periodic=True) as halo:
    ...     x = halo.zeros()  # with the halo
    ...     x[halo.owned] = 1
    ...     halo.exchange(x)
    """

    def __init__(self, shape: Sequence[int] | int, dtype: DTypeLike = np.float64,
                 comm: MPI.Intracomm = MPI.COMM_WORLD, *, layout: str | Layout = "slab:0",
                 lower: Sequence[int] | None = None, upper: Sequence[int] | None = None,
                 periodic: bool | Sequence[bool] = False, batch: int = 1,
                 interleaved: bool = False, **misspelled: NoReturn) -> None:
        def read() -> dict[str, Any]:
            check_names(Halo, misspelled, ())
            lengths = numbers_of(shape)
            precision, numbers = number_type(dtype)
            if isinstance(periodic, (bool, np.bool_)):
                wraps = (bool(periodic),) * len(lengths)
            elif isinstance(periodic, Iterable):
                wraps = tuple(map(bool, periodic))
            else:
                raise TypeError(f"periodic {periodic!r}: must be a bool, or one for each axis")
            return {"shape": lengths, "precision": precision, "numbers": numbers,
                    "layout": checked_layout(layout, "the halo's"),
                    "lower": optional_numbers(lower), "upper": optional_numbers(upper),
                    "periodic": wraps, "batch": batch, "interleaved": interleaved}

        self._core = make_collectively(_core.Halo, comm, read)
        self._array = LocalArray(*self._core.side(owned=True))
        lower_corner, upper_corner, extents, strides, *_ = self._core.side(owned=False)
        field_axis = self._array.field_axis
        reach = 1 + sum((n - 1) * stride for n, stride in zip(extents, strides))
        # There may be padding behind the last element; with explicit strides there is room before
        # the first owned one.
        size = max(self._array.allocation_size, reach) if 0 not in extents else 0
        self._whole = LocalArray(lower_corner, upper_corner, extents, strides, 0, size,
                                 self._array.dtype.name, field_axis)
        self._owned = tuple(slice(a - c, b - c)
                            for a, b, c in zip(*self._array.box, self._whole.box.lower))
        if field_axis == 0:
            self._owned = (slice(None), *self._owned)

    def exchange(self, x: NDArray[Any]) -> None:
        """Fills the halo with the values of the owners. Collective.

        Parameters
        ----------
        x : array
            Array with its halo, as `empty` makes it. Nothing else changes, including the halo
            beyond borders that are not periodic.

        Raises
        ------
        weft.Error
            If an array of any rank does not fit, or ranks called different operations.
        """
        self._core.run(True, x)

    def accumulate(self, x: NDArray[Any]) -> None:
        """Adds the values in the halos to the points of their owners: the reverse of `exchange`,
        for example for the charge of particles. Collective.

        Parameters
        ----------
        x : array
            Array with its halo, which does not change. Sums have the same order each time.
        """
        self._core.run(False, x)

    def start_exchange(self, x: NDArray[Any]) -> None:
        """Starts an `exchange`, so that the caller can do other work, for example on points that
        need no halo. Until `wait` has returned, or `test` has returned true, the array may be read
        but not written; it is kept alive."""
        self._core.start(True, x)

    def start_accumulate(self, x: NDArray[Any]) -> None:
        """Starts to `accumulate`; see `start_exchange`."""
        self._core.start(False, x)

    def test(self) -> bool:
        """Whether the operation that was started is complete; never waits. Raises `weft.Error` if
        none was started."""
        return self._core.test()

    def wait(self) -> None:
        """Completes the operation that was started. Raises `weft.Error` if there was none."""
        self._core.wait()

    def empty(self) -> NDArray[Any]:
        """Makes an uninitialized array of this rank, with its halo.

        Returns
        -------
        numpy.ndarray
            ``empty()[halo.owned]`` is the part that the rank owns, and that plans with the same
            layout take.
        """
        array: NDArray[Any] = self._whole.empty()
        return array

    def zeros(self) -> NDArray[Any]:
        """Makes an array of zeros: otherwise as `empty`."""
        array: NDArray[Any] = self._whole.zeros()
        return array

    @property
    def array(self) -> LocalArray:
        """This rank's array: its box, without the halo, and its place in memory."""
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of this rank's array with its halo; a length is 0 if the rank owns nothing."""
        return self._whole.shape

    @property
    def owned(self) -> tuple[slice, ...]:
        """Slices of the points that this rank owns in its array."""
        return self._owned

    @property
    def lower(self) -> tuple[int, ...]:
        """Points exchanged before the box along each axis."""
        return self._core.lower

    @property
    def upper(self) -> tuple[int, ...]:
        """Points exchanged after the box."""
        return self._core.upper

    @property
    def peers(self) -> int:
        """Number of other ranks that this rank sends points to in an exchange."""
        return self._core.peers

    @property
    def bytes_sent(self) -> int:
        """Number of bytes that this rank sends to others in an exchange."""
        return self._core.bytes_sent

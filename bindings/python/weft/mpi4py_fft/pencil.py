"""Communicators along axes, the parts of arrays that go with them, and what moves arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from weft._layout import box
from weft._modules import device_of, module_of
from weft._plan import Plan
from weft.distarray.redistribution import CARRIERS, words

if TYPE_CHECKING:
    from typing_extensions import Self


def block(length: int, size: int, rank: int) -> tuple[int, int]:
    """Number of points and first point of a rank's part of an axis: parts differ by at most one
    point, larger ones first."""
    quotient, rest = divmod(length, size)
    return quotient + (rank < rest), rank * quotient + min(rank, rest)


def spanning(subcomms: Iterable[MPI.Intracomm]) -> MPI.Intracomm:
    """A new communicator of all processes that the communicators of the axes connect. Collective
    over them; the caller frees it."""
    world = MPI.COMM_WORLD
    members = [world.rank]
    for comm in subcomms:
        if comm.size > 1:
            members = [rank for others in comm.allgather(members) for rank in others]
    everyone = world.Get_group()
    group = everyone.Incl(sorted(members))
    result = world.Create_group(group)
    group.Free()
    everyone.Free()
    return result


class Subcomm(tuple):
    """A tuple of communicators, one for each axis of a Cartesian grid of processes.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        Of all processes; or a Cartesian communicator, whose grid is taken.
    dims : int or sequence of int, optional
        The grid: numbers of processes, where zeros and negative numbers are left to
        ``MPI_Dims_create``. A single number is that of the axes, all of them free; one by default.
        Must be None for a Cartesian `comm`.
    reorder : bool, optional
        Whether MPI may number the processes of the grid in another order.

    Raises
    ------
    ValueError
        If `comm` is an intercommunicator, or `dims` makes no sense.

    Notes
    -----
    Collective. The communicators are the user's to free, by `destroy`.
    """

    def __new__(cls, comm: MPI.Intracomm, dims: int | Sequence[int] | None = None,
                reorder: bool = True) -> Self:
        if comm.Is_inter():
            raise ValueError("comm must not be an intercommunicator")
        is_given = comm.Get_topology() == MPI.CART
        if is_given:
            if dims is not None:
                raise ValueError("dims must not be given with a Cartesian communicator")
            grid = comm
        else:
            lengths = [0] if dims is None else [0] * dims if np.ndim(dims) == 0 else list(dims)
            if not lengths:
                raise ValueError(f"dims {dims!r}: at least one axis is needed")
            free = [max(0, int(length)) for length in lengths]
            grid = comm.Create_cart(MPI.Compute_dims(comm.size, free), reorder=reorder)
        axes = range(grid.Get_dim())
        made = [grid.Sub([other == axis for other in axes]) for axis in axes]
        if not is_given:
            grid.Free()
        return super().__new__(cls, made)

    def destroy(self) -> None:
        """Frees the communicators. Collective."""
        for comm in self:
            if comm != MPI.COMM_NULL:
                comm.Free()


class Pencil:
    """The part of an array that this process has where one axis, at least, is whole.

    Parameters
    ----------
    subcomm : Subcomm or sequence of communicators
        One for each axis of the array. If there are fewer, they are those of the first axes other
        than `axis`, and the rest stays whole.
    shape : sequence of int
        Of the global array.
    axis : int, optional
        The axis that is whole: the pencil is aligned with it.

    Attributes
    ----------
    shape : tuple of int
        Of the global array.
    axis : int
        As above, not negative.
    subcomm : tuple of communicators
        One for each axis.
    subshape, substart : tuple of int
        Shape of this process's part, and its first index along each axis. Parts may be empty.

    Raises
    ------
    ValueError
        If the communicators do not fit the shape, or the axis is not whole.
    """

    def __init__(self, subcomm: Sequence[MPI.Intracomm], shape: Sequence[int],
                 axis: int = -1) -> None:
        count = len(shape)
        if not -count <= axis < count:
            raise ValueError(f"axis {axis} of an array of {count} axes")
        if min(shape) < 1 or not 1 <= len(subcomm) <= count:
            raise ValueError(f"{len(subcomm)} communicators for the shape {tuple(shape)}")
        axis %= count
        comms = list(subcomm)
        if len(comms) < count:
            comms += [MPI.COMM_SELF] * (count - 1 - len(comms))
            comms.insert(axis, MPI.COMM_SELF)
        if comms[axis].size != 1:
            raise ValueError(f"axis {axis} is divided among {comms[axis].size} processes")
        parts = [block(int(n), comm.size, comm.rank) for n, comm in zip(shape, comms)]
        self.shape = tuple(int(n) for n in shape)
        self.axis = axis
        self.subcomm = tuple(comms)
        self.subshape = tuple(length for length, _ in parts)
        self.substart = tuple(start for _, start in parts)

    @property
    def slices(self) -> tuple[slice, ...]:
        """This part as an index of the global array."""
        return tuple(slice(start, start + length)
                     for start, length in zip(self.substart, self.subshape))

    def pencil(self, axis: int) -> Pencil:
        """The pencil aligned with another axis: the two axes swap their communicators."""
        count = len(self.shape)
        if not -count <= axis < count:
            raise ValueError(f"axis {axis} of an array of {count} axes")
        axis %= count
        comms = list(self.subcomm)
        comms[axis], comms[self.axis] = comms[self.axis], comms[axis]
        return Pencil(comms, self.shape, axis)

    def transfer(self, pencil: Pencil, dtype: DTypeLike) -> Transfer:
        """What moves arrays of this type from here to another pencil, and back.

        Parameters
        ----------
        pencil : Pencil
            Of the same array, aligned with another axis: what `pencil` returns.
        dtype : dtype

        Raises
        ------
        ValueError
            If more differs between the pencils than the two axes.
        """
        mine, other = self.axis, pencil.axis
        swapped = list(self.subcomm)
        swapped[mine], swapped[other] = swapped[other], swapped[mine]
        if self.shape != pencil.shape or mine == other or pencil.subcomm != tuple(swapped):
            raise ValueError("the pencils are not those of two axes of one array")
        shape = list(self.subshape)
        shape[other] = self.shape[other]
        return Transfer(self.subcomm[other], shape, dtype, self.subshape, mine,
                        pencil.subshape, other)


class Transfer:
    """Moves an array from a layout in which one axis is whole to one in which another axis is.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        Who takes part.
    shape : sequence of int
        Of the array that these processes have together.
    dtype : dtype
        Of any size.
    subshapeA, subshapeB : sequence of int
        Shapes of this process's part on either side.
    axisA, axisB : int
        The axis that is whole on either side; the other one is divided.

    Notes
    -----
    Arrays may be NumPy's or CuPy's. The plan is made when it is first used, which is collective.
    """

    def __init__(self, comm: MPI.Intracomm, shape: Sequence[int], dtype: DTypeLike,
                 subshapeA: Sequence[int], axisA: int, subshapeB: Sequence[int],
                 axisB: int) -> None:
        self.comm = comm
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.subshapeA, self.axisA = tuple(subshapeA), axisA
        self.subshapeB, self.axisB = tuple(subshapeB), axisB
        self._plans: dict[tuple[str, int], Plan] = {}

    def forward(self, arrayA: Any, arrayB: Any) -> None:
        """Moves from side A to side B. Collective.

        Parameters
        ----------
        arrayA, arrayB : array
            Of `subshapeA` and `subshapeB`, and of `dtype`.

        Raises
        ------
        weft.Error
            On all processes, if an array of any is not as it should be.
        """
        self._move(arrayA, self.subshapeA, arrayB, self.subshapeB, forward=True)

    def backward(self, arrayB: Any, arrayA: Any) -> None:
        """Moves from side B to side A; otherwise as `forward`."""
        self._move(arrayB, self.subshapeB, arrayA, self.subshapeA, forward=False)

    def destroy(self) -> None:
        """Frees the plans. Collective."""
        for plan in self._plans.values():
            plan.destroy()
        self._plans.clear()

    def _move(self, source: Any, source_shape: tuple[int, ...], target: Any,
              target_shape: tuple[int, ...], forward: bool) -> None:
        if math.prod(self.shape) == 0:  # on all of these processes
            return
        size = self.dtype.itemsize
        if any(np.shape(array) != shape or array.dtype != self.dtype
               for array, shape in ((source, source_shape), (target, target_shape))):
            plan = self._plan_of(source, max(next(words(size))[1], 4))
            (plan.forward if forward else plan.backward)(source, target)  # an error on all of them
            return
        module = module_of(source)
        sent = module.ascontiguousarray(source)
        received = target if target.flags.c_contiguous else module.empty(target_shape, self.dtype)
        if size in CARRIERS:
            self._run(sent, received, size, forward)
        else:
            self._move_words(sent, received, forward)
        if received is not target:
            target[...] = received

    def _move_words(self, source: Any, target: Any, forward: bool) -> None:
        """Elements that no plan knows: up to 16 bytes of each at a time."""
        module = module_of(source)
        size = self.dtype.itemsize
        sent = source.reshape(-1).view(module.uint8).reshape(-1, size)
        received = target.reshape(-1).view(module.uint8).reshape(-1, size)
        for begin, width in words(size):
            carried = max(width, 4)
            packed = module.zeros((sent.shape[0], carried), module.uint8)
            packed[:, :width] = sent[:, begin:begin + width]
            arrived = module.empty((received.shape[0], carried), module.uint8)
            self._run(packed, arrived, carried, forward)
            received[:, begin:begin + width] = arrived[:, :width]

    def _run(self, source: Any, target: Any, size: int, forward: bool) -> None:
        """Moves the bits of elements of a size that plans know."""
        plan = self._plan_of(source, size)
        sides = (plan.input, plan.output) if forward else (plan.output, plan.input)
        (plan.forward if forward else plan.backward)(*(
            array.reshape(-1).view(CARRIERS[size]).reshape(side.shape)
            for array, side in zip((source, target), sides)))

    def _plan_of(self, source: Any, size: int) -> Plan:
        name, number = device_of(source)
        plan = self._plans.get((name, size))
        if plan is None:
            plan = self._plans[name, size] = self._make(size, name, number)
        return plan

    def _make(self, size: int, device: str, number: int) -> Plan:
        """Neighboring axes that neither side divides are one."""
        first, second = sorted((self.axisA, self.axisB))
        merged = [slice(0, first), slice(first, first + 1), slice(first + 1, second),
                  slice(second, second + 1), slice(second + 1, None)]

        def extents(shape: Sequence[int]) -> list[int]:
            return [math.prod(shape[axes]) for axes in merged]

        def part(whole_axis: int) -> Any:
            divided = 3 if whole_axis == first else 1
            lower, upper = [0] * 5, extents(self.shape)
            length, lower[divided] = block(upper[divided], self.comm.size, self.comm.rank)
            upper[divided] = lower[divided] + length
            return box(lower, upper)

        return Plan(extents(self.shape), CARRIERS[size], self.comm, kinds="none",
                    input=part(self.axisA), output=part(self.axisB), device=device,
                    device_number=number)

"""Plans that arrays keep: how many, whose, and what becomes of them."""

import gc

import numpy as np
from mpi4py import MPI

import weft
import weft.fft
from cases import expect_equal, refuses
from weft import DistArray
from weft.distarray.collective import context_of
from weft.fft._pool import pool


def check_plans_are_made_once(comm):
    part = comm.Dup()
    a = DistArray.ones((6, 8), "c16", "slab:0", part)
    plans = context_of(part).plans
    for _ in range(3):
        a.fftn(layout="slab:1").ifftn(layout="slab:0")
        a.redistribute("slab:1")
    assert len(plans) == 1 + (comm.size > 1)  # one for both directions
    a.fftn(norm="ortho", layout="slab:1")
    a.astype("c8").fftn(layout="slab:1")
    a.fftn(axes=(0,), layout="slab:1")
    assert len(plans) == 4 + (comm.size > 1)
    part.Free()


def check_limit(comm):
    part = comm.Dup()
    weft.set_plan_limit(2, part)
    x = np.arange(48.0).reshape(6, 8)
    a = DistArray.from_global(x, "slab:0", part)
    for length in (5, 6, 7, 5, 6, 7):
        b = a.rfftn(s=(6, length))
        assert np.allclose(b.allgather(), np.fft.rfftn(x, s=(6, length), axes=(0, 1)))
        assert len(context_of(part).plans) <= 2
    weft.clear_plans(part)
    assert len(context_of(part).plans) == 0
    expect_equal(a.redistribute("slab:1"), x)
    refuses(comm, ValueError, lambda: weft.set_plan_limit(0, part), "limit of plans 0")
    refuses(part, TypeError, lambda: weft.set_plan_limit(2.5, part), "integer")
    part.Free()


def check_limit_and_clearing_without_a_communicator(comm):
    """Then weft.fft's plans count too, those of this process."""
    x = np.arange(48.0).reshape(6, 8)
    kept = context_of(comm).plans
    for length in (5, 6, 7):
        DistArray.from_global(x, "slab:0", comm).rfftn(s=(6, length))
        weft.fft.rfft(x, length)
    weft.set_plan_limit(2)
    assert len(kept) == len(pool) == 2
    weft.fft.rfft(x, 8)
    assert len(pool) == 2
    assert context_of(MPI.COMM_SELF).plans.limit == 2
    weft.clear_plans()
    assert len(kept) == len(pool) == 0
    weft.set_plan_limit(64, MPI.COMM_SELF)
    assert kept.limit == 2 and pool.most_plans == 64
    weft.fft.fft([1, 2])
    if comm.rank == 0:
        weft.clear_plans(MPI.COMM_SELF)  # what belongs to one process waits for nobody
    assert len(pool) == (comm.rank != 0)
    weft.set_plan_limit(16)
    refuses(comm, TypeError, lambda: weft.clear_plans(3), "intracommunicator")


def check_garbage_of_one_rank_only(comm):
    """Arrays die on different ranks at different times; their plans do not."""
    kept = []
    x = np.arange(30.0).reshape(5, 6)
    for turn in range(12):
        a = DistArray.from_global(x, weft.slab_split(turn % 2), comm)
        b = a.redistribute(weft.slab_split(1 - turn % 2)).fftn(s=(5, 6 + turn % 4))
        if turn % comm.size == comm.rank:
            kept += [a, b]
        del a, b
        if (turn + comm.rank) % 3 == 0:
            gc.collect()
    for array in kept:
        assert array.local.shape == array.box.extents


def check_arrays_outlive_their_communicator(comm):
    part = comm.Dup()
    a = DistArray.ones((4, 5), comm=part)
    a.fftn()
    part.Free()
    assert (a.local == 1).all()
    assert ((a + 1).local == 2).all()
    refuses(comm, RuntimeError, lambda: a.sum(), "has been freed")


def check_layouts_that_are_known_on_some_ranks_only(comm):
    """Own boxes: rank 0 gives the same as before, others do not."""
    if comm.size < 3:
        return
    x = np.arange(float(comm.size * 4)).reshape(comm.size, 4)
    boxes = [((rank, 0), (rank + 1, 4)) for rank in range(comm.size)]
    for swapped in (False, True, False):
        if swapped:
            boxes[1], boxes[2] = boxes[2], boxes[1]
        a = DistArray.from_global(x, weft.box(*boxes[comm.rank]), comm)
        assert a.boxes[1] == boxes[1]
        expect_equal(a.redistribute("slab:1"), x)
        expect_equal(a.redistribute("slab:1").redistribute(weft.box(*boxes[comm.rank])), x)

"""Files: what NumPy and h5py make of them, and bad ones."""

import os
import resource
import stat
from pathlib import Path

import h5py
import numpy as np

import weft
from cases import (
    DTYPES,
    choices,
    distributed,
    expect_equal,
    raises,
    random_global,
    random_layout,
    random_shape,
    refuses,
)
from weft import DistArray
from weft.distarray import parallel_file


def on_first(comm, work):
    """Does it on rank 0, before any rank goes on."""
    comm.Barrier()
    if comm.rank == 0:
        work()
    comm.Barrier()


def folder_of(comm):
    return sorted(comm.bcast(os.listdir(".") if comm.rank == 0 else None))


def check_saving(comm):
    choose = choices(comm, "saving")
    for dtype in DTYPES:
        whole = random_global(choose, random_shape(choose), dtype)
        distributed(choose, whole, comm).save("saved.npy")
        read = np.load("saved.npy")
        assert read.dtype == whole.dtype and read.shape == whole.shape
        assert read.tobytes() == whole.tobytes() and read.flags.c_contiguous
        comm.Barrier()
    assert folder_of(comm) == ["saved.npy"]


def check_saved_files_are_those_of_numpy(comm):
    whole = np.arange(35.0).reshape(5, 7)
    DistArray.from_global(whole, "slab:1", comm).save("ours.npy")
    on_first(comm, lambda: np.save("numpys.npy", whole))
    assert Path("ours.npy").read_bytes() == Path("numpys.npy").read_bytes()


def check_loading(comm):
    choose = choices(comm, "loading")
    for dtype in (*DTYPES, ">f8", ">c8", ">i2"):
        whole = random_global(choose, random_shape(choose), dtype)
        for version in [(1, 0), (2, 0)]:
            for order in "CF":

                def write():
                    with open("loaded.npy", "wb") as file:
                        np.lib.format.write_array(file, np.asarray(whole, order=order), version)

                on_first(comm, write)
                layout = random_layout(choose, whole.shape, comm)
                native = whole.astype(whole.dtype.newbyteorder("="))
                expect_equal(weft.load("loaded.npy", layout, comm), native)


def check_many_rounds(comm):
    whole = random_global(choices(comm, "rounds"), (9, 10), "f8")
    a = DistArray.from_global(whole, comm=comm)
    on_first(comm, lambda: Path("rounds.npy").write_bytes(bytes(10)))
    data = a.memory.view(np.uint8)
    begin = 10 + a.box.lower[0] * 80
    usual = parallel_file.CHUNK
    try:
        parallel_file.CHUNK = 37
        parallel_file.write(a._context, "rounds.npy", begin, data, "it")
        comm.Barrier()
        assert Path("rounds.npy").read_bytes()[10:] == whole.tobytes()
        parallel_file.CHUNK = 41
        back = np.zeros_like(data)
        parallel_file.read(a._context, "rounds.npy", begin, back)
        assert (back == data).all()
    finally:
        parallel_file.CHUNK = usual


def check_names_links_and_permissions(comm):
    a = DistArray.ones((4, 5), comm=comm)
    for name in ["ufs:a.npy", "a:b.npy", "with space.npy", "é.npy", Path("path.npy")]:
        a.save(name)
        expect_equal(weft.load(name, comm=comm), np.ones((4, 5)))

    def prepare():
        Path("target.npy").write_bytes(b"old")
        Path("target.npy").chmod(0o640)
        Path("link.npy").symlink_to("target.npy")

    on_first(comm, prepare)
    a.save("link.npy")
    assert Path("link.npy").is_symlink()
    assert stat.S_IMODE(Path("target.npy").stat().st_mode) == 0o640
    assert np.load("target.npy").shape == (4, 5)


def header(text):
    return b"\x93NUMPY\x01\x00" + (len(text) + 1).to_bytes(2, "little") + text.encode() + b"\n"


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"


def check_bad_npy_files(comm):
    bad = {
        "missing": (None, OSError, "bad.npy"),
        "empty": (b"", ValueError, "bad.npy"),
        "text": (b"1.0 2.0\n" * 9, ValueError, "bad.npy"),
        "header cut": (header(GOOD)[:40], ValueError, "bad.npy"),
        "truncated": (header(GOOD) + bytes(47), ValueError, "bad.npy"),
        "too long": (header(GOOD) + bytes(49), ValueError, "its header needs"),
        "malformed": (header("{'descr': 1"), ValueError, "bad.npy"),
        "object": (header(GOOD.replace("<f8", "|O")) + bytes(48), ValueError, "bad.npy"),
        "no points": (header(GOOD.replace("3", "0")), ValueError, "bad.npy"),
        "no axes": (header(GOOD.replace("(2, 3)", "()")) + bytes(8), ValueError, "no points"),
        "negative": (header(GOOD.replace("3", "-3")) + bytes(48), ValueError, "bad.npy"),
        "seven axes": (header(GOOD.replace("(2, 3)", str((1,) * 7))) + bytes(8), ValueError, "6"),
    }
    for name, (content, kind, says) in bad.items():

        def write():
            if content is not None:
                Path("bad.npy").write_bytes(content)

        on_first(comm, write)
        try:
            refuses(comm, kind, lambda: weft.load("bad.npy", comm=comm), says)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    on_first(comm, lambda: np.savez("bad.npz", x=np.zeros(3)))
    refuses(comm, ValueError, lambda: weft.load("bad.npz", comm=comm), "bad.npz")
    refuses(comm, OSError, lambda: weft.load(".", comm=comm))
    refuses(comm, TypeError, lambda: weft.load(3, comm=comm))
    on_first(comm, lambda: np.save("good.npy", np.zeros((4, 5))))
    refuses(comm, weft.Error, lambda: weft.load("good.npy", "slab:2", comm), "axis 2")


def check_files_that_cannot_be_written(comm):
    a = DistArray.zeros((4, 5), comm=comm)
    on_first(comm, lambda: os.mkdir("folder"))
    for name in ["folder", "nowhere/a.npy", "/dev/null"]:
        for save in [a.save, lambda path: weft.save_hdf5(path, {"a": a})]:
            refuses(comm, OSError, lambda: save(name), name)
    assert folder_of(comm).count("folder") == 1


def check_limit_of_file_size_stands_for_a_full_disk(comm):
    old = np.arange(5.0)
    a = DistArray.zeros((40, 50), comm=comm)  # 16000 bytes
    on_first(comm, lambda: np.save("old.npy", old))
    before = folder_of(comm)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8000, limits[1]))
    try:
        refuses(comm, OSError, lambda: a.save("old.npy"), "old.npy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (np.load("old.npy") == old).all()
    assert folder_of(comm) == before


def check_hdf5(comm):
    choose = choices(comm, "hdf5")
    for dtype in ["f4", "f8", "c8", "c16", "i2", "?", "S3", "f8,i2"]:
        first = random_global(choose, random_shape(choose), dtype)
        second = random_global(choose, random_shape(choose), "f8")
        arrays = {
            "first": distributed(choose, first, comm),
            "group/second": distributed(choose, second, comm),
        }
        weft.save_hdf5("file.h5", arrays)
        if comm.rank == 0:
            with h5py.File("file.h5", "r") as file:
                assert file["first"][...].tobytes() == first.tobytes()
                assert (file["group/second"][...] == second).all()
        comm.Barrier()
        layout = random_layout(choose, first.shape, comm)
        expect_equal(weft.load_hdf5("file.h5", "first", layout, comm), first)
        expect_equal(weft.load_hdf5("file.h5", "group/second", comm=comm), second)
    assert not [name for name in folder_of(comm) if name.startswith(".weft")]


def check_bad_hdf5_files(comm):
    a = DistArray.zeros((40, 50), comm=comm)
    weft.save_hdf5("good.h5", {"a": a})
    size = os.path.getsize("good.h5")

    def damage():
        data = Path("good.h5").read_bytes()
        Path("cut.h5").write_bytes(data[: size // 2])
        with h5py.File("odd.h5", "w") as file:
            file["none"] = np.zeros((3, 0))
            file["scalar"] = 1.0
            file["text"] = ["a", "bc"]
            file.create_group("group")

    on_first(comm, damage)
    refuses(comm, OSError, lambda: weft.load_hdf5("missing.h5", "a", comm=comm), "missing.h5")
    refuses(comm, OSError, lambda: weft.load_hdf5("cut.h5", "a", comm=comm))
    for name in ["b", "group"]:
        refuses(comm, KeyError, lambda: weft.load_hdf5("odd.h5", name, comm=comm), name, "odd.h5")
    for name in ["none", "scalar"]:
        refuses(comm, ValueError, lambda: weft.load_hdf5("odd.h5", name, comm=comm), name)
    refuses(comm, TypeError, lambda: weft.load_hdf5("odd.h5", "text", comm=comm), "object")
    refuses(comm, ValueError, lambda: weft.save_hdf5("good.h5", {}))
    refuses(comm, TypeError, lambda: weft.save_hdf5("good.h5", {"a": np.zeros(3)}), "ndarray")
    with raises(comm, TypeError):
        weft.save_hdf5("good.h5", {"a": a, "b": DistArray((3,), "M8[s]", comm=comm)})
    assert os.path.getsize("good.h5") == size
    assert not [name for name in folder_of(comm) if name.startswith(".weft")]

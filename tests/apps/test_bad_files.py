"""Files that `weft transform` must refuse: one message with the offending values, an exit status
that is not zero, and every file left as it was."""

import os
import resource
import shlex
import subprocess
import sys

import numpy as np
import pytest

from conftest import check_failure

ESCAPES = {0x0a: "\\x0a", 0x1b: "\\x1b", 0x9b: "\\xc2\\x9b"}
OLD = b"an older result"


@pytest.fixture
def files(weft):
    np.save(weft.folder / "in.npy", np.arange(60.0).reshape(3, 4, 5))
    (weft.folder / "out.npy").write_bytes(OLD)
    return weft


def is_harmless(text):
    """What reaches the terminal neither upsets nor fills it."""
    assert "\x1b" not in text and "\x07" not in text and "\x9b" not in text
    assert text.count("\n") == 1 and len(text) < 3000


def header(text, version=1, length=None):
    body = text.encode() + b"\n"
    count = (len(body) if length is None else length).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + count + body


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"

MALFORMED = {
    "empty": (b"", "not a NumPy file"),
    "text": (b"1.0 2.0 3.0\n" * 9, "not a NumPy file"),
    "magic only": (b"\x93NUMPY", "truncated within its header"),
    "preamble cut": (b"\x93NUMPY\x02\x00\x40\x00", "truncated within its header"),
    "header cut": (header(GOOD, length=500), "truncated within its header"),
    "huge header": (header(GOOD, version=2, length=2**32 - 1), "truncated within its header"),
    "version": (header(GOOD, version=9), "version 9"),
    "no dictionary": (header("[1, 2]"), "malformed"),
    "no end": (header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)"), "malformed"),
    "rest": (header(GOOD + " 7") + bytes(48), "malformed"),
    "no shape": (header("{'descr': '<f8', 'fortran_order': False, }"), "missing"),
    "twice": (header("{'descr': '<f8', 'descr': '<f8'}"), "unexpected key 'descr'"),
    "other key": (header(GOOD.replace("shape", "form")), "unexpected key 'form'"),
    "order": (header(GOOD.replace("False", "0")), "expected True or False"),
    "list as shape": (header(GOOD.replace("(2, 3)", "[2, 3]")), "expected '('"),
    "fractional length": (header(GOOD.replace("3", "3.5")), "malformed"),
    "negative length": (header(GOOD.replace("3", "-3")), "(2, -3)"),
    "zero length": (header(GOOD.replace("3", "0")), "(2, 0)"),
    "64-bit length": (header(GOOD.replace("3", str(2**64))), "63 bits"),
    "too many points": (header(GOOD.replace("3", str(2**62))), "4611686018427387904"),
    "no axes": (header(GOOD.replace("(2, 3)", "()")) + bytes(8), "0 axes"),
    "seven axes": (header(GOOD.replace("(2, 3)", "(1, 1, 1, 1, 1, 1, 1)")) + bytes(8), "7 axes"),
    "control characters": (header("{'descr\x1b[31m': 1}"), "descr\\x1b[31m"),
    "control characters of a key": (header("{'\x1b[2J': 1}"), "unexpected key '\\x1b[2J'"),
    "control characters of a dtype": (header(GOOD.replace("<f8", "\x1b]0;x\x07")),
                                      "dtype '\\x1b]0;x\\x07'"),
    "long key": (header("{'%s': 1}" % ("k" * 60000)), "unexpected key 'kkk"),
    "long dtype": (header(GOOD.replace("<f8", "d" * 60000)), "dtype 'ddd"),
    "long shape": (header(GOOD.replace("(2, 3)", "(" + "1, " * 20000 + ")")), "20000 axes"),
    "not of one line": (header(GOOD.replace("<f8", "\nweft: no")), "\\x0aweft: no"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(files, name):
    content, says = MALFORMED[name]
    (files.folder / "bad.npy").write_bytes(content)
    files.fail("transform", "bad.npy", "out.npy", ranks=3, says=["'bad.npy'", says])
    is_harmless(files.run("transform", "bad.npy", "out.npy").stderr)


@pytest.mark.parametrize("dtype", [">f8", ">c16", "<i4", "<f2", "<u8", "|b1", "|S5", "<f16"])
def test_wrong_dtype(files, dtype):
    np.save(files.folder / "bad.npy", np.zeros((3, 4), dtype))
    files.fail("transform", "bad.npy", "out.npy", ranks=3, says=["'bad.npy'", dtype, "<c16"])


@pytest.mark.parametrize("dtype", [">f8", ">f4", ">c16", ">c8", "<i4", "<f2", "<u8", "|b1", "<f16"])
def test_other_dtypes_are_converted_as_the_message_proposes(files, dtype):
    array = np.arange(12).reshape(3, 4).astype(dtype)
    np.save(files.folder / "bad file.npy", array)
    told = files.run("transform", "bad file.npy", "out.npy").stderr
    follow_advice(files, told.split("; convert it with ")[1])
    assert (np.load(files.folder / "converted.npy") == array).all()


def follow_advice(files, command):
    """A line of python3, after which the file that it makes can be transformed."""
    assert command.startswith("python3 -c ")
    script = shlex.split(command)[2]
    subprocess.run([sys.executable, "-c", script], cwd=files.folder, check=True)
    files.succeed("transform", "converted.npy", "out.npy")


def test_archives(files):
    np.savez(files.folder / "bad.npz", u=np.ones((3, 4)))
    files.fail("transform", "bad.npz", "out.npy", ranks=2, says=["'bad.npz' is a NumPy archive"])
    told = files.run("transform", "bad.npz", "out.npy").stderr
    follow_advice(files, told.split(" arrays with ")[1].replace("NAME", "u"))
    # Of a name that has a meaning for shells the message makes none of its own.
    (files.folder / "$(x)'.npz").write_bytes((files.folder / "bad.npz").read_bytes())
    files.fail("transform", "$(x)'.npz", "out.npy", says=["np.load('IN.npy')['NAME']"])


def test_files_of_hdf5(files):
    (files.folder / "bad.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    files.fail("transform", "bad.h5", "out.npy", says=["'bad.h5' is an HDF5 file", "h5py.File"])


def test_arrays_that_do_not_fit_in_memory(files):
    shape = (8192, 8192, 8192)  # 4 TiB, of which the disk holds none
    with open(files.folder / "huge.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f8", "fortran_order": False, "shape": shape})
        file.truncate(file.tell() + 8 * 8192**3)
    for ranks in (None, 2):
        result = files.run("transform", "huge.npy", "out.npy", ranks=ranks)
        check_failure(result, ["not enough memory: the input and the output need 8.001 TiB",
                               " available); about ", " such machines would be enough"])
    assert (files.folder / "out.npy").read_bytes() == OLD
    assert sorted(os.listdir(files.folder)) == ["huge.npy", "in.npy", "out.npy"]


def test_objects_and_records(files):
    np.save(files.folder / "bad.npy", np.array([None, 1]), allow_pickle=True)
    files.fail("transform", "bad.npy", "out.npy", ranks=2, says=["'bad.npy'", "|O"])
    np.save(files.folder / "bad.npy", np.zeros(4, [("x", "<f8"), ("y", "<f4")]))
    files.fail("transform", "bad.npy", "out.npy", ranks=2, says=["'bad.npy'", "('x', '<f8')"])


@pytest.mark.parametrize("change", [-1, -300, 1])
def test_wrong_size(files, change):
    content = (files.folder / "in.npy").read_bytes()
    content = content[:change] if change < 0 else content + b"x"
    (files.folder / "bad.npy").write_bytes(content)
    files.fail("transform", "bad.npy", "out.npy", ranks=3,
               says=["'bad.npy'", str(len(content)), "608", "3x4x5"])


def test_input_that_is_no_file(files):
    files.fail("transform", "none.npy", "out.npy", ranks=3,
               says=["'none.npy'", "No such file"])
    files.fail("transform", ".", "out.npy", ranks=3, says=["'.'", "is a directory"])
    files.fail("transform", "/dev/null", "out.npy", ranks=2, says=["/dev/null", "regular file"])


def test_output_that_cannot_be_written(files):
    (files.folder / "folder").mkdir()
    for out, says in [("none/out.npy", "No such file"), ("folder", "is a directory"),
                      ("/dev/null", "not a regular file"), ("/proc/out.npy", "/proc/out.npy"),
                      ("in.npy/out.npy", "Not a directory"), ("x" * 300, "too long")]:
        files.fail("transform", "in.npy", out, ranks=3, says=[out, says])
    assert os.listdir(files.folder / "folder") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_output_that_must_not_be_written(files):
    (files.folder / "out.npy").chmod(0o400)
    files.fail("transform", "in.npy", "out.npy", ranks=3, says=["out.npy", "Permission denied"])
    (files.folder / "folder").mkdir(mode=0o500)
    files.fail("transform", "in.npy", "folder/out.npy", says=["folder/out.npy", "Permission"])


def test_file_size_limit_stands_for_a_full_disk(files):
    np.save(files.folder / "in.npy", np.zeros((256, 128, 128), "f4"))
    limit = 24 << 20  # the input has 16 MiB, the output 32 MiB
    files.fail("transform", "in.npy", "out.npy", "--kinds", "c2c",
               says=["out.npy", "File too large"],
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))


@pytest.mark.parametrize("arguments, says", [
    (["--kinds", "dct9"], ["dct9", "r2c"]),
    (["--kinds", "c2c,c2c"], ["c2c,c2c", "3 axes"]),
    (["--kinds", "r2c,r2c,c2c"], ["r2c,r2c,c2c"]),
    (["--norm", "l2"], ["'l2'", "ortho"]),
    (["--exchange", "pigeon"], ["'pigeon'", "alltoallv"]),
    (["--local", "pocket"], ["'pocket'", "fftw"]),
    (["--threads", "-2"], ["-2"]),
    (["--threads", "two"], ["two"]),
    (["--threads", "1000000"], ["threads 1000000", "between 0 and 4096"]),
    (["--length", "8"], ["8", "--inverse"]),
    (["--inverse", "--kinds", "c2c", "--length", "8"], ["8"]),
    (["--inverse"], ["--inverse needs --kinds", "--kinds r2c", "--length", "--kinds c2c"]),
    (["--inverse", "--length", "8"], ["--inverse needs --kinds"]),
    (["\x1b[31m"], ["\\x1b[31m"]),
    (["--\x1b[31m"], ["\\x1b[31m"]),
    (["--kinds", "\x1b[31m"], ["\\x1b[31m"]),
    (["--threads", "\x1b[31m"], ["\\x1b[31m"]),
    (["--exchange", "\x1b[31m"], ["\\x1b[31m"]),
    (["x" * 60000], ["xxx...xxx"]),
    (["--threads", "x" * 60000], ["xxx...xxx"]),
    (["--kinds", "x" * 60000], ["xxx...xxx"]),
    (["--inverse", "--kinds", "r2c", "--length", "11"], ["11", "5 coefficients", "8 or 9"]),
    (["--inverse", "--kinds", "r2c", "--length", "-1"], ["-1", "8 or 9"]),
    (["--bogus"], ["--bogus"]),
    (["third.npy"], ["third.npy"]),
])
def test_arguments(files, arguments, says):
    (files.folder / "bad.npy").write_bytes((files.folder / "in.npy").read_bytes())
    files.fail("transform", "bad.npy", "out.npy", *arguments, ranks=3, says=says)
    is_harmless(files.run("transform", "bad.npy", "out.npy", *arguments).stderr)


@pytest.mark.parametrize("number", ["1000000", "4097"])
def test_number_of_threads_of_the_environment(files, number):
    files.fail("transform", "in.npy", "out.npy", ranks=2,
               says=[f"OMP_NUM_THREADS {number}", "4096"],
               env={**os.environ, "OMP_NUM_THREADS": number})
    files.succeed("transform", "in.npy", "out.npy", "--threads", "1",
                  env={**os.environ, "OMP_NUM_THREADS": number})


def test_kind_that_needs_real_data(files):
    np.save(files.folder / "in.npy", np.zeros((3, 4), "c8"))
    files.fail("transform", "in.npy", "out.npy", "--kinds", "r2c", ranks=3,
               says=["r2c", "'in.npy'", "<c8"])


def test_single_coefficient_has_no_default_length(files):
    np.save(files.folder / "in.npy", np.zeros((3, 1), "c8"))
    files.fail("transform", "in.npy", "out.npy", "--kinds", "r2c", "--inverse", ranks=2,
               says=["length 0", "may be 1"])


def test_missing_output_name(files):
    files.fail("transform", "in.npy", ranks=3, says=["OUT.npy"])


@pytest.mark.parametrize("arguments", [[], ["--kinds", "c2c"], ["--kinds", "dct2", "--inverse"]])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_check_tells_of_input_that_is_not_finite(files, arguments, order, dtype):
    field = np.ones((8, 9), dtype, order)
    field[3, 4] = np.nan
    field[5, 2] = -np.inf
    field[7, 8] = np.inf
    np.save(files.folder / "in.npy", field)
    first = "[3, 4]" if order == "C" else "[5, 2]"
    files.fail("transform", "in.npy", "out.npy", "--check", *arguments, ranks=3,
               says=["'in.npy'", "not finite", "1 NaN and 2 infinite", f"the first at {first}"])


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_check_tells_of_complex_input_that_is_not_finite(files, dtype):
    field = np.ones((2, 3, 4), dtype)
    field.imag[1, 2, 0] = np.nan
    np.save(files.folder / "in.npy", field)
    files.fail("transform", "in.npy", "out.npy", "--check", ranks=2,
               says=["'in.npy'", "1 NaN and 0 infinite, the first at [1, 2, 0]"])


def test_check_tells_of_results_that_overflow(files):
    np.save(files.folder / "in.npy", np.full((4, 4), 3e38, "c8"))
    files.fail("transform", "in.npy", "out.npy", "--check", ranks=2,
               says=["'in.npy'", "not all of it is finite: ", "the first at [0, 0]"])


def test_check_refuses_errors_above_the_bound(files, strict_bound):
    files.fail("transform", "in.npy", "out.npy", "--check", says=["'in.npy'", "bound 1e-30"],
               env={**os.environ, "LD_PRELOAD": strict_bound})


@pytest.mark.parametrize("name", ["\x1b[31m.npy", "a\nb.npy", "\x9b31m.npy", b"\xff.npy"])
def test_names_that_would_upset_a_terminal(files, name):
    name = os.fsencode(name)
    (files.folder / os.fsdecode(name)).write_bytes((files.folder / "in.npy").read_bytes())
    command = [*map(os.fsencode, files.arguments("transform")), name, name]
    result = files.start(command)
    assert result.returncode == 0 and result.stdout.startswith(
        name.decode(errors="backslashreplace").translate(ESCAPES)), result.stdout
    is_harmless(result.stdout)
    (files.folder / os.fsdecode(name)).write_bytes(b"no array")
    result = files.start(command)
    is_harmless(result.stderr)
    check_failure(result, ["is not a NumPy file"])

"""Files that `weft transform` must refuse: one message with the offending values, an exit status that
is not zero, and every file left as it was."""

import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest

OLD = b"an older result"


@pytest.fixture
def files(weft):
    np.save(weft.folder / "in.npy", np.arange(60.0).reshape(3, 4, 5))
    (weft.folder / "out.npy").write_bytes(OLD)
    return weft


def header(text, version=1, length=None):
    body = text.encode() + b"\n"
    count = (len(body) if length is None else length).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + count + body


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"

MALFORMED = {
    "empty": (b"", "no NumPy file"),
    "text": (b"1.0 2.0 3.0\n" * 9, "no NumPy file"),
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
    "control characters": (header("{'descr\x1b[31m': 1}"), "descr?[31m"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(files, name):
    content, says = MALFORMED[name]
    (files.folder / "bad.npy").write_bytes(content)
    files.fail("transform", "bad.npy", "out.npy", ranks=3, says=["'bad.npy'", says])


@pytest.mark.parametrize("dtype", [">f8", ">c16", "<i4", "<f2", "<u8", "|b1", "|S5", "<f16"])
def test_wrong_dtype(files, dtype):
    np.save(files.folder / "bad.npy", np.zeros((3, 4), dtype))
    files.fail("transform", "bad.npy", "out.npy", ranks=3, says=["'bad.npy'", dtype, "<c16"])


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
                      ("/dev/null", "no regular file"), ("/proc/out.npy", "/proc/out.npy"),
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
    files.fail("transform", "in.npy", "out.npy", "--kind", "c2c",
               says=["out.npy", "File too large"],
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))


@pytest.mark.parametrize("arguments, says", [
    (["--kind", "dct9"], ["dct9", "r2c"]),
    (["--kind", "c2c,c2c"], ["c2c,c2c", "3 axes"]),
    (["--kind", "r2c,r2c,c2c"], ["r2c,r2c,c2c"]),
    (["--norm", "none"], ["'none'", "ortho"]),
    (["--exchange", "pigeon"], ["'pigeon'", "alltoallv"]),
    (["--local", "pocket"], ["'pocket'", "fftw"]),
    (["--threads", "-2"], ["-2"]),
    (["--threads", "two"], ["two"]),
    (["--length", "8"], ["8", "--inverse"]),
    (["--inverse", "--length", "8"], ["8"]),
    (["--inverse", "--kind", "r2c", "--length", "11"], ["11", "5 coefficients", "8 or 9"]),
    (["--inverse", "--kind", "r2c", "--length", "-1"], ["-1", "8 or 9"]),
    (["--bogus"], ["--bogus"]),
    (["third.npy"], ["third.npy"]),
])
def test_arguments(files, arguments, says):
    (files.folder / "bad.npy").write_bytes((files.folder / "in.npy").read_bytes())
    files.fail("transform", "bad.npy", "out.npy", *arguments, ranks=3, says=says)


def test_kind_that_needs_real_data(files):
    np.save(files.folder / "in.npy", np.zeros((3, 4), "c8"))
    files.fail("transform", "in.npy", "out.npy", "--kind", "r2c", ranks=3,
               says=["r2c", "'in.npy'", "<c8"])


def test_single_coefficient_has_no_default_length(files):
    np.save(files.folder / "in.npy", np.zeros((3, 1), "c8"))
    files.fail("transform", "in.npy", "out.npy", "--kind", "r2c", "--inverse", ranks=2,
               says=["length 0", "may be 1"])


def test_missing_output_name(files):
    files.fail("transform", "in.npy", ranks=3, says=["OUT.npy"])


def test_check_refuses_what_is_not_a_number(files):
    field = np.ones((8, 8))
    field[3, 4] = np.nan
    np.save(files.folder / "in.npy", field)
    files.fail("transform", "in.npy", "out.npy", "--check", ranks=3, says=["'in.npy'", "nan"])


def test_check_refuses_errors_above_the_bound(files, strict_bound):
    files.fail("transform", "in.npy", "out.npy", "--check", says=["'in.npy'", "bound 1e-30"],
               env={**os.environ, "LD_PRELOAD": strict_bound})


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_temporary_file_is_removed_when_interrupted(files, ending):
    # The dense transform of a long line takes long enough.
    np.save(files.folder / "in.npy", np.zeros(200000, "c16"))
    before = files.files()
    process = subprocess.Popen(
        files.arguments("transform", "in.npy", "out.npy", "--local", "reference"),
        cwd=files.folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.time() + 20
        while not any(name.startswith(".weft") for name in os.listdir(files.folder)):
            assert process.poll() is None and time.time() < deadline
            time.sleep(0.01)
        process.send_signal(ending)
        assert process.wait(timeout=20) != 0
    finally:
        process.kill()
    assert files.files() == before

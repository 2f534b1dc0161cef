"""What is seen of `weft transform` while it runs: progress, and temporary files."""

import os
import pty
import signal
import subprocess

import numpy as np
import pytest


@pytest.fixture
def files(weft):
    np.save(weft.folder / "in.npy", np.arange(60.0).reshape(3, 4, 5))
    (weft.folder / "out.npy").write_bytes(b"an older result")
    return weft


def test_steps_that_take_long_are_shown_on_a_terminal_only(weft):
    np.save(weft.folder / "in.npy", np.ones(30000, "c16"))
    slow = ["transform", "in.npy", "out.npy", "--local", "reference", "--threads", 1]
    result = weft.run(*slow)
    assert result.returncode == 0 and result.stderr == ""
    leader, follower = pty.openpty()
    process = subprocess.Popen(weft.arguments(*slow), cwd=weft.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=follower)
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 4096):
            shown += part
    except OSError:  # the terminal is closed
        pass
    assert process.wait() == 0
    assert b"\r\x1b[Ktransforming, 2 s" in shown and b"planning" not in shown
    assert shown.endswith(b"\r\x1b[K")
    assert process.stdout.read().startswith(b"in.npy 30000 <c16 -> out.npy 30000 <c16")


def test_quiet_and_verbose(weft):
    np.save(weft.folder / "in.npy", np.ones((16, 16)))
    quiet = weft.run("transform", "in.npy", "out.npy", "--check", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
    assert np.load(weft.folder / "out.npy").shape == (16, 9)
    told = weft.run("transform", "in.npy", "out.npy", "--check", "--verbose").stderr.splitlines()
    steps = ["planning", "reading in.npy", "transforming", "checking", "writing out.npy"]
    assert [line.split(" took ")[0] for line in told] == [f"weft: {step}" for step in steps]


def started(files, *arguments):
    """A transform that takes long enough: a dense one of a long line. It has read its input, so no
    file of MPI's own is open, and has taken room for its output."""
    np.save(files.folder / "long.npy", np.zeros(200000, "c16"))
    process = subprocess.Popen(
        files.arguments("transform", "long.npy", *arguments, "--local", "reference",
                        "--verbose"),
        cwd=files.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        while not process.stderr.readline().startswith("weft: reading long.npy took"):
            assert process.poll() is None
        assert temporary_files(files)
    except BaseException:
        process.kill()
        raise
    return process


def temporary_files(files):
    """Those for which room on the disk is taken."""
    return [path for path in files.folder.iterdir()
            if path.name.startswith(".weft") and path.stat().st_size > 0]


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_temporary_file_is_removed_when_interrupted(files, ending):
    before = files.files()
    process = started(files, "out.npy")
    try:
        process.send_signal(ending)
        assert process.wait(timeout=20) != 0
    finally:
        process.kill()
    (files.folder / "long.npy").unlink()
    assert files.files() == before


def warnings_of(files, *arguments, program="weft", **options):
    """Lines on stderr of a run that succeeds."""
    result = files.run(*arguments, **options)
    assert result.returncode == 0, result.stderr
    return [line for line in result.stderr.splitlines() if f"{program}: warning: " in line]


def test_temporary_files_that_were_left_behind_are_told_of(files):
    process = started(files, "out.npy")
    process.kill()
    process.wait(timeout=20)
    [left] = temporary_files(files)
    again = ["transform", "in.npy", "other.npy"]
    for ranks in (None, 3):
        [warning] = warnings_of(files, *again, ranks=ranks)
        for part in [left.name, "3.052 MiB", f"process {process.pid}", "has ended", "remove it"]:
            assert part in warning
    (files.folder / "elsewhere").mkdir()
    (files.folder / "elsewhere" / "link.npy").symlink_to("../out.npy")
    assert len(warnings_of(files, "transform", "in.npy", "elsewhere/link.npy")) == 1
    assert warnings_of(files, "transform", "in.npy", "elsewhere/out.npy") == []
    assert left.exists() and (files.folder / "other.npy").exists()
    left.unlink()
    assert warnings_of(files, *again) == []


def test_temporary_files_that_are_being_written_are_not(files):
    process = started(files, "out.npy")
    try:
        assert warnings_of(files, "transform", "in.npy", "other.npy") == []
        [file] = temporary_files(files)
        assert process.poll() is None
        # One whose process has ended and left its number to another, and one of another machine, of
        # which nothing can be seen here.
        head, tail = file.name.rsplit(".", 1)
        file.with_name(f"{head}.1-{tail.split('-')[1]}").write_bytes(b"left behind")
        far = file.with_name(file.name.replace(".weft-", ".weft-far\x1b[31m-"))
        far.write_bytes(b"unknown")
        file.with_name(".weft-of-something-else").write_bytes(b"of others")
        old, unknown = sorted(warnings_of(files, "transform", "in.npy", "other.npy"),
                              key=lambda line: "-far" in line)
        assert ".1-" in old and "has ended" in old
        assert "-far\\x1b[31m-" in unknown and "cannot be seen from here" in unknown
    finally:
        process.kill()
        process.wait(timeout=20)

"""A build folder of the harness for tests: the canary, and weft, as the environment names them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from weft_bench import builds, machine, run, study


def real_build() -> Path:
    """WEFT_BENCH_BUILD is a build folder with WEFT_BUILD_TESTS and WEFT_BUILD_BENCH."""
    if "WEFT_BENCH_BUILD" not in os.environ:
        pytest.fail("WEFT_BENCH_BUILD is not set: a build folder of the harness with tests")
    return Path(os.environ["WEFT_BENCH_BUILD"]).resolve()


def built(*names: str) -> tuple[str, ...]:
    """Those of the libraries that this build has; Debian's FFTW-MPI is for one MPI only."""
    present = tuple(name for name in names if (real_build() / "bin/bench" / name).exists())
    assert present
    return present


def build(folder: Path, names: tuple[str, ...] = ("canary",)) -> builds.Build:
    """A folder that looks like a build folder with just these libraries."""
    real = real_build()
    described = json.loads((real / "bin/bench/libraries.json").read_text())
    programs = folder / "bin" / "bench"
    programs.mkdir(parents=True, exist_ok=True)
    for name in names:
        (programs / name).symlink_to(real / "bin/bench" / name)
    entries = [{"name": name, "missing": ""} for name in names]
    entries.append({"name": "absent", "missing": "libabsent not found"})
    (programs / "libraries.json").write_text(
        json.dumps({"mpiexec": described["mpiexec"], "libraries": entries}))
    (folder / "bin" / "weft").symlink_to(real / "bin/weft")
    return builds.load(folder)


def running(argument: str) -> list[str]:
    """Processes of MPI jobs with this argument."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            arguments = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:
            continue
        if argument.encode() in arguments.split(b"\0"):
            found.append(folder.name)
    return found


def small_study(**changes: Any) -> study.Study:
    tables: dict[str, Any] = {
        "measure": {"rounds": 1, "seconds": 0.01, "timeout": 60},
        "cases": [{"shape": [16, 12, 10], "ranks": 3}],
        "libraries": [{"name": "canary", "settings": {"habit": "good"}}],
    }
    return study.parse(tables | changes, "small")


def runner(folder: Path, one: study.Study, build_: builds.Build, **changes: Any) -> run.Runner:
    return run.Runner(one, [build_], machine.fingerprint(), folder / "records.jsonl",
                      tell=changes.pop("tell", lambda line: None), **changes)

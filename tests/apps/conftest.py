"""How the tests start the command: WEFT_COMMAND is its path, WEFT_MPIRUN the MPI launcher with its
flags, such as "mpirun --allow-run-as-root --oversubscribe". Solvers lie beside the command."""

import json
import math
import os
import random
import shlex
import shutil
import subprocess

import pytest

# What a line of `weft bench --json` has.
FIELDS = [
    "library", "version", "shape", "kind", "precision", "batch", "ranks", "threads", "device", "in",
    "out", "grid", "exchange", "codec", "tolerance", "chunks", "local", "plan_seconds",
    "forward_seconds", "backward_seconds", "gflops", "forward_error", "roundtrip_error",
    "error_bound", "bytes_sent", "workspace_bytes", "stages", "machine",
]

# Errors have to end all ranks within seconds; this leaves room for a loaded machine.
TIMEOUT = 60


def pytest_configure(config):
    if not os.access(os.environ.get("WEFT_COMMAND", ""), os.X_OK):
        raise pytest.UsageError("set WEFT_COMMAND to the command, such as build/bin/weft")
    config.addinivalue_line("markers", "sampled: the default tier runs only some of the cases")


def pytest_collection_modifyitems(config, items):
    """Of tests marked `sampled` WEFT_TEST_TRIALS per cent of the cases run, always the same."""
    share = int(os.environ.get("WEFT_TEST_TRIALS", "100")) / 100
    cases = {}
    for item in items:
        if item.get_closest_marker("sampled"):
            cases.setdefault(item.function, []).append(item)
    left_out = []
    for function, found in cases.items():
        chosen = random.Random(function.__name__).sample(found, math.ceil(len(found) * share))
        left_out += [item for item in found if item not in chosen]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


class Program:
    """The command, or a program beside it, run in a folder of its own."""

    def __init__(self, folder, name="weft"):
        command = os.path.abspath(os.environ["WEFT_COMMAND"])
        self.name = name
        self.command = command if name == "weft" else os.path.join(os.path.dirname(command), name)
        self.launcher = shlex.split(os.environ.get("WEFT_MPIRUN", "mpirun"))
        self.folder = folder

    def arguments(self, *arguments, ranks=None):
        launch = [] if ranks is None else [*self.launcher, "-n", str(ranks)]
        return [*launch, self.command, *map(str, arguments)]

    def run(self, *arguments, ranks=None, timeout=TIMEOUT, **options):
        """Without `ranks`, one process without a launcher."""
        return self.start(self.arguments(*arguments, ranks=ranks), timeout=timeout, **options)

    def start(self, command, timeout=TIMEOUT, **options):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL, **options)

    def succeed(self, *arguments, **options):
        result = self.run(*arguments, **options)
        assert result.returncode == 0, result.stdout + result.stderr
        assert f"{self.name}: error" not in result.stderr
        return result.stdout

    def fail(self, *arguments, says, **options):
        """It must fail with one message that holds all of `says`, and leave files as they were."""
        before = self.files()
        result = self.run(*arguments, **options)
        check_failure(result, says, self.name)
        assert self.files() == before

    def files(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}


def check_failure(result, says, name="weft"):
    text = result.stdout + result.stderr
    assert result.returncode != 0, text
    assert text.count(f"{name}: error: ") == 1, text
    message = next(line for line in text.splitlines() if line.startswith(f"{name}: error: "))
    for part in says:
        assert part in message, f"{part!r} is not in {message!r}"


def bench(weft, *arguments, ranks=2):
    """What the last line of the JSON file says."""
    output = weft.succeed("bench", *arguments, "--repeat", 3, "--json", "bench.json", ranks=ranks)
    case = json.loads((weft.folder / "bench.json").read_text().splitlines()[-1])
    assert set(FIELDS) <= set(case)
    for spread in [case["forward_seconds"], case["backward_seconds"]]:
        assert 0 < spread["min"] <= spread["median"] <= spread["max"]
    assert 0 <= case["forward_error"] <= case["error_bound"] < 1e-4
    assert 0 <= case["roundtrip_error"] <= 2 * case["error_bound"]
    assert case["stages"] and case["gflops"] > 0 and case["plan_seconds"] > 0
    for stage in case["stages"]:
        assert stage["name"] in output and stage["seconds"] >= 0 and stage["bytes"] >= 0
    assert set(case["machine"]) >= {"hostname", "cpu", "cores", "mpi", "compiler"}
    return case


def offered(weft, section):
    """Rows of a section of `weft list`, by name."""
    rows = json.loads(weft.succeed("list", section, "--json"))[section]
    return {row["name"]: row for row in rows}


@pytest.fixture
def weft(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def wisdom(weft, monkeypatch):
    """The file of wisdom of the command."""
    path = weft.folder / "wisdom.jsonl"
    monkeypatch.setenv("WEFT_WISDOM", str(path))
    return path


@pytest.fixture(scope="session")
def strict_bound(tmp_path_factory):
    """A library that, loaded before weft, makes every result miss its bound."""
    folder = tmp_path_factory.mktemp("strict_bound")
    source, library = folder / "strict_bound.c", folder / "strict_bound.so"
    name = "_ZN4weft20rounding_error_boundENS_9PrecisionEl"
    source.write_text(f"double {name}(int precision, long points) {{ return 1e-30; }}\n")
    compiler = shutil.which("cc")
    linked = subprocess.run(["ldd", os.environ["WEFT_COMMAND"]], capture_output=True, text=True)
    if compiler is None or "libweft" not in linked.stdout:
        pytest.skip("needs a C compiler and weft as a shared library")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return str(library)

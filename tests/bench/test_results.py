"""The stored records: small, readable, dated, and each told of in their index."""

import json
import re
from pathlib import Path

import pytest
from weft_bench import gpu_scaling

RESULTS = Path(__file__).resolve().parents[2] / "bench/results"
INDEX = RESULTS / "README.md"
LINES = sorted(RESULTS.glob("*.jsonl"))


def test_they_are_small():
    sizes = {path.name: path.stat().st_size for path in RESULTS.iterdir()}
    assert sum(sizes.values()) < 2 * 2**20
    assert {name: size for name, size in sizes.items() if size > 200_000} == {}


def test_the_index_has_all_of_them():
    listed = re.findall(r"`([\w.-]+\.(?:jsonl?|txt|csv))`", INDEX.read_text("utf-8"))
    kept = {path.name for path in RESULTS.iterdir()} - {INDEX.name}
    assert kept == set(listed) and len(listed) == len(set(listed))


@pytest.mark.parametrize("path", LINES, ids=lambda path: path.stem)
def test_every_line_has_a_date_a_machine_and_a_command_and_no_single_repetitions(path):
    text = path.read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert '"all":' not in text.replace('": ', '":')
    machines = next((line["machines"] for line in lines if "machines" in line), [])
    for line in lines:
        if "machines" not in line:
            assert re.match(r"\d{4}-\d\d-\d\d", line.get("date") or line["started"])
            assert line["command"]
            where = line.get("accelerators") or line["machine"]
            assert where in range(len(machines)) if isinstance(where, int) else where
    assert gpu_scaling.load([path])  # expanded without an error

"""Makes the harness importable, and measurements that were never made."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "bench")]

import synthetic  # noqa: E402


@pytest.fixture(scope="session")
def full_study() -> list[dict]:
    return synthetic.full_study()

"""Where the documentation is, as scripts/build-docs built it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def site() -> Path:
    folder = Path(os.environ.get("WEFT_BUILD_DIR", ROOT / "build")).resolve() / "docs/site"
    assert (folder / "index.html").exists(), f"{folder} is not there: run scripts/build-docs"
    return folder

"""Where the documentation is, as scripts/build-docs built it, and a browser to open it in."""

import functools
import http.server
import os
import shutil
import threading
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


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address(site):
    """Served as on the web: pages in files may not read the index of the search."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        # Containers have no user namespaces, and the pages are our own.
        found = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()

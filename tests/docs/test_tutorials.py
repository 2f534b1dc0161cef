"""The tutorials: they run, print and draw what their pages show; what checks that; notebooks."""

import importlib.util
import os
import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(page for page in (ROOT / "docs/tutorials").glob("*.md") if page.stem != "index")
#: What a page for GPUs runs with where there is none.
WITHOUT_GPU = {'device="cuda"': 'device="emulated"', "n, length = 256": "n, length = 24"}


def module_of(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    return module_of("docs/run_tutorials.py")


@pytest.fixture(scope="session")
def build() -> Path:
    return Path(os.environ.get("WEFT_BUILD_DIR", ROOT / "build")).resolve()


@pytest.fixture(scope="session")
def prefix(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation of what has been built."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(["cmake", "--install", build, "--prefix", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture
def package(build: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package for Python, as tests/install/python has installed it."""
    (folder,) = build.glob("python/lib/python3*/site-packages")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_show_what_their_programs_do(runner, prefix, package, monkeypatch, page):
    instead = {}
    if page.stem == "gpu":
        monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'tests/docs/without_gpu'}:{package}")
        instead = WITHOUT_GPU
        assert all(old in page.read_text("utf-8") for old in instead)
    runner.run_page(page, prefix, instead=instead)


@pytest.mark.parametrize(("expected", "found", "same"), [
    ("error 1.3e-15\n", "error 2.7e-16", True),  # rounding
    ("error 1.3e-05\n", "error 1.31e-05", True),
    ("error 1.3e-05\n", "error 1.4e-05", False),
    ("12 ranks\n", "13 ranks", False),
    ("64x64\n", "64x65", False),
    ("took 0.53 ms\n", "took 12 ms", True),
    ("took 0.53 ms\n", "needed 0.53 ms", False),
    ("one\ntwo\n", "one", False),
    ("a b\n", "a", False),
])
def test_outputs_are_compared(runner, expected, found, same):
    assert runner.agree(expected, found) == same


def test_figures_may_differ_by_less_than_one_sees(runner):
    assert runner.agree("M 10.5 200 L 3 4", "M 10.9 201 L 3 4", tolerance=1)
    assert not runner.agree("M 10.5 20 L 3 4", "M 14 20 L 3 4", tolerance=1)
    assert not runner.agree("<text>time</text>", "<text>error</text>", tolerance=1)


def page_with(tmp_path: Path, blocks: str) -> Path:
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\n{blocks}", "utf-8")
    return page


CELL = "<!-- cell -->\n```python\n{}\n```\n"
OUTPUT = "\n<!-- output -->\n```text\n{}\n```\n"


@pytest.mark.parametrize(("blocks", "error"), [
    (CELL.format("print(1)") + OUTPUT.format("2"), "expected"),
    (CELL.format("print(1)"), "does not show"),
    (CELL.format("x = 1\nx.none"), "the cell failed"),
    ("<!-- run -->\n```bash\nfalse\nexit 0\n```\n", "the commands failed"),
    (CELL.format("open('new.svg', 'w').close()"), "draws"),
    ("![A](none.svg)\n", "shows"),
])
def test_pages_that_are_wrong_fail(runner, prefix, tmp_path, capfd, blocks, error):
    with pytest.raises(runner.TutorialError, match=error):
        runner.run_page(page_with(tmp_path, blocks), prefix)


@pytest.mark.parametrize("blocks", [
    "```python\nprint(1)\n```\n", "<!-- cell -->\n```bash\ntrue\n```\n",
    "<!-- file -->\n```c\nint main() {}\n```\n",
])
def test_every_block_says_what_it_is(runner, blocks):
    with pytest.raises(ValueError, match="line"):
        runner.parts_of(blocks)


def test_update_writes_what_was_printed(runner, prefix, tmp_path):
    page = page_with(tmp_path, CELL.format("print(1)") + OUTPUT.format("") + CELL.format("y = 2")
                     + CELL.format("print(y)") + OUTPUT.format("old"))
    runner.run_page(page, prefix, update=True)
    assert [part.text for part in runner.parts_of(page.read_text("utf-8"))
            if part.kind == "output"] == ["1\n", "2\n"]
    runner.run_page(page, prefix)


def test_notebooks_have_the_cells_and_commands_of_pages(runner):
    made = module_of("docs/_extensions/notebooks.py")
    text = (ROOT / "docs/tutorials/spectrum.md").read_text("utf-8")
    cells = made.notebook(runner.parts_of(text))["cells"]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    assert len(code) == len(re.findall("^<!-- (?:cell|file|run)", text, re.MULTILINE))
    assert any(source.startswith("%%writefile spectrum.py\nimport numpy") for source in code)
    assert cells[0]["source"].startswith("# A turbulence spectrum\n")
    prose = "".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert not re.search(r"```|\]\(|<!--", prose)
    assert len({cell["id"] for cell in cells}) == len(cells)

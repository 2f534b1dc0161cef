"""The version is written in CMakeLists.txt, and everything else takes it from there."""

import os
import re
import subprocess
from pathlib import Path

import pytest

#: They hold versions of other packages, and of weft at other times.
OTHERS = {Path("scripts/requirements.txt"), Path("CHANGELOG.md")}
FOLDERS = ("apps", "bench", "bindings", "cmake", "docs", "include", "packaging", "scripts", "src",
           "tests")


@pytest.fixture
def version(root: Path) -> str:
    text = (root / "CMakeLists.txt").read_text("utf-8")
    return re.search(r"^project\(weft VERSION (\d+\.\d+\.\d+) ", text, re.MULTILINE)[1]


@pytest.fixture
def build(root: Path) -> Path:
    return Path(os.environ.get("WEFT_BUILD_DIR", root / "build")).resolve()


def sources(root: Path) -> list[Path]:
    """Text files of the project, without records of measurements and pages made of them, which
    tell the version that was measured."""
    files = [file for file in root.iterdir() if file.is_file()]
    files += [file for folder in FOLDERS for file in (root / folder).rglob("*") if file.is_file()]
    relative = [file.relative_to(root) for file in files]
    return [file for file in relative
            if file not in OTHERS
            and not any(map(file.is_relative_to, ("bench/results", "docs/performance")))
            and "__pycache__" not in file.parts]


def test_no_other_file_has_it(root, version):
    pattern = re.compile(rf"(?<![\d.]){re.escape(version)}(?![\d.])")
    found = {file.as_posix() for file in sources(root)
             for line in (root / file).read_text("utf-8", errors="replace").splitlines()
             if pattern.search(line) and "bench/results" not in line}  # as it was measured
    assert found == {"CMakeLists.txt"}


def test_headers_have_its_numbers(root, version):
    header = (root / "include/weft/version.h").read_text("utf-8")
    numbers = re.findall(r"^#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.MULTILINE)
    assert ".".join(numbers) == version


def test_metadata_have_none_of_their_own(root):
    citation = (root / "CITATION.cff").read_text("utf-8")
    assert not re.search(r"^ *(version|date-released):", citation, re.MULTILINE)
    package = (root / "pyproject.toml").read_text("utf-8")
    assert re.search(r'^dynamic = \[.*"version".*\]', package, re.MULTILINE)
    assert not re.search(r"^version *=", package, re.MULTILINE)
    recipe = (root / "packaging/spack/spack_repo/weft/packages/weft/package.py").read_text("utf-8")
    assert re.findall(r"^ *version\((.*)\)", recipe, re.MULTILINE) == ['"main", branch="main"']


def test_the_python_package_takes_it_from_cmake(root, version):
    package = (root / "pyproject.toml").read_text("utf-8")
    pattern = re.search(r"^regex = '(.*)'", package, re.MULTILINE)[1]
    assert re.search(pattern, (root / "CMakeLists.txt").read_text("utf-8"))["value"] == version


def test_the_command_and_the_package_of_pkg_config_report_it(build, version):
    command = subprocess.run([build / "bin/weft", "--version"], check=True, capture_output=True,
                             text=True)
    assert command.stdout.strip() == f"weft {version}"
    assert f"Version: {version}\n" in (build / "weft.pc").read_text("utf-8")

"""The check of words (scripts/check-words): what it finds, and what it leaves alone."""

import subprocess
import sys
from pathlib import Path

import pytest


def check(root: Path, path: Path, text: str) -> subprocess.CompletedProcess[str]:
    path.write_text(text, "utf-8")
    return subprocess.run([sys.executable, root / "scripts/check-words", path],
                          capture_output=True, text=True)


@pytest.mark.parametrize(("name", "text", "line", "better"), [
    ("page.md", "One\n\nMessages on the wire.\n", 3, "network"),
    ("page.md", "Rungs of it\n", 1, "levels of a codec"),
    ("page.md", "`code` and the\nwire\n", 1, "network"),
    ("a.hpp", "int wire;\n/// A long\n/// vector.\n", 2, "distributed 1-D FFT"),
    ("a.hpp", "int a;  ///< it is told by\n", 1, "shows"),
    ("a.h", "/* not to be\n * had */\n", 1, "not available"),
])
def test_words_are_found(root, tmp_path, name, text, line, better):
    found = check(root, tmp_path / name, text)
    assert found.returncode == 1
    assert f"{name}:{line}: " in found.stdout
    assert better in found.stdout


@pytest.mark.parametrize(("name", "text"), [
    ("page.md", "wireless, and `the wire`\n\n```cpp\nint ladder;  // rung\n```\n"),
    ("page.md", "[another page](the-ladder.md)\n"),
    ("a.hpp", "int ladder = rung(long_vector);\n"),
])
def test_names_are_left_alone(root, tmp_path, name, text):
    found = check(root, tmp_path / name, text)
    assert (found.returncode, found.stdout) == (0, "")

#!/usr/bin/env python3
"""Runs the tutorials, and compares what they print and draw with what their pages show.

    docs/run_tutorials.py [--update] --prefix FOLDER [PAGE...]

--prefix names an installation of weft; its package for Python must be in PYTHONPATH. If outputs or
figures differ, --update writes those that were found into the pages and docs/tutorials/.

The blocks of a page (docs/_extensions/tutorial_page.py) run in their order, in one empty folder.
Outputs agree if their words are the same, their integers too, and their other numbers within 2%, or
if both are no more than rounding errors. Times ("0.53 ms") are not compared.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/_extensions"))
from tutorial_page import Part, parts_of  # noqa: E402

PAGES = ROOT / "docs/tutorials"
FIGURE = re.compile(r"!\[[^\]]*\]\(([\w-]+\.svg)\)")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?(?![\w.]*\w)")
TIME = re.compile(r"[\d.]+ m?s\b")
#: Numbers below are rounding errors, which differ between machines.
ROUNDING = 1e-12
TIME_LIMIT = 300  # seconds
#: Runs cells of Python in turn: reads each as a line of JSON, and prints a mark when it has ended.
INTERPRETER = """
import json, sys
names = {"__name__": "__main__"}
for line in sys.stdin:
    cell = json.loads(line)
    exec(compile(cell["code"], cell["name"], "exec"), names)
    print(cell["mark"], flush=True)
"""
MARK = "--- end of cell ---"


class TutorialError(Exception):
    """A block that fails, or prints or draws something else than the page shows."""


@dataclass
class Session:
    """An empty folder, and an interpreter of Python that is started with the first cell."""

    folder: Path
    variables: dict[str, str]
    interpreter: subprocess.Popen | None = field(default=None, init=False)

    def cell(self, code: str, name: str) -> str:
        if self.interpreter is None:
            self.interpreter = subprocess.Popen(
                [sys.executable, "-c", INTERPRETER], cwd=self.folder, env=self.variables, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.interpreter.stdin.write(json.dumps({"code": code, "name": name, "mark": MARK}) + "\n")
        self.interpreter.stdin.flush()
        printed = ""
        for line in self.interpreter.stdout:
            if line.rstrip("\n").endswith(MARK):
                return printed + line.replace(MARK + "\n", "")
            printed += line
        raise TutorialError(f"{name}: the cell failed after it printed '{printed}'")

    def run(self, commands: str, name: str) -> str:
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands], cwd=self.folder, env=self.variables,
            timeout=TIME_LIMIT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode:
            raise TutorialError(f"{name}: the commands failed:\n{result.stdout}")
        return result.stdout

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, error: type | None, *_: object) -> None:
        if self.interpreter is None:
            return
        self.interpreter.stdin.close()
        if self.interpreter.wait(TIME_LIMIT) and error is None:
            raise TutorialError("the interpreter did not end well")


def words_agree(expected: str, found: str, tolerance: float) -> bool:
    if NUMBER.split(expected) != NUMBER.split(found):
        return False
    for one, other in zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True):
        a, b = float(one), float(other)
        largest = max(abs(a), abs(b))
        if tolerance == 0 and one.isdigit() and other.isdigit():
            if a != b:
                return False
        elif largest > ROUNDING and abs(a - b) > 0.02 * largest + tolerance:
            return False
    return True


def agree(expected: str, found: str, tolerance: float = 0) -> bool:
    """Whether two texts say the same; `tolerance` is a difference that numbers may have as well."""
    lines, others = expected.rstrip().split("\n"), found.rstrip().split("\n")
    if len(lines) != len(others):
        return False
    for line, other in zip(lines, others, strict=True):
        words, others_words = (TIME.sub("a time", text).split() for text in (line, other))
        if len(words) != len(others_words) or not all(
                words_agree(*pair, tolerance) for pair in zip(words, others_words, strict=True)):
            return False
    return True


def plain(svg: str) -> str:
    """A drawing without what two runs of Matplotlib may name differently."""
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    return re.sub(r' (?:id|xlink:href|clip-path)="[^"]*"', "", svg)


def environment(prefix: Path, folder: Path) -> dict[str, str]:
    """With Open MPI's commands under their usual names, and weft as users have it installed."""
    commands = folder / ".commands"
    commands.mkdir()
    for name in ("mpirun", "mpicc", "mpicxx"):
        (commands / name).symlink_to(shutil.which(f"{name}.openmpi") or shutil.which(name))
    library = next(prefix.rglob("libweft.so")).parent
    return {
        **os.environ,
        "WEFT": str(prefix), "WEFT_WISDOM": "",
        "PATH": f"{commands}:{Path(sys.executable).parent}:{prefix}/bin:{os.environ['PATH']}",
        "PKG_CONFIG_PATH": str(library / "pkgconfig"), "LD_LIBRARY_PATH": str(library),
        "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "MPI4PY_MPIABI": "openmpi",
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "MATPLOTLIBRC": str(PAGES / "matplotlibrc"), "SOURCE_DATE_EPOCH": "0",
    }


def outputs(parts: list[Part], session: Session, page: str) -> Iterator[tuple[Part, str]]:
    """Runs all blocks; those with an output come with what was printed."""
    for number, part in enumerate(parts):
        name = f"{page}, block {number}"
        printed = ""
        if part.kind == "file":
            (session.folder / part.name).write_text(part.text, "utf-8")
        elif part.kind == "cell":
            printed = session.cell(part.text, name)
        elif part.kind == "run":
            printed = session.run(part.text, name)
        else:
            continue
        # Blocks of text between them are the newlines that separate fences.
        after = [p for p in parts[number + 1:number + 3] if p.kind != "text" or p.text.strip()][:1]
        if after and after[0].kind == "output":
            yield after[0], printed
        elif printed.strip():
            raise TutorialError(f"{name}: printed what the page does not show:\n{printed}")


def run_page(file: Path, prefix: Path, update: bool = False,
             instead: dict[str, str] | None = None) -> None:
    """Runs a page and compares it; `instead` has what replaces parts of its programs."""
    text = file.read_text("utf-8")
    parts = parts_of(text)
    for old, new in (instead or {}).items():
        parts = [part if part.kind == "output" else replace(part, text=part.text.replace(old, new))
                 for part in parts]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        changes: list[tuple[Part, str]] = []
        with Session(folder, environment(prefix, folder)) as session:
            for part, printed in outputs(parts, session, file.name):
                if agree(part.text, printed):
                    continue
                if not update:
                    raise TutorialError(f"{file.name}: expected\n{part.text}but found\n{printed}")
                changes.append((part, printed))
        for part, printed in reversed(changes):
            text = text[:part.begin] + printed.rstrip() + "\n" + text[part.end:]
        if changes:
            file.write_text(text, "utf-8")
        compare_figures(file.name, text, folder, update)


def compare_figures(page: str, text: str, folder: Path, update: bool) -> None:
    shown, drawn = set(FIGURE.findall(text)), {path.name for path in folder.glob("*.svg")}
    if shown != drawn:
        raise TutorialError(f"{page} shows {sorted(shown)}, and draws {sorted(drawn)}")
    for name in shown:
        svg = plain((folder / name).read_text("utf-8"))
        known = PAGES / name
        if known.exists() and agree(plain(known.read_text("utf-8")), svg, tolerance=1):
            continue
        if not update:
            raise TutorialError(f"{page}: {name} differs from docs/tutorials/{name}")
        shutil.copy(folder / name, known)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path, help="instead of all in docs/tutorials/")
    arguments = parser.parse_args()
    for page in arguments.pages or sorted(PAGES.glob("*.md")):
        print(page.name, flush=True)
        run_page(page, arguments.prefix.resolve(), arguments.update)


if __name__ == "__main__":
    main()

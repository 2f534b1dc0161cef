"""How the checks of weft.DistArray run: all of one file in one MPI job for each number of ranks,
since starting Python on every rank takes longer than they do. Each is a test of its own.
"""

import ast
import json
from pathlib import Path

import pytest
from jobs import run_on_ranks

FOLDER = Path(__file__).parent
RANKS = (1, 2, 3, 5)


def names_of(file):
    tree = ast.parse(file.read_text("utf-8"))
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
    ]


def pytest_generate_tests(metafunc):
    if "check" in metafunc.fixturenames:
        checks = [
            (ranks, file.stem, name)
            for ranks in RANKS
            for file in sorted(FOLDER.glob("check_*.py"))
            for name in names_of(file)
        ]
        metafunc.parametrize("check", checks, ids=lambda check: "{1}-{2}-{0}_ranks".format(*check))


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """What came of each check of a file on so many ranks: its failure, or an empty text."""
    known = {}

    def results_of(ranks, module):
        if (ranks, module) not in known:
            folder = tmp_path_factory.mktemp(f"{module}-{ranks}")
            done = run_on_ranks(ranks, FOLDER / "run_checks.py", module, folder=folder)
            told = [
                json.loads(line[len("result ") :])
                for line in done.stdout.splitlines()
                if line.startswith("result ")
            ]
            known[ranks, module] = dict(told), done
        return known[ranks, module]

    return results_of

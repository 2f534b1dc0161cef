"""The command as a whole: subcommands, --help, completion, and how errors end all ranks."""

import os
import subprocess

import pytest

from conftest import check_failure, offered


def test_subcommands(weft):
    weft.fail("transforms", "a.npy", "b.npy", ranks=3,
              says=["subcommand 'transforms' is unknown (did you mean 'transform'?)"])
    weft.fail("trnsfrm", "--kinds", "r2c", "u.npy", "x.npy",
              says=["subcommand 'trnsfrm' is unknown (did you mean 'transform'?)",
                    "(try: weft --help)"])
    weft.fail("--versio", says=["option '--versio' is unknown (did you mean '--version'?)"])
    weft.fail("frobnicate", ranks=3, says=["frobnicate"])
    weft.fail("frobnicate", says=["frobnicate"])
    weft.fail("\x1b[31m", says=["\\x1b[31m"])
    weft.fail("bench", 8, "\x1b[31m" + "x" * 60000, says=["\\x1b[31m", "xxx...xxx"])
    weft.fail(ranks=3, says=["subcommand"])
    weft.fail(says=["subcommand"])


@pytest.mark.parametrize("subcommand", [None, "bench", "plan", "predict", "calibrate", "list",
                                        "limits", "transform", "completion"])
def test_help(weft, subcommand):
    arguments = ([] if subcommand is None else [subcommand]) + ["--help"]
    alone = weft.succeed(*arguments)
    assert "Usage: weft" in alone and "Example" in alone
    assert alone == weft.succeed(*arguments, ranks=3)


def test_version(weft):
    assert weft.succeed("--version").startswith("weft ")


def different(weft, first, second):
    """Two ranks with different arguments."""
    command = [*weft.launcher, "-n", "1", weft.command, *first, ":", "-n", "1", weft.command,
               *second]
    return weft.start(command)


def test_arguments_that_differ_between_ranks(weft):
    result = different(weft, ["bench", "8", "8"], ["bench", "8", "9"])
    check_failure(result, ["shape differs", "8x8", "8x9"])


def test_rank_that_fails_alone_ends_all(weft):
    check_failure(different(weft, ["bench", "8", "8"], ["bench", "8", "8", "--bogus"]),
                  ["--bogus"])
    check_failure(different(weft, ["bench", "8", "8", "--norm", "l2"], ["bench", "8", "8"]),
                  ["l2"])


def test_too_many_threads_in_the_environment_of_one_rank(weft):
    bench = [weft.command, "bench", "8", "8", "--threads", "0"]
    result = weft.start([*weft.launcher, "-n", "1", *bench, ":", "-n", "1", "env",
                         "OMP_NUM_THREADS=1000000", *bench])
    check_failure(result, ["rank 1: OMP_NUM_THREADS 1000000: at most 4096 are possible"])


COMPLETE = """
source ./weft.bash
compopt() { :; }
COMP_LINE=$1 COMP_POINT=${#1}
_weft
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(weft):
    """What bash proposes at the end of a line."""
    (weft.folder / "weft.bash").write_text(weft.succeed("completion", "bash"))

    def proposals(line):
        result = weft.start(["bash", "-c", COMPLETE, "bash", line])
        assert result.returncode == 0 and result.stderr == ""
        return result.stdout.split()

    return proposals


@pytest.mark.parametrize("line, proposed", [
    ("weft tr", ["transform"]),
    ("weft completion ", ["bash", "zsh"]),
    ("weft bench 8 8 --kin", ["--kinds"]),
    ("weft bench 8 8 --interleaved --no-r", ["--no-reorder"]),
    ("weft transform --kinds r", ["r2c"]),
    ("weft bench 8 8 --kinds none,r", ["none,r2c"]),
    ("weft bench 8 8 --kinds=r", ["r2c"]),
    ("weft bench --precision ", ["f32", "f64"]),
    ("weft plan --rigor ", ["auto", "estimate", "measure", "patient"]),
    ("weft bench --input pencil:", ["0", "1", "2"]),  # bash has a word end at the colon
    ("weft bench --codec cast:b", ["bf16"]),
    ("weft list dev", ["devices"]),
    ("weft bench --json ", []),
    ("weft bench --repeat ", []),
])
def test_completion_in_bash(complete, line, proposed):
    assert complete(line) == proposed


def test_completion_knows_all_that_the_parser_and_the_tables_know(weft, complete):
    subcommands = complete("weft ")
    assert subcommands == ["transform", "bench", "plan", "predict", "calibrate", "limits", "tune",
                           "wisdom", "list", "completion"]
    for subcommand in subcommands:
        text = weft.succeed(subcommand, "--help")
        options = {word.split("{")[0] for line in text.splitlines() if line.startswith("  -")
                   for word in line.split()[0].split(",")}
        assert set(complete(f"weft {subcommand} -")) == options
    for option, section in [("exchange", "exchanges"), ("local", "local"), ("device", "devices")]:
        built_in = {name for name, row in offered(weft, section).items() if row["built_in"]}
        assert set(complete(f"weft bench --{option} ")) - {"auto"} == built_in
    assert set(complete("weft bench --kinds ")) == set(offered(weft, "kinds"))


def test_completion_of_other_shells(weft):
    script = weft.succeed("completion", "zsh")
    assert "compdef _weft weft" in script and "'--exchange=[" in script
    try:
        checked = subprocess.run(["zsh", "-n"], input=script, text=True, capture_output=True)
        assert checked.returncode == 0, checked.stderr
    except FileNotFoundError:
        pass
    weft.fail("completion", "fish", says=["shell 'fish' is unknown", "known: bash, zsh"])
    weft.fail("completion", says=["SHELL is required"])


def test_completion_that_is_installed_asks_the_command(weft):
    folder = os.path.join(os.path.dirname(__file__), "../../apps/weft/completion")
    path = os.path.dirname(weft.command) + ":" + os.environ["PATH"]
    result = weft.start(["bash", "-c", f"source {folder}/weft.bash; complete -p weft"],
                        env={**os.environ, "PATH": path})
    assert result.stdout == "complete -o default -F _weft weft\n", result.stderr

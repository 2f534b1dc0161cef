"""Plants faults in a copy of the tree, one after another, and tells which ones the tests catch."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from draw import draw, language_of
from faults import Fault, FaultError, check_places, read_faults, written
from tree import Tree, TreeError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ALLOWED_SHARE = 1 / 40  # of faults that may be missed

#: What scripts/test runs first where a folder has a fault: names of tests with as many ranks as the
#: default tier has. What has no row here is left to the whole tier.
FEW = "[.][1-3]$"
TESTS_OF = {
    "src/geometry": ("^test_geometry$",),
    "src/kind": ("^test_kind$", "^test_local[.]"),
    "src/schedule": ("^test_schedule$", "^test_planner_scale$"),
    "src/codec": ("^test_codec$", "^test_plan_encoding$"),
    "src/device": ("^test_(device|accelerator|move_tasks)$", "^test_plan_devices" + FEW),
    "src/local": ("^test_local[.]",),
    "include/weft/kernels": ("^test_local[.]", "^test_random" + FEW),
    "src/trace": ("^test_trace$", "^test_plan_trace" + FEW),
    "src/exchange": ("^test_exchange.*" + FEW, "^test_plan_(overlap|resources)" + FEW),
    "src/pass": ("^test_plan_encoding$", "^test_plan_.*" + FEW),
    "src/redistribution": ("^test_plan_encoding$", "^test_plan_.*" + FEW),
    "src/program": ("^test_plan_workspace$", "^test_plan_.*" + FEW),
    "src/plan": ("^test_plan_.*" + FEW,),
    "src/halo": ("^test_halo.*" + FEW,),
    "src/spectral": ("^test_spectral" + FEW,),
    "src/verify": ("^test_verify" + FEW,),
    "src/tune": ("command",),
    "bindings/c": ("^test_c_.*" + FEW,),
    "bindings/fortran": ("^test_fortran_.*" + FEW,),
    "bindings/python": ("python",),
    "apps/weft": ("^test_(npy|machine_file|prediction)$", "^test_parallel_file" + FEW, "bad_files",
                  "transform", "command", "predict"),
    "apps/poisson": ("poisson",),
    "apps/navier_stokes": ("^test_sweeps[.]", "navier_stokes"),
    "bench/weft_bench": ("analysis", "statistics", "study", "compare", "compact", "pages",
                         "quoting", "jobs", "builds", "runner", "energy_report", "gpu_scaling",
                         "picture", "timeline", "navier_stokes_times"),
    "bench": ("weft_settings", "canaries"),
}

#: Files whose code runs nowhere but on a GPU, or not in any test: no faults are drawn there.
NOT_DRAWN = ("src/device/gpu/*", "src/local/gpu/*", "src/spectral/gpu_*", "src/exchange/nccl.cpp",
             "bench/adapters/cu*")


@dataclass
class Result:
    list: str
    place: str
    breaks: str
    verdict: str  # caught, MISSED, or an error
    by: str = ""
    seconds: float = 0.0


def tests_of(file: str) -> tuple[str, ...]:
    return next((tests for folder, tests in TESTS_OF.items() if file.startswith(folder + "/")), ())


def try_fault(tree: Tree, fault: Fault, result: Result, folder_only: bool) -> None:
    names = tests_of(fault.file)
    stages = [names] if folder_only else [names, ()]
    with tree.planted(fault):
        for stage in stages if names else [()]:
            outcome = tree.test(stage)
            result.seconds += outcome.seconds
            if not outcome.built:
                result.verdict, result.by = "does not compile", outcome.part
                return
            if not outcome.passed:
                result.verdict, result.by = "caught", outcome.test or outcome.part
                return
    result.verdict = "survived" if folder_only else "MISSED"


def line_of(result: Result) -> str:
    by = f" by {result.by}" if result.verdict == "caught" else ""
    return (f"{result.verdict:8} {result.seconds:6.0f} s  {result.place}"
            f"{': ' if result.breaks else ''}{result.breaks}{by}")


def rates(results: Iterable[Result]) -> list[str]:
    by_list: dict[str, list[Result]] = {}
    for result in results:
        by_list.setdefault(result.list, []).append(result)
    return [f"{name}: {sum(one.verdict == 'caught' for one in some)} of {len(some)} caught"
            for name, some in by_list.items()]


def is_good(results: Sequence[Result]) -> bool:
    missed = sum(result.verdict == "MISSED" for result in results)
    caught = sum(result.verdict == "caught" for result in results)
    return caught + missed == len(results) and missed <= ALLOWED_SHARE * len(results)


def is_wanted(fault: Fault, patterns: Sequence[str]) -> bool:
    texts = (fault.file, fault.breaks)
    return not patterns or any(fnmatch(text, f"*{pattern}*")
                               for pattern in patterns for text in texts)


def draw_faults(tree: Tree, count: int, seed: int, skip_baseline: bool) -> None:
    """Replaces drawn.toml, but for what it says of faults that are drawn again."""
    if skip_baseline:
        tree.build_everything()
    else:
        tree.check_without_fault()
    objects = tree.objects_by_file()
    texts = {file: (tree.copy / file).read_text()
             for file in tree.files
             if language_of(file) and not any(fnmatch(file, one) for one in NOT_DRAWN)
             and (file in objects or file.endswith(".py"))}
    faults = draw(texts, count, seed, lambda fault: tree.compiles(fault, objects.get(fault.file)))
    path = tree.root / "tests/mutations/drawn.toml"
    known = {replace(one, equivalent=""): one for one in read_faults(path)} if path.exists() else {}
    comment = (f"Written by scripts/mutate --draw {count} --seed {seed}; "
               "nothing but `equivalent` was added.")
    path.write_text(written([known.get(fault, fault) for fault in faults], comment))


def run(tree: Tree, faults: Sequence[tuple[str, Fault]], chosen: argparse.Namespace) -> bool:
    if not chosen.skip_baseline:
        tree.check_without_fault()
    results = []
    for name, fault in faults:
        result = Result(name, fault.place_in(tree.root), fault.breaks, "")
        try:
            try_fault(tree, fault, result, chosen.folder_only)
        except TreeError as error:
            result.verdict = f"error: {error}"
        results.append(result)
        print(line_of(result), flush=True)
        if chosen.json is not None:
            chosen.json.write_text(json.dumps([asdict(one) for one in results], indent=1) + "\n")
    print("\n".join(rates(results)))
    return is_good(results)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument("lists", nargs="*", type=Path, metavar="FILE.toml",
                        default=[HERE / "planted.toml", HERE / "drawn.toml"],
                        help="by default planted.toml and drawn.toml of tests/mutations")
    parser.add_argument("--list", action="store_true", help="show the faults, run nothing")
    parser.add_argument("--only", nargs="+", default=[], metavar="PATTERN",
                        help="faults whose file or description has this in it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write results there, too")
    parser.add_argument("--folder-only", action="store_true",
                        help="run the tests of the folder, not the rest of the default tier")
    parser.add_argument("--skip-baseline", action="store_true",
                        help="believe that the tests pass where there is no fault")
    parser.add_argument("--draw", type=int, metavar="N", help="draw N faults into drawn.toml")
    parser.add_argument("--seed", type=int, help="of --draw")
    chosen = parser.parse_args(arguments)
    if (chosen.draw is None) != (chosen.seed is None):
        parser.error("--draw and --seed need each other")
    if chosen.draw is not None and chosen.draw < 1:
        parser.error(f"--draw {chosen.draw}: must be positive")
    return chosen


def main(arguments: Sequence[str]) -> int:
    chosen = parse(arguments)
    try:
        tree = Tree(ROOT)
        if not chosen.list:
            tree.lock()
        if chosen.draw is not None:
            tree.update()
            draw_faults(tree, chosen.draw, chosen.seed, chosen.skip_baseline)
            return 0
        lists = {path.name: read_faults(path) for path in chosen.lists}
        check_places([fault for faults in lists.values() for fault in faults], ROOT)
        wanted = [(name, fault) for name, faults in lists.items() for fault in faults
                  if is_wanted(fault, chosen.only)]
        if not wanted:
            raise FaultError(f"no fault matches {', '.join(chosen.only)}")
        if chosen.list:
            for name, fault in wanted:
                print(f"{name}  {fault.place_in(ROOT)}  {fault.breaks}")
            return 0
        tried = [one for one in wanted if not one[1].equivalent]
        for _, fault in wanted:
            if fault.equivalent:
                print(f"changes nothing: {fault.place_in(ROOT)}: {fault.equivalent}")
        tree.update()
        return 0 if run(tree, tried, chosen) else 1
    except (FaultError, TreeError) as error:
        print(f"mutate: error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    # As after Ctrl-C, the fault is reverted and the tests end.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(main(sys.argv[1:]))

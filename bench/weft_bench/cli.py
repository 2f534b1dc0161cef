"""The command weft-bench."""

from __future__ import annotations

import argparse
import dataclasses
import os
import signal
import sys
from pathlib import Path
from typing import Any

from . import (
    axes,
    batch,
    builds,
    compact,
    compare,
    gpu_scaling,
    lookup,
    machine,
    pages,
    picture,
    published,
    published_report,
    quoting,
    records,
    report,
    run,
    study,
    timeline,
    whole_file,
)

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("WEFT_BUILD_DIR") or ROOT / "build")
STUDIES = ROOT / "bench" / "studies"
ERRORS = (study.StudyError, builds.BuildError, run.RunError, records.RecordError,
          report.ReportError, pages.PageError, lookup.LookupFailed,
          published.PublishedError, OSError)


def say(line: object) -> None:
    """Prints one line, of which parts may come from files."""
    print(quoting.terminal(line), flush=True)


def _load_builds(arguments: argparse.Namespace) -> list[builds.Build]:
    return [builds.named(text, arguments.launch)
            for text in arguments.build or [os.path.relpath(BUILD)]]


def _builds_of(loaded: study.Study, arguments: argparse.Namespace) -> list[builds.Build]:
    """Those that its cases name, and those of the command line where a case names none."""
    asked = dict.fromkeys(case.build for case in loaded.cases)
    return [build for value in asked for build in (
        _load_builds(arguments) if value == "auto" else [builds.of_axis(value, arguments.launch)])]


def _lengths(text: str) -> tuple[int, ...]:
    return tuple(int(length) for length in text.split("x"))


def _load_study(arguments: argparse.Namespace) -> study.Study:
    """The study, changed as the command line says."""
    loaded = study.load(arguments.study)
    for name in ("rounds", "seconds"):
        if getattr(arguments, name) is not None:
            loaded.measure[name] = getattr(arguments, name)
    changes: dict[str, Any] = {}
    if arguments.shape is not None:
        changes["shape"] = arguments.shape
    if arguments.ranks_per_node is not None:
        changes["ranks_per_node"] = arguments.ranks_per_node
    chosen = [dataclasses.replace(case, **changes) for case in loaded.cases
              if arguments.ranks is None or case.ranks in arguments.ranks]
    if not chosen:
        raise study.StudyError(f"{arguments.study} has no case with {arguments.ranks} ranks")
    loaded.cases = list(dict.fromkeys(chosen))
    return loaded


def _run(arguments: argparse.Namespace) -> int:
    loaded = _load_study(arguments)
    output = arguments.output or Path(f"{loaded.name}.jsonl")
    runner = run.Runner(loaded, _builds_of(loaded, arguments), machine.fingerprint(), output,
                        arguments.only, say, arguments.add_machine)
    if arguments.dry_run:
        for case in loaded.cases:
            say(case.title())
        for entry in runner.entries:
            settings = (f"{name}={value}" for name, value in entry.settings)
            say(" ".join([entry.build.name, entry.library.name, *settings]))
        return 0
    # Batch systems say so before a job's time is over; what runs is ended, what was measured stays.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        runner.run()
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on from here", file=sys.stderr)
        return 130
    written = records.load(output)
    for path in report.write(written, output.with_suffix("")):
        say(f"report: {path}")
    print(report.terminal_summary(written))
    return 0


def _list(arguments: argparse.Namespace) -> int:
    for build in _load_builds(arguments):
        say(f"{build.name}: {build.folder}, {build.mpiexec}")
        for library in build.libraries.values():
            if library.program is None:
                say(f"  {library.name:16s} not here: {library.missing}")
                continue
            kind = "one process with threads" if library.shared_memory else "MPI"
            say(f"  {library.name:16s} {library.version}, {kind}, {library.device}")
            for name, values in library.settings.items():
                say(f"  {'':18s} {name}: {', '.join(values)}")
    say("studies:")
    for path in sorted(STUDIES.glob("*.toml")):
        loaded = study.load(path)
        say(f"  {path.name:24s} {loaded.title} ({len(loaded.cases)} cases)")
    return 0


def _report(arguments: argparse.Namespace) -> int:
    all_records = [axes.as_settings(record, arguments.as_settings or ())
                   for path in arguments.records for record in records.load(path)]
    stem = arguments.output or arguments.records[0].with_suffix("")
    for path in report.write(all_records, stem):
        say(f"report: {path}")
    print(report.terminal_summary(all_records))
    return 0


def _compact(arguments: argparse.Namespace) -> int:
    lines = compact.write(arguments.records, arguments.output, arguments.brief)
    before, after = (path.stat().st_size for path in (arguments.records, arguments.output))
    say(f"{arguments.output}: {lines} lines, {after} bytes instead of {before}")
    return 0


def _pages(_: argparse.Namespace) -> int:
    for path in pages.write(ROOT):
        say(f"page: {os.path.relpath(path)}")
    return 0


def _published(arguments: argparse.Namespace) -> int:
    results = ROOT / "bench/results"
    written = False
    for name, write in published_report.FORMATS.items():
        path = getattr(arguments, name)
        if path is not None:
            whole_file.write(path, write(results))
            say(f"{name}: {path}")
            written = True
    if not written:
        print(published_report.terminal(results))
    return 0


def _picture(arguments: argparse.Namespace) -> int:
    all_records = [record for path in arguments.records for record in records.load(path)]
    picture.draw(all_records, arguments.picture)
    say(f"picture: {arguments.picture}")
    return 0


def _gpu_scaling(arguments: argparse.Namespace) -> int:
    wanted = gpu_scaling.Wanted(arguments.kind, arguments.precision, arguments.before,
                                arguments.after)
    gpu_scaling.draw(gpu_scaling.load(arguments.records), arguments.picture, wanted)
    say(f"picture: {arguments.picture}")
    return 0


def _timeline(arguments: argparse.Namespace) -> int:
    timeline.draw(timeline.load(arguments.timeline), arguments.picture, arguments.direction,
                  arguments.title)
    say(f"picture: {arguments.picture}")
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    text, status = compare.compare(records.load(arguments.old), records.load(arguments.new),
                                   arguments.threshold)
    print(text)
    return status


def _script(arguments: argparse.Namespace) -> int:
    loaded = _load_study(arguments)
    if arguments.ranks_per_node is None:
        raise study.StudyError("script needs --ranks-per-node")
    options = [str(arguments.study.resolve()), "--build", str(arguments.build.resolve()),
               "--ranks-per-node", str(arguments.ranks_per_node)]
    if arguments.shape is not None:
        options += ["--shape", "x".join(map(str, arguments.shape))]
    if arguments.ranks is not None:
        options += ["--ranks", ",".join(map(str, arguments.ranks))]
    for name in ("rounds", "seconds"):
        if getattr(arguments, name) is not None:
            options += [f"--{name}", str(getattr(arguments, name))]
    print(batch.job_script(loaded, options, arguments.system, arguments.hours), end="")
    return 0


def _add_study_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=Path)
    parser.add_argument("--shape", type=_lengths, metavar="NxNxN",
                        help="replaces the shape of all cases")
    parser.add_argument("--ranks", type=lambda text: [int(word) for word in text.split(",")],
                        metavar="R,R,...", help="only cases with these numbers of ranks")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="duration of the repetitions of a block")
    parser.add_argument("--ranks-per-node", type=int, metavar="R")


def _add_build_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--build", action="append", metavar="[NAME=]FOLDER",
                        help="build folder of the harness; several, of several MPI libraries, "
                        "are measured side by side [build]")
    parser.add_argument("--launch", metavar="NAME|TEMPLATE",
                        help="how MPI programs are started: " + ", ".join(builds.LAUNCHERS)
                        + ", or a template such as 'aprun -n {ranks}' [by the MPI library]")


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="weft-bench", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("run", help="measure a study, or continue it; then report")
    _add_study_options(one)
    one.add_argument("--output", type=Path, help="file of records [NAME.jsonl]")
    one.add_argument("--only", action="append", metavar="LIBRARY")
    one.add_argument("--add-machine", action="store_true",
                     help="allow records of another machine in the same file")
    one.add_argument("--dry-run", action="store_true", help="only print what would be measured")
    _add_build_options(one)
    one.set_defaults(work=_run)

    one = commands.add_parser("list", help="libraries, their settings, and studies")
    _add_build_options(one)
    one.set_defaults(work=_list)

    one = commands.add_parser("report", help="write HTML, Markdown and CSV from records")
    one.add_argument("records", type=Path, nargs="+")
    one.add_argument("--output", type=Path, metavar="STEM")
    one.add_argument("--as-settings", action="append", choices=axes.START, metavar="AXIS",
                     help="rank settings of this kind within a case: " + ", ".join(axes.START))
    one.set_defaults(work=_report)

    one = commands.add_parser("compact", help="reduce records to medians and spreads")
    one.add_argument("records", type=Path, help="whole records, which do not change")
    one.add_argument("output", type=Path)
    one.add_argument("--brief", action="store_true",
                     help="omit steps, memory and layouts: half the size")
    one.set_defaults(work=_compact)

    one = commands.add_parser("pages", help="write docs/performance and the table of README.md")
    one.set_defaults(work=_pages)

    one = commands.add_parser("published", help="published times, beside our records")
    for option in ("--markdown", "--html", "--json"):
        one.add_argument(option, type=Path, metavar="FILE", help="write to this file instead")
    one.set_defaults(work=_published)

    one = commands.add_parser("picture", help="draw the times of every case, for a README")
    one.add_argument("records", type=Path, nargs="+")
    one.add_argument("picture", type=Path, help="file to write: " + ", ".join(picture.FORMATS))
    one.set_defaults(work=_picture)

    one = commands.add_parser("gpu-scaling", help="draw times over the number of GPUs")
    one.add_argument("records", type=Path, nargs="+",
                     help="files of lines that `weft bench --json` or an adapter has written")
    one.add_argument("picture", type=Path, help="file to write: " + ", ".join(picture.FORMATS))
    one.add_argument("--kind", default="c2c")
    one.add_argument("--precision", default="f64")
    one.add_argument("--in", dest="before", default="slab:0", metavar="LAYOUT")
    one.add_argument("--out", dest="after", default="slab:1", metavar="LAYOUT")
    one.set_defaults(work=_gpu_scaling)

    one = commands.add_parser("timeline", help="draw what `weft bench --timeline` has written")
    one.add_argument("timeline", type=Path)
    one.add_argument("picture", type=Path, help="file to write: " + ", ".join(picture.FORMATS))
    one.add_argument("--direction", default="forward", choices=("forward", "backward"))
    one.add_argument("--title", default="")
    one.set_defaults(work=_timeline)

    one = commands.add_parser("compare", help="compare two files: slower and faster cases")
    one.add_argument("old", type=Path)
    one.add_argument("new", type=Path)
    one.add_argument("--threshold", type=float, default=0.05,
                     help="smallest relative change that is reported [0.05]")
    one.set_defaults(work=_compare)

    one = commands.add_parser("script", help="print a job script for a batch system")
    _add_study_options(one)
    system = one.add_mutually_exclusive_group(required=True)
    for name in batch.HEADERS:
        system.add_argument(f"--{name}", dest="system", action="store_const", const=name)
    one.add_argument("--hours", type=int, default=1)
    one.add_argument("--build", type=Path, default=BUILD, metavar="FOLDER")
    one.set_defaults(work=_script)
    return top


def main() -> int:
    arguments = parser().parse_args()
    try:
        return arguments.work(arguments)
    except BrokenPipeError:  # whoever read the output has seen enough
        sys.stderr.close()
        return 1
    except ERRORS as error:
        print(f"weft-bench: error: {quoting.terminal(error)}", file=sys.stderr)
        return 2

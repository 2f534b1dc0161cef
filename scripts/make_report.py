"""Prints the table of a benchmark, and makes one HTML page of all that a demo found."""

import argparse
import base64
import json
import math
import os
import platform
from datetime import date
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

Case = dict[str, Any]
#: Repetitions are noisy if the longest took more than this many times as long as the shortest.
NOISE = 1.5


def three_digits(value: float) -> str:
    decimals = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{max(0, decimals)}f}"


def milliseconds(seconds: float) -> str:
    return three_digits(seconds * 1e3)


def scientific(value: float) -> Markup:
    digits, exponent = f"{value:.1e}".split("e")
    return Markup('<span class="number">{}&thinsp;×&thinsp;10<sup>{}</sup></span>').format(
        digits, f"{int(exponent)}".replace("-", "−")
    )


def mebibytes(count: float) -> str:
    return f"{three_digits(count / 2**20)} MiB"


def shape(case: Case) -> str:
    if len(case["shape"]) == 3 and len(set(case["shape"])) == 1:
        return f"{case['shape'][0]}³"
    return " × ".join(str(length) for length in case["shape"])


def is_right(case: Case) -> bool:
    return case["forward_error"] <= case["error_bound"]


def is_noisy(case: Case) -> bool:
    spreads = (case["forward_seconds"], case["backward_seconds"])
    return any(spread["max"] > NOISE * spread["min"] for spread in spreads)


def steps(case: Case) -> list[dict[str, Any]]:
    """The steps of a forward and a backward transform, with their parts of the time of both, and
    the lengths of their bars, of which the longest takes all its room."""
    total = sum(stage["seconds"] for stage in case["stages"])
    longest = max(stage["seconds"] for stage in case["stages"])
    return [
        {
            **stage,
            "percent": 100 * stage["seconds"] / total,
            "length": 100 * stage["seconds"] / longest,
        }
        for stage in case["stages"]
    ]


def exchange_share(case: Case) -> float:
    """Percent of the time of all steps that is that of steps that move data between ranks."""
    return sum(step["percent"] for step in steps(case) if step["moves_data"])


def bench_table(cases: list[Case]) -> str:
    rows = [("array", "kind", "forward ms", "backward ms", "GFLOP/s", "error", "bound", "")]
    for case in cases:
        rows.append(
            (
                "x".join(str(length) for length in case["shape"]),
                case["kind"],
                milliseconds(case["forward_seconds"]["median"]),
                milliseconds(case["backward_seconds"]["median"]),
                three_digits(case["gflops"]),
                f"{case['forward_error']:.1e}",
                f"{case['error_bound']:.1e}",
                ("ok" if is_right(case) else "WRONG") + ("  noisy" if is_noisy(case) else ""),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths)).rstrip() for row in rows)


def operating_system() -> str:
    release = platform.freedesktop_os_release()
    return f"{release.get('PRETTY_NAME', 'Linux')}, Linux {platform.release()}"


def machine_facts(case: Case) -> list[tuple[str, str]]:
    machine = case["machine"]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        ("Processor", f"{machine['cpu']}, {machine['cores']} cores, {platform.machine()}"),
        ("Memory", f"{memory:.0f} GiB"),
        ("System", operating_system()),
        ("MPI", machine["mpi"]),
        ("Compiler", machine["compiler"]),
        ("weft", f"{case['version']}, local transforms by {case['local']}"),
        ("Processes", f"{case['ranks']} ranks of {case['threads']} "
                      f"thread{'s'[: case['threads'] > 1]}"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with the files that scripts/demo made")
    folder: Path = parser.parse_args().folder

    cases = [json.loads(line) for line in (folder / "bench.jsonl").read_text("utf-8").splitlines()]
    picture = base64.b64encode((folder / "spectrum.png").read_bytes()).decode()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        ms=milliseconds,
        digits=three_digits,
        sci=scientific,
        mib=mebibytes,
        shape=shape,
        steps=steps,
        exchange_share=exchange_share,
    )
    environment.tests.update(
        right=is_right, noisy=is_noisy, any_noisy=lambda all_cases: any(map(is_noisy, all_cases))
    )
    page = environment.get_template("report.html.j2").render(
        energies=json.loads((folder / "energies.json").read_text("utf-8")),
        check=json.loads((folder / "check.json").read_text("utf-8")),
        cases=cases,
        largest=max(cases, key=lambda case: case["forward_seconds"]["median"]),
        facts=machine_facts(cases[0]),
        commands=(folder / "commands.txt").read_text("utf-8").splitlines(),
        picture=picture,
        noise=NOISE,
        today=date.today(),
    )
    (folder / "report.html").write_text(page, "utf-8")
    print(bench_table(cases))
    if not all(is_right(case) for case in cases):
        raise SystemExit("error: a transform of the benchmark is incorrect")


if __name__ == "__main__":
    main()

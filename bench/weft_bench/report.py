"""Writes what a study found: a page that needs nothing else, Markdown, and CSV."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from . import analysis, formatting, quoting, report_tables, report_text, whole_file
from .cells import Record, split_by_machine
from .report_sections import Part, make_parts


class ReportError(Exception):
    """A report that cannot be written here."""


def write(records: list[Record], stem: Path) -> list[Path]:
    """Writes STEM.html, STEM.md and STEM.csv."""
    records = quoting.printable_values(records)
    parts = make_parts(records)
    texts = {
        ".html": page(parts, records),
        ".md": report_text.markdown(parts, title_of(records), notices(parts)),
        ".csv": report_text.csv_text(parts),
    }
    paths = []
    for suffix, text in texts.items():
        path = stem.with_name(stem.name + suffix)
        whole_file.write(path, text)
        paths.append(path)
    return paths


def terminal_summary(records: list[Record]) -> str:
    """The verdict and the overall ranking, for a look after a run."""
    machines = split_by_machine(records)
    if not machines:
        return "No records."
    blocks = []
    for machine in machines:
        contests = analysis.contests_of(machine)
        lines = [machine.name, *analysis.verdict(machine, contests)]
        result = analysis.overall(machine, contests)
        if len(result.standings) > 1:
            lines.append(report_text.plain_table(report_tables.overall_table(result)))
        failures = report_tables.failures_table(machine)
        for row in failures.rows:
            library, status, reason, _, blocks_hit, cases = (value.text for value in row)
            lines.append(
                f"{library}: {status}, {reason} ({formatting.count(int(cases), 'case')}, "
                f"{formatting.count(int(blocks_hit), 'block')})"
            )
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def title_of(records: Sequence[Record]) -> str:
    studies = list(dict.fromkeys(str(r["study"]) for r in records if r.get("study")))
    return f"Distributed FFT libraries: {formatting.listing(studies) or 'benchmark'}"


def notices(parts: Sequence[Part]) -> list[str]:
    """What concerns the report as a whole."""
    if not parts:
        return ["There are no records, so there is nothing to report."]
    if len(parts) == 1:
        return []
    names = formatting.listing([part.machine.name for part in parts])
    return [
        f"The records come from {len(parts)} machines: {names}. Each has a part of its own; "
        "nothing is compared or pooled across machines."
    ]


def data_tables() -> tuple[Markup, Markup]:
    """DataTables as the package itables ships it: one module and one style sheet (MIT license)."""
    spec = importlib.util.find_spec("itables")
    if spec is None or not spec.submodule_search_locations:
        raise ReportError("the Python package itables is missing (scripts/requirements.txt)")
    folder = Path(spec.submodule_search_locations[0], "html")
    module = (folder / "dt_bundle.js").read_text("utf-8")
    style = (folder / "dt_bundle.css").read_text("utf-8")
    return Markup(module.replace("</script", "<\\/script").replace("<!--", "<\\!--")), Markup(style)


def page(parts: Sequence[Part], records: Sequence[Record]) -> str:
    environment = quoting.html_templates(Path(__file__).parent)
    environment.filters["svg"] = Markup
    module, style = data_tables()
    return environment.get_template("report.html.j2").render(
        title=title_of(records),
        notices=notices(parts),
        parts=parts,
        module=module,
        style=style,
    )

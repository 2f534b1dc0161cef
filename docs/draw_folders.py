"""Draws docs/figures/folders.svg: the folders of src/ and which of them include which.

Run it with `python3 docs/draw_folders.py` after includes have changed; it needs Graphviz. What each
folder is for comes from the table in docs/architecture.md. An include is drawn only if no other
path leads from one folder to the other: the picture is the transitive reduction of the graph.
"""

import re
import subprocess
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/architecture.md"
PICTURE = ROOT / "docs/figures/folders.svg"
INCLUDE = re.compile(r'^\s*#\s*include "([\w.-]+(?:/[\w.-]+)*)"', re.MULTILINE)
#: Folders above src/plan/ use it through this public header.
PLAN_HEADER = "weft/plan.hpp"
#: Folders with classes that programs call.
FOR_USERS = {"plan", "halo", "spectral", "verify", "files"}

#: Fill and border. Text is dark on each of them, so the picture needs no background.
PURE, USERS, OTHERS = ("#d8efd9", "#3f8f4f"), ("#d6e6fa", "#3b74b9"), ("#eef0f2", "#7d8590")
STYLE = """
  graph [rankdir=TB, bgcolor=transparent, nodesep=0.22, ranksep=0.34, pad=0.05];
  node [shape=box, style="filled,rounded", fontname="Helvetica,Arial,sans-serif", fontsize=12,
        fontcolor="#1f2328", margin="0.11,0.03", penwidth=1.2];
  edge [color="#848d97", penwidth=1.1, arrowsize=0.6];
"""

LABEL = """<table border="0" cellborder="0" cellspacing="0" cellpadding="1">
    <tr><td><b>{folder}</b></td></tr>
    <tr><td><font point-size="9.5" color="#424a53">{job}</font></td></tr></table>"""

#: Of each folder those that it includes.
Graph = dict[str, set[str]]


def includes(file: Path) -> list[str]:
    return INCLUDE.findall(file.read_text("utf-8"))


def reaches_plan(header: str) -> bool:
    """Whether a public header is that of `Plan` or includes it."""
    return header == PLAN_HEADER or any(map(reaches_plan, includes(ROOT / "include" / header)))


def read_graph() -> Graph:
    graph: Graph = {folder.name: set() for folder in (ROOT / "src").iterdir() if folder.is_dir()}
    for folder, others in graph.items():
        for file in (ROOT / "src" / folder).rglob("*"):
            if file.suffix not in {".hpp", ".cpp", ".cu"}:
                continue
            for header in includes(file):
                others.add(header.split("/")[0])
                if header.startswith("weft/") and reaches_plan(header):
                    others.add("plan")
        others &= graph.keys() - {folder}
    return graph


def reached(graph: Graph, start: str) -> set[str]:
    """All folders that one includes, directly or not."""
    found: set[str] = set()
    open_ones = list(graph[start])
    while open_ones:
        folder = open_ones.pop()
        if folder not in found:
            found.add(folder)
            open_ones += graph[folder]
    return found


def reduced(graph: Graph) -> Graph:
    """The fewest edges that reach the same. There are no cycles (tests/schedule)."""
    return {
        folder: {
            other for other in others
            if not any(other in reached(graph, between) for between in others - {other})
        }
        for folder, others in graph.items()
    }


def edges(graph: Graph) -> set[tuple[str, str]]:
    return {(folder, other) for folder, others in graph.items() for other in others}


def jobs() -> dict[str, str]:
    """What each folder is for, by the table of the page."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    return {folder: job.replace("`", "") for folder, job in rows}


def pure_folders() -> set[str]:
    """Those of the target weft_pure, which knows neither MPI nor devices."""
    cmake = (ROOT / "src/CMakeLists.txt").read_text("utf-8")
    return set(re.findall(r"(\w+)/", re.search(r"weft_pure OBJECT([^)]*)\)", cmake)[1]))


def dot() -> str:
    graph, job_of, pure = reduced(read_graph()), jobs(), pure_folders()
    lines = ["digraph folders {", STYLE]
    for folder in sorted(graph):
        fill, border = PURE if folder in pure else USERS if folder in FOR_USERS else OTHERS
        label = LABEL.format(folder=folder, job=escape(job_of[folder]))
        lines.append(f'  {folder} [label=<{label}>, fillcolor="{fill}", color="{border}"];')
    lines += [f"  {folder} -> {other};" for folder, other in sorted(edges(graph))]
    return "\n".join([*lines, "}"])


def main() -> None:
    svg = subprocess.run(["dot", "-Tsvg"], input=dot(), check=True, capture_output=True, text=True)
    PICTURE.write_text(svg.stdout, "utf-8")


if __name__ == "__main__":
    main()

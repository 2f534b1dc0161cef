"""Writes the pages of measurements from templates, in which every measured figure is looked up.

`bench/pages/NAME.md.j2` becomes `docs/performance/NAME.md`, and `README.md.j2` what stands in
README.md between two comments. Templates see

    records("FILE.jsonl", ...)     rows of files in bench/results (lookup.py)
    picture("FILE.svg", "ALT", "FILE.jsonl", ...)        a panel for each case, in docs/figures
    gpu_scaling("FILE.svg", "ALT", "FILE.jsonl", ...)    times over the number of GPUs
    NAME("FILE.svg", "ALT", rows, ...)                   one of CHARTS, drawn of such rows
    exchange_table(rows)           bandwidth of exchanges over ranks (exchange_scaling.py)
    table(rows, down=..., across=...)                    times of many cases (page_table.py)
    published("NAME")              a table of published figures (published_report.py)
    features()                     what the libraries can do (features.py)
    sources()                      the files that the page has looked into
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2

from . import (
    breakdown,
    chart,
    curves,
    exchange_scaling,
    features,
    gpu_scaling,
    lookup,
    page_table,
    picture,
    published,
    published_report,
    records,
    report_text,
    solver_scaling,
    tolerance_chart,
    whole_file,
)
from .bare_figures import find

BEGIN, END = "<!-- measured: begin, made from {} -->", "<!-- measured: end -->"
NOTE = "<!-- Made from {} by `bench/weft-bench pages`: change that. -->\n"
#: Charts of rows by their names in templates.
CHARTS: dict[str, Callable[..., None]] = {
    "breakdown": breakdown.draw,  # what weft spends its time on, over ranks
    "curves": curves.draw,  # one field over another: time over chunks, error over bits
    "exchange_scaling": exchange_scaling.draw,  # bandwidth of exchanges over ranks
    "solver_scaling": solver_scaling.draw,  # steps of a solver over the number of ranks
    "tolerances": tolerance_chart.draw,  # errors of solutions over points
}


class PageError(Exception):
    """A page that cannot be made."""


class Page:
    """One template, and what it looks into while it is rendered."""

    def __init__(self, root: Path, template: Path, figures: Path) -> None:
        self.root, self.template, self.figures = root, template, figures
        self.results = root / "bench/results"
        self.used: list[str] = []
        self.drawn: list[Path] = []

    @property
    def name(self) -> str:
        return self.template.relative_to(self.root).as_posix()

    @property
    def target(self) -> Path:
        if self.in_readme:
            return self.root / "README.md"
        return self.root / "docs/performance" / self.template.name.removesuffix(".j2")

    @property
    def in_readme(self) -> bool:
        return self.template.name == "README.md.j2"

    def text(self) -> str:
        """What the target should hold."""
        source = self.template.read_text("utf-8")
        try:
            bare = find(source)
            body = "" if bare else self.rendered(source)
        except (jinja2.TemplateError, lookup.LookupFailed, published.PublishedError,
                features.FeatureError, TypeError) as error:
            raise PageError(f"{self.name}: {error}") from error
        if bare:
            listed = "; ".join(f"line {line}: {text}" for line, text in bare)
            raise PageError(f"{self.name}: measured figures that are not looked up: {listed}")
        if not self.in_readme:
            return NOTE.format(self.name) + body
        return replaced(self.target.read_text("utf-8"), BEGIN.format(self.name), body)

    def rendered(self, source: str) -> str:
        environment = jinja2.Environment(
            undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters.update(lookup.FILTERS)
        environment.globals.update(
            records=self.records, table=page_table.times, picture=self.picture,
            gpu_scaling=self.gpu_scaling, exchange_table=exchange_scaling.table,
            published=self.published, features=self.features, sources=self.sources,
            **{name: functools.partial(self.chart, draw) for name, draw in CHARTS.items()},
        )
        return environment.from_string(source).render()

    def records(self, *names: str) -> lookup.Rows:
        self.use(names)
        return lookup.load(self.results, names)

    def use(self, names: tuple[str, ...]) -> None:
        for name in names:
            if not (self.results / name).is_file():
                raise lookup.LookupFailed(f"{name} is not in bench/results")
            self.used.append(f"bench/results/{name}")

    def picture(self, file: str, meaning: str, *names: str) -> str:
        return self.drawing(file, meaning, names, lambda paths, path: picture.draw(
            [record for one in paths for record in records.load(one)], path))

    def gpu_scaling(self, file: str, meaning: str, *names: str) -> str:
        return self.drawing(file, meaning, names, lambda paths, path: gpu_scaling.draw(
            gpu_scaling.load(paths), path))

    def chart(self, draw: Callable[..., None], file: str, meaning: str, rows: lookup.Rows,
              **how: Any) -> str:
        return self.drawing(file, meaning, (), lambda _, path: draw(rows, path, **how))

    def published(self, name: str) -> str:
        self.use((published.TIMES, published.OTHERS, published.SOURCES))
        return report_text.markdown_table(published_report.tables(self.results)[name])

    def features(self) -> str:
        self.used.append(features.FILE)
        return report_text.markdown_table(features.table(self.root))

    def drawing(self, file: str, meaning: str, names: tuple[str, ...],
                draw: Callable[[list[Path], Path], None]) -> str:
        self.use(names)
        self.figures.mkdir(parents=True, exist_ok=True)
        path = self.figures / file
        draw([self.results / name for name in names], path)
        whole_file.write(path, chart.numbered(path.read_text("utf-8")))
        self.drawn.append(path)
        return f"![{meaning}]({'docs' if self.in_readme else '..'}/figures/{file})"

    def sources(self) -> str:
        return ", ".join(f"`{name}`" for name in dict.fromkeys(self.used))


def replaced(text: str, begin: str, body: str) -> str:
    """The text with what stands between two comments replaced."""
    if text.count(begin) != 1 or text.count(END) != 1:
        raise PageError(f"README.md needs one line {begin} and one line {END}")
    before, rest = text.split(begin)
    after = rest.split(END)[1]
    return f"{before}{begin}\n\n{body.strip()}\n\n{END}{after}"


def pages(root: Path, figures: Path | None = None) -> list[Page]:
    found = sorted((root / "bench/pages").glob("*.md.j2"))
    if not found:
        raise PageError(f"{root / 'bench/pages'} has no templates")
    return [Page(root, template, figures or root / "docs/figures") for template in found]


def write(root: Path) -> list[Path]:
    """Writes all pages and their pictures; none, if one of them cannot be made."""
    made = [(page, page.text()) for page in pages(root)]
    for page, text in made:
        page.target.parent.mkdir(parents=True, exist_ok=True)
        whole_file.write(page.target, text)
    return [path for page, _ in made for path in (page.target, *page.drawn)]

"""Tables of numbers for people: values with their intervals, marks, and legends of these."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from . import formatting
from .cells import Cell
from .statistics import NOISY, WIDE, Estimate

#: Sorts behind all numbers.
LAST = 1e300
NOISY_LEGEND = (
    f"{formatting.NOISY_MARK} noisy: the longest repetition took over {NOISY:g} times as long as "
    "the shortest."
)
NOT_RESOLVED_LEGEND = (
    f"“{formatting.NOT_RESOLVED}”: the ends of the interval are more than a factor of {WIDE:g} "
    "apart and, for a ratio, 1 lies between them."
)


@dataclass(frozen=True)
class Value:
    """What stands in a table, with what it sorts by and a smaller line below it."""

    text: str
    order: float | None = None
    note: str = ""


@dataclass
class Table:
    name: str
    columns: list[str]
    rows: list[list[Value]]
    caption: str = ""
    left: int = 1  # columns of text, from the left
    sortable: bool = True
    wide: bool = False  # needs a page in landscape
    code_last: bool = False  # the last column is a command line
    folded: bool = False


def without_empty_columns(table: Table) -> Table:
    """Leaves out the columns of numbers in which no row has anything to tell."""
    kept = [
        i
        for i in range(len(table.columns))
        if i < table.left or any(row[i].text != formatting.ABSENT for row in table.rows)
    ]
    columns = [table.columns[i] for i in kept]
    return replace(table, columns=columns, rows=[[row[i] for i in kept] for row in table.rows])


def with_legends(table: Table) -> Table:
    """Says below the caption what the marks of this table mean."""
    texts = [text for row in table.rows for value in row for text in (value.text, value.note)]
    legends = [table.caption]
    if any(text.endswith(formatting.NOISY_MARK) for text in texts):
        legends.append(NOISY_LEGEND)
    unmarked = [text.removesuffix(f" {formatting.NOISY_MARK}") for text in texts]
    if formatting.NOT_RESOLVED in unmarked:
        legends.append(NOT_RESOLVED_LEGEND)
    return replace(table, caption=" ".join(filter(None, legends)))


def number(value: float | None, text: str, note: str = "") -> Value:
    return Value(text, LAST if value is None else value, note)


def interval_note(estimate: Estimate, form: Callable[[float], str]) -> str:
    if estimate.wide:
        return formatting.NOT_RESOLVED
    return f"{form(estimate.low)} – {form(estimate.high)}"


def time_value(cell: Cell, direction: str) -> Value:
    sample = cell.sample(direction)
    if sample is None:
        return Value(formatting.ABSENT, LAST)
    note = interval_note(sample.estimate, formatting.milliseconds)
    return Value(formatting.milliseconds(sample.median), sample.median, note)


def ratio_value(estimate: Estimate | None, noisy: bool = False) -> Value:
    if estimate is None:
        return Value(formatting.ABSENT, LAST)
    if not estimate.decides:
        return Value(formatting.marked(formatting.NOT_RESOLVED, noisy), estimate.value)
    note = ""
    if estimate.low < estimate.high:
        note = f"{formatting.ratio(estimate.low)} – {formatting.ratio(estimate.high)}"
    return Value(formatting.marked(formatting.ratio(estimate.value), noisy), estimate.value, note)


def is_noisy(cell: Cell | None) -> bool:
    sample = cell.sample("pair") if cell else None
    return sample is not None and sample.noisy

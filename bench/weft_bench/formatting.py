"""Numbers and names for people: the same in the page, in Markdown and in the terminal."""

import math
from collections.abc import Sequence

ABSENT = "–"
NOT_RESOLVED = "not resolved"
#: Marks what was measured in noisy repetitions.
NOISY_MARK = "†"


def three_digits(value: float | None) -> str:
    """Three significant digits, without an exponent."""
    if value is None or not math.isfinite(value):
        return ABSENT
    if value == 0:
        return "0"
    decimals = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(0, decimals)}f}"


def milliseconds(seconds: float | None) -> str:
    return ABSENT if seconds is None else three_digits(seconds * 1e3)


def ratio(value: float | None) -> str:
    """Two decimals, as differences below a percent mean nothing; fewer for large ratios."""
    if value is None:
        return ABSENT
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def marked(text: str, noisy: bool) -> str:
    return f"{text} {NOISY_MARK}" if noisy else text


def percent(value: float | None) -> str:
    return ABSENT if value is None else f"{100 * value:.0f}%"


def scientific(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.1e}"


def with_unit(value: float | None, units: Sequence[str], step: float) -> str:
    if value is None:
        return ABSENT
    power = 0
    while abs(value) >= step and power < len(units) - 1:
        value /= step
        power += 1
    text = f"{value:.0f}" if power == 0 else three_digits(value)
    return f"{text} {units[power]}"


def binary_bytes(count: float | None) -> str:
    return with_unit(count, ("B", "KiB", "MiB", "GiB", "TiB"), 1024)


def shape(lengths: Sequence[int]) -> str:
    if len(lengths) > 1 and len(set(lengths)) == 1:
        return f"{lengths[0]}{'¹²³⁴⁵⁶⁷⁸⁹'[len(lengths) - 1]}"
    return "×".join(str(length) for length in lengths)


def round_bytes(count: float) -> str:
    """Of a power of two, as on an axis: `64 KiB`."""
    power = min(int(math.log2(max(count, 1))) // 10, 4)
    return f"{count / 1024**power:g} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[power]}"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 case`, `2 cases`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listing(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def status(name: str) -> str:
    """How a measurement ended, as records call it: `ok`, `wrong`, `out_of_memory`."""
    return {"ok": "correct", "wrong": "incorrect"}.get(name, name.replace("_", " "))


def settings(pairs: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name}={value}" for name, value in pairs)

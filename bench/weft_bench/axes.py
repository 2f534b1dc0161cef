"""The axes of studies: what cases may differ in beside their shapes, and which values there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .machine import usable_cores

#: What the harness sets itself, and what of a study says so.
RESERVED = {"OMP_NUM_THREADS": "the axis threads sets it", "WEFT_BENCH_JOB": "the harness sets it"}


class BadValue(ValueError):
    """A value that an axis does not have."""


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _any(_: str, value: Any) -> Any:
    return value


def _count(name: str, value: Any) -> int:
    if type(value) is not int or value < 1:
        raise BadValue(f"{name} {value!r} is not a positive whole number")
    return value


def _per_node(name: str, value: Any) -> int | None:
    return None if value is None else _count(name, value)


def _ranks(name: str, value: Any) -> int:
    return _count(name, usable_cores() if value == "cores" else value)


def _one_of(*known: Any) -> Callable[[str, Any], Any]:
    def read(name: str, value: Any) -> Any:
        if value not in known:
            raise BadValue(f"{name} {value!r} is unknown; known: {known}")
        return value

    return read


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise BadValue(f"{name} {value!r} is not a line of text")
    return value


def _environment(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise BadValue(f'{name} {value!r} is not a table of variables, as {{ UCX_TLS = "tcp" }}')
    for variable, text in value.items():
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", variable):
            raise BadValue(f"{name}: {variable!r} cannot name a variable")
        if variable in RESERVED:
            raise BadValue(f"{name}: {variable} cannot be given: {RESERVED[variable]}")
        if isinstance(text, bool) or not isinstance(text, (str, int, float)) or "\0" in str(text):
            raise BadValue(f"{name}: {variable} = {text!r} is neither text nor a number")
    return tuple(sorted((variable, str(text)) for variable, text in value.items()))


@dataclass(frozen=True)
class Axis:
    """What a case has where a study does not say, and how what it says is read and checked."""

    default: Any
    read: Callable[[str, Any], Any] = _any

    def values(self, name: str, table: Mapping[str, Any]) -> list[Any]:
        given = as_list(table.get(name, self.default))
        if not given:
            raise BadValue(f"{name} has no values")
        return [self.read(name, one) for one in given]


#: By their names in studies and records.
AXES = {
    "kind": Axis("c2c"),
    "precision": Axis("f64", _one_of("f32", "f64")),
    "batch": Axis(1, _count),
    "in_place": Axis(False, _one_of(True, False)),
    "in": Axis("any"),
    "out": Axis("any"),
    "grid": Axis("auto"),
    "ranks": Axis(1, _ranks),
    "threads": Axis(1, _count),
    "ranks_per_node": Axis(None, _per_node),
    "environment": Axis({}, _environment),  # variables of the ranks, beside those of the harness
    "binding": Axis("auto", _text),  # flags of the launcher
    "build": Axis("auto", _text),  # [NAME=]FOLDER; auto: those of the command line
}
#: Members of cases that cannot have the name of their axis.
MEMBERS = {"in": "in_layout", "out": "out_layout"}


#: The axes of how ranks are started.
START = ("build", "binding", "environment")


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={text}" for name, text in sorted(value.items()))
    return str(value)


def start_words(record: Mapping[str, Any]) -> list[str]:
    """How the ranks of a case were started, where that is not as always."""
    return [_word(record[name]) for name in START
            if record.get(name) not in (None, AXES[name].default)]


def as_settings(record: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The record with these axes of START as settings of its library, so that what was started in
    several ways is compared within one case."""
    settings = record.get("settings") or {}
    if not names or "shape" not in record or not isinstance(settings, dict):
        return record  # ceilings of the machine, or what a report will refuse
    told = {name: _word(record.get(name) or AXES[name].default) or "none" for name in names}
    plain = {name: AXES[name].default for name in names}
    if "build" in names:  # builds have names, by which launchers are told apart
        told["build"] = f"{record.get('launcher') or ''} {told['build']}".strip()
        plain["launcher"] = ""
    return record | plain | {"settings": settings | told}

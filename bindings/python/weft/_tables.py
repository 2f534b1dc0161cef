"""Names that options take, as in ``weft list``."""

from __future__ import annotations

from typing import NamedTuple

from weft import _core


class Choice(NamedTuple):
    """Something that can be chosen by name.

    Attributes
    ----------
    name : str
    usable : bool
        Whether it works on this machine. Exchanges of devices need a GPU.
    parameter : str or None
        Meaning of the parameter that may follow the name and a colon.
    description : str
    """

    name: str
    usable: bool
    parameter: str | None
    description: str


class Option(NamedTuple):
    """An option of plans.

    Attributes
    ----------
    name : str
    description : str
    values : str
        Possible values, as text.
    default : str
    type : {'text', 'yes or no', 'integer', 'integers', 'number'}
    """

    name: str
    description: str
    values: str
    default: str
    type: str


def list_kinds() -> list[Choice]:
    """A list: a `Choice` for each kind of transform, for the argument `kinds` of `Plan`."""
    return [Choice(*row) for row in _core.kinds()]


def list_local_transforms() -> list[Choice]:
    """A list: a `Choice` for each backend for 1-D FFTs, for `local`."""
    return [Choice(*row) for row in _core.local_transforms()]


def list_exchanges() -> list[Choice]:
    """A list: a `Choice` for each way to exchange messages, for `exchange`."""
    return [Choice(*row) for row in _core.exchanges()]


def list_codecs() -> list[Choice]:
    """A list: a `Choice` for each way to compress messages, for `codec`."""
    return [Choice(*row) for row in _core.codecs()]


def list_devices() -> list[Choice]:
    """A list: a `Choice` for each device, for `device`."""
    return [Choice(*row) for row in _core.devices()]


def list_options() -> list[Option]:
    """A list: an `Option` for each option of plans, which `Plan` takes as keyword arguments."""
    return [Option(*row) for row in _core.options()]

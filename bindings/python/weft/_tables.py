"""What can be chosen, as ``weft list`` tells it."""

from __future__ import annotations

from typing import NamedTuple

from weft import _core


class Choice(NamedTuple):
    """Something that can be chosen by name.

    Attributes
    ----------
    name : str
    usable : bool
        Whether it works on this machine.
    parameter : str or None
        What may follow the name and a colon, in words.
    description : str
    """

    name: str
    usable: bool
    parameter: str | None
    description: str


def list_kinds() -> list[Choice]:
    """Kinds of transforms, for the argument `kinds` of `Plan`."""
    return [Choice(*row) for row in _core.kinds()]


def list_local_transforms() -> list[Choice]:
    """Libraries of transforms within a rank, for `local`; ``"auto"`` is the first that is good."""
    return [Choice(*row) for row in _core.local_transforms()]


def list_exchanges() -> list[Choice]:
    """Ways to exchange messages, for `exchange`."""
    return [Choice(*row) for row in _core.exchanges()]


def list_codecs() -> list[Choice]:
    """Ways to compress messages, for `codec`."""
    return [Choice(*row) for row in _core.codecs()]


def list_devices() -> list[Choice]:
    """Devices, for `device`."""
    return [Choice(*row) for row in _core.devices()]

"""Memory of the host, by NumPy, or of GPUs, by CuPy."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy


def array_module(device: str) -> ModuleType:
    """The package whose arrays lie on a device.

    Raises
    ------
    ValueError
        Where the device is unknown.
    ImportError
        Where its package is not installed.
    """
    if device in ("host", "emulated"):
        return numpy
    if device in ("cuda", "hip"):
        return importlib.import_module("cupy")
    raise ValueError(f"device {device!r} is unknown: 'host', 'cuda' and 'hip' are known")


def current_device(device: str) -> int:
    """The number of the device that new arrays lie on: on GPUs CuPy's current one; -1 where there
    is no choice."""
    return int(array_module(device).cuda.Device().id) if device in ("cuda", "hip") else -1


def to_host(array: Any) -> numpy.ndarray:
    """A NumPy array with the same elements; itself where it is one."""
    return array.get() if hasattr(array, "get") else numpy.asarray(array)

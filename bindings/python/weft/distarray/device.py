"""Memory of the host, by NumPy, or of GPUs, by CuPy. What concerns GPUs is unverified."""

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


def to_host(array: Any) -> numpy.ndarray:
    """A NumPy array with the same elements; itself where it is one."""
    return array.get() if hasattr(array, "get") else numpy.asarray(array)

"""The packages whose arrays hold the numbers: NumPy, or CuPy on GPUs."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np


def module_of(x: Any) -> ModuleType:
    """CuPy where that is an array of CuPy, or of a class made from its own, otherwise NumPy."""
    is_cupy = any(each.__module__.partition(".")[0] == "cupy" for each in type(x).__mro__)
    return importlib.import_module("cupy") if is_cupy else np


def device_of(x: Any) -> tuple[str, int]:
    """Name and number of the device that an array of either package lies on."""
    if isinstance(x, np.ndarray):
        return "host", -1
    return ("hip" if module_of(x).cuda.runtime.is_hip else "cuda"), int(x.device.id)

"""Keyword arguments of mpi4py-fft's backends, as options of plans."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

#: Of `weft.Plan`, by name.
Options = dict[str, Any]

_HOST = ("fftw", "pyfftw", "numpy", "scipy", "mkl_fft")
_GPU = ("cupy", "cupyx-scipy")
_RIGOR = {"FFTW_ESTIMATE": "estimate", "FFTW_MEASURE": "measure", "FFTW_PATIENT": "patient",
          "FFTW_EXHAUSTIVE": "patient", "FFTW_WISDOM_ONLY": "estimate"}
#: Of backends, about how they treat arrays of their own.
_IGNORED = ("overwrite_input", "avoid_copy", "auto_align_input", "auto_contiguous")


def plan_options(backend: str, given: Mapping[str, Any]) -> tuple[ModuleType, Options]:
    """Whose arrays they are, `numpy` or `cupy`, and the options of the plan.

    Raises
    ------
    ValueError
        If the backend or the planner's effort is unknown.
    """
    if backend not in _HOST + _GPU:
        raise ValueError(f"backend {backend!r} is unknown; known: {', '.join(_HOST + _GPU)}")
    options = {name: value for name, value in given.items() if name not in _IGNORED}
    effort = options.pop("planner_effort", None)
    if effort is not None:
        if effort not in _RIGOR:
            raise ValueError(f"planner_effort {effort!r} is unknown; known: {', '.join(_RIGOR)}")
        options["rigor"] = _RIGOR[effort]
    if backend in _GPU:
        cupy = importlib.import_module("cupy")
        options.setdefault("device", "hip" if cupy.cuda.runtime.is_hip else "cuda")
        options.setdefault("device_number", int(cupy.cuda.Device().id))
    is_gpu = options.get("device") in ("cuda", "hip")
    return (importlib.import_module("cupy") if is_gpu else np), options

"""Written by bindings/python/src/write_plan_options.py from the table of options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class PlanOptions(TypedDict, total=False):
    """How plans do their work: the arguments of `weft.Plan` of these names."""

    algorithm: str | None
    grid: Sequence[int] | str | None
    device: str | None
    device_number: int | str | None
    stream: int | str | None
    exchange: str | None
    local: str | None
    reorder: bool | str | None
    overwrite_input: bool | str | None
    rigor: str | None
    threads: int | str | None
    tile_bytes: int | str | None
    stream_bytes: int | str | None
    codec: str | None
    tolerance: float | str | None
    chunks: int | str | None
    receive_chunks: int | str | None
    fields_in_flight: int | str | None
    progress: str | None
    breakdown: bool | str | None
    allocate_workspace: bool | str | None
    tune: str | None
    tune_seconds: int | str | None
    tune_trials: int | str | None
    mpi_count_limit: int | str | None

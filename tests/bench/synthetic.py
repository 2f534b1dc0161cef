"""Records as `weft-bench run` writes them, of measurements that were never made.

A full study: twelve libraries, arrays of 64³ to 512³, complex and real, 1 to 128 ranks; one library
is wrong, one crashes, one hangs; a sweep of process grids, a sweep of exchanges, and limits.
"""

import math
from typing import Any

import numpy as np

Record = dict[str, Any]

#: Relative speed of the libraries of a full study.
LIBRARIES = {
    "weft": 1.0,
    "fftw-mpi": 1.15,
    "heffte": 1.4,
    "2decomp": 1.25,
    "p3dfft": 1.3,
    "pfft": 1.5,
    "swfft": 1.9,
    "accfft": 1.35,
    "mkl-cluster": 1.02,
    "shafft": 1.7,
    "crasher": 1.2,
    "sloppy": 0.6,
}
RANKS = (1, 2, 4, 8, 16, 32, 64, 128)
MEMORY_RATE = 400e9
FFT_RATE = 4e9
BOUND = 5 * 2.2e-16


def machine(hostname: str = "node1", **changes: Any) -> Record:
    facts = {
        "id": f"id-of-{hostname}",
        "hostname": hostname,
        "cpu": "Synthetic Processor 9000",
        "cores": 64,
        "sockets": 2,
        "memory_bytes": 256 * 2**30,
        "kernel": "Linux 6.1.0",
        "mpi": "Open MPI 4.1.4",
        "accelerators": [],
    }
    return {**facts, **changes}


def times(values: Any) -> Record:
    found = [float(value) for value in values]
    return {
        "min": min(found),
        "median": float(np.median(found)),
        "max": max(found),
        "all": found,
    }


def record(
    library: str = "weft",
    forward: Any = (1e-3, 1.1e-3, 0.9e-3),
    backward: Any = None,
    *,
    status: str = "ok",
    reason: str = "",
    **changes: Any,
) -> Record:
    """One block; a status other than ok and wrong leaves all figures null."""
    shape = changes.get("shape", [64, 64, 64])
    made = {
        "format": 1,
        "study": "synthetic",
        "round": 0,
        "library": library,
        "version": "1.0",
        "settings": {},
        "device": "host",
        "shape": shape,
        "kind": "c2c",
        "precision": "f64",
        "batch": 1,
        "in_place": False,
        "in": "any",
        "out": "any",
        "grid": "auto",
        "ranks": 2,
        "threads": 1,
        "ranks_per_node": None,
        "oversubscribed": False,
        "launcher": "openmpi",
        "status": status,
        "reason": reason,
        **figures(shape, forward, backward),
        "machine": machine(),
        "started": "2026-11-21T12:00:00Z",
        "wall_seconds": 2.5,
        "command": f"mpirun -n 2 bench-{library} --shape {'x'.join(map(str, shape))}",
        "commit": "0123abc",
    }
    made.update(changes)
    if status not in ("ok", "wrong", "leaks"):
        made.update(dict.fromkeys(figures(shape, forward, backward)))
    if status == "wrong":
        made["forward_error"] = 1e-3
    return made


def figures(shape: list[int], forward: Any, backward: Any) -> Record:
    points = math.prod(shape)
    log = math.log2(points)
    return {
        "plan_seconds": 0.01,
        "forward_seconds": times(forward),
        "backward_seconds": times(forward if backward is None else backward),
        "mpi_seconds": dict.fromkeys(("forward", "backward"), float(np.median(forward)) / 4),
        "gflops": 5 * points * log / float(np.median(forward)) / 1e9,
        "forward_error": 2e-16 * math.sqrt(log),
        "forward_error_max": 5e-16 * math.sqrt(log),
        "whole_error": 2e-16 * math.sqrt(log),
        "parseval_error": 1e-16,
        "unwritten": 0,
        "roundtrip_error": 3e-16 * math.sqrt(log),
        "roundtrip_error_max": 6e-16 * math.sqrt(log),
        "error_bound": BOUND * log,
        "layout": None,
        "memory": {
            "before": 10_000_000,
            "planned": 12_000_000,
            "peak": 10_000_000 + 40 * points,
            "growth_per_pair": 0,
            "device": 0,
            "array": 32 * points,
        },
        "energy": energy(why="the counters are not readable"),
        "stages": [],
    }


def place(watts: float | None, idle: float | None, pair_seconds: float, **changes: Any) -> Record:
    """What a source of energy tells of pairs of that length."""
    known = watts is not None
    made = {
        "source": "RAPL",
        "counters": 1,
        "joules_per_pair": watts * pair_seconds if known else None,
        "watts": watts,
        "idle_watts": idle,
        "seconds": 2.1 if known else None,
        "ticks": 2000 if known else None,
        "why": "",
    }
    return {**made, **changes}


def energy(
    host: tuple[float | None, float | None] = (None, None),
    device: tuple[float | None, float | None] | None = None,
    pair_seconds: float = 1e-3,
    *,
    why: str = "",
    **changes: Any,
) -> Record:
    """(watts, watts without work) of the host and of devices; changes are of the latter, if any."""
    found = place(*host, pair_seconds, why=why, **({} if device else changes))
    devices = place(*device, pair_seconds, source="NVML", **changes) if device else None
    pairs = int(2.1 / pair_seconds) if host[0] or device else None
    return {"pairs": pairs, "host": found, "device": devices}


def limits_record(ranks: int, launcher: str = "openmpi", **changes: Any) -> Record:
    sizes = [2**power for power in range(3, 25, 3)]
    made = record("machine", ranks=ranks, launcher=launcher, **changes)
    made.update(shape=None, kind=None, precision=None, forward_seconds=None, stages=None)
    made["limits"] = {
        "memory_bytes_per_second": MEMORY_RATE,
        "pair_bandwidth": [{"bytes": size, "seconds": 1e-6 + size / 8e9} for size in sizes],
        "alltoall": [
            {"bytes": size, "seconds": 1e-6 * ranks + size / 3e9} for size in sizes if ranks > 1
        ],
        "fft_flops": FFT_RATE * ranks,
    }
    return made


def blocks(
    generator: np.random.Generator, seconds: float, count: int = 3, repetitions: int = 20
) -> list[np.ndarray]:
    """Times that differ by 1% within blocks, and by 2% between them."""
    return [
        seconds * np.exp(shift + generator.normal(0, 0.01, repetitions))
        for shift in generator.normal(0, 0.02, count)
    ]


def seconds_of(shape: list[int], kind: str, ranks: int, slowness: float) -> float:
    points = math.prod(shape)
    work = 5 * points * math.log2(points) * (0.5 if kind == "r2c" else 1) / (FFT_RATE * ranks)
    exchange = 0.0 if ranks == 1 else 2e-6 * ranks + 16 * points / ranks / 2e9
    return slowness * (work + exchange)


def stages(forward: float, ranks: int, points: int, exchange: str, share: float) -> list[Record]:
    step = {"direction": "forward", "moves_data": False}
    moving = {"direction": "forward", "moves_data": True}
    if ranks == 1:
        return [{**step, "name": "transform z, y, x", "seconds": forward, "bytes": 32 * points}]
    return [
        {
            **step,
            "name": "transform z, y, pack",
            "seconds": forward * (1 - share) * 0.6,
            "bytes": 32 * points // ranks,
        },
        {**moving, "name": exchange, "seconds": forward * share, "bytes": 16 * points // ranks},
        {
            **step,
            "name": "unpack, transform x",
            "seconds": forward * (1 - share) * 0.4,
            "bytes": 32 * points // ranks,
        },
    ]


def measured(
    generator: np.random.Generator,
    library: str,
    shape: list[int],
    kind: str,
    ranks: int,
    slowness: float,
    exchange: str = "alltoallv",
    **changes: Any,
) -> list[Record]:
    """Three blocks of a library in a case."""
    found = []
    seconds = seconds_of(shape, kind, ranks, slowness)
    status, reason = ending(library, shape, ranks)
    for number, block in enumerate(blocks(generator, seconds)):
        made = record(
            library,
            block,
            block * 1.05,
            status=status,
            reason=reason,
            shape=shape,
            kind=kind,
            ranks=ranks,
            round=number,
            oversubscribed=ranks > 64,
            **changes,
        )
        made["command"] = (
            f"mpirun -n {ranks} bench/adapters/{library} --shape {'x'.join(map(str, shape))} "
            f"--kind {kind} --in any --out any --seconds 2 --round {number}"
        )
        if status in ("ok", "wrong") and library in ("weft", "heffte"):
            own = exchange if library == "weft" else "reshape"
            made["stages"] = stages(seconds, ranks, math.prod(shape), own, 0.4)
        found.append(made)
    return found


def ending(library: str, shape: list[int], ranks: int) -> tuple[str, str]:
    if library == "sloppy":
        return "wrong", "forward error 1e-03 exceeds 2e-14"
    if library == "crasher" and ranks >= 4:
        return "crashed", "signal 11 (SIGSEGV) while planning"
    if library == "shafft" and ranks == 128:
        return "hung", "no sign of life for 60 s"
    if library == "swfft" and shape[0] == 512 and ranks == 1:
        return "out_of_memory", "killed at 250 GiB"
    if library == "accfft" and ranks > 64:
        return "unsupported", "more ranks than planes"
    return "ok", ""


def full_study(lengths: tuple[int, ...] = (64, 128, 256, 512)) -> list[Record]:
    generator = np.random.default_rng(1)
    found: list[Record] = []
    for length in lengths:
        for kind in ("c2c", "r2c"):
            for ranks in RANKS:
                for library, slowness in LIBRARIES.items():
                    found += measured(generator, library, [length] * 3, kind, ranks, slowness)
    found += grid_sweep(generator) + exchange_sweep(generator)
    found += [limits_record(r, launcher) for r in RANKS for launcher in ("openmpi", "mpich")]
    return found


def grid_sweep(generator: np.random.Generator) -> list[Record]:
    found: list[Record] = []
    for rows in (1, 2, 4, 8, 16):
        for library in ("weft", "heffte", "2decomp"):
            slowness = LIBRARIES[library] * (1 + 0.2 * abs(math.log2(rows) - 1))
            found += measured(
                generator,
                library,
                [256, 256, 128],
                "c2c",
                16,
                slowness,
                grid=f"{rows}x{16 // rows}",
            )
    return found


def exchange_sweep(generator: np.random.Generator) -> list[Record]:
    found: list[Record] = []
    for launcher, factor in (("openmpi", 1.0), ("mpich", 1.1)):
        for length in (32, 64, 96, 192):
            for number, exchange in enumerate(("alltoall", "alltoallv", "p2p", "p2p_pipelined")):
                found += measured(
                    generator,
                    "weft",
                    [length] * 3,
                    "c2c",
                    8,
                    factor * (1 + 0.1 * number),
                    exchange=exchange,
                    settings={"exchange": exchange},
                    launcher=launcher,
                    out="slab",
                )
    return found

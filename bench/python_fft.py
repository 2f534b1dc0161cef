#!/usr/bin/env python3
"""Times weft.fft beside scipy.fft, and where they are installed ducc0 and mkl_fft, in one process.

Each repetition times one call of every library, result allocated by the library, so that drifts of
the machine meet all of them. Results are compared with SciPy's first. One JSON object per case and
library is appended to a file, or printed.

    python bench/python_fft.py [--sizes 64 128 256] [--threads 1 2] [--repeat 15] [--json FILE]
"""

import argparse
import datetime
import importlib.util
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

# Intel's threads would otherwise go on spinning for 200 ms, while the next library is timed.
os.environ.setdefault("KMP_BLOCKTIME", "0")

import numpy as np
import scipy
import scipy.fft

import weft
import weft.fft

Transform = Callable[[np.ndarray], np.ndarray]


def libraries(kind: str, threads: int) -> dict[str, Transform]:
    """A forward transform along all axes by each library that is there."""
    name = "fftn" if kind == "c2c" else "rfftn"
    found: dict[str, Transform] = {
        f"weft {weft.__version__}": lambda x: getattr(weft.fft, name)(x, workers=threads),
        f"scipy {scipy.__version__}": lambda x: getattr(scipy.fft, name)(x, workers=threads),
    }
    if importlib.util.find_spec("ducc0"):
        import ducc0

        transform = ducc0.fft.c2c if kind == "c2c" else ducc0.fft.r2c
        found[f"ducc0 {ducc0.__version__}"] = lambda x: transform(x, nthreads=threads)
    if importlib.util.find_spec("mkl_fft"):
        import mkl
        import mkl_fft
        import mkl_fft.interfaces.scipy_fft as mkl_scipy

        def by_mkl(x: np.ndarray) -> np.ndarray:
            mkl.set_num_threads(threads)
            return getattr(mkl_scipy, name)(x, workers=threads)

        found[f"mkl_fft {mkl_fft.__version__}"] = by_mkl
    return found


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def measure(size: int, kind: str, threads: int, repeat: int) -> list[dict]:
    x = np.random.default_rng(size).standard_normal((size,) * 3)
    if kind == "c2c":
        x = x + 1j * x[::-1]
    transforms = libraries(kind, threads)
    exact = scipy.fft.fftn(x) if kind == "c2c" else scipy.fft.rfftn(x)
    for name, transform in transforms.items():
        error = np.linalg.norm(transform(x) - exact) / np.linalg.norm(exact)
        if not error < 1e-13:
            sys.exit(f"{name}: {kind} of {size}^3 is wrong by {error}")
    times: dict[str, list[float]] = {name: [] for name in transforms}
    order = random.Random(size)
    for _ in range(repeat):
        # Who comes after whom must not matter: each finds the caches as the one before left them.
        for name in order.sample(list(transforms), len(transforms)):
            begin = time.perf_counter()
            transforms[name](x)
            times[name].append(time.perf_counter() - begin)
    return [{"library": name, "shape": [size] * 3, "kind": kind, "precision": "f64",
             "threads": threads, "repeat": repeat,
             "forward_seconds": {"min": min(of), "median": statistics.median(of), "max": max(of)}}
            for name, of in times.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 128, 256])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeat", type=int, default=15, help="of the largest size")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    about = {"date": datetime.date.today().isoformat(), "machine": processor(),
             "command": " ".join(["python", *sys.argv])}
    for size in options.sizes:
        for kind in ("c2c", "r2c"):
            for threads in options.threads:
                repeat = options.repeat * min(20, max(1, (max(options.sizes) // size) ** 2))
                rows = measure(size, kind, threads, repeat)
                ours = rows[0]["forward_seconds"]["median"]
                print(f"{size}^3 {kind}, {threads} threads:", ", ".join(
                    f"{row['library']} {1e3 * row['forward_seconds']['median']:.2f} ms "
                    f"(x{row['forward_seconds']['median'] / ours:.2f})" for row in rows))
                if options.json:
                    with options.json.open("a") as file:
                        file.writelines(json.dumps(about | row) + "\n" for row in rows)


if __name__ == "__main__":
    main()

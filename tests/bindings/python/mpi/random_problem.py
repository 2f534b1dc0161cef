"""Random problems for plans, and their exact results by SciPy in extended precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.fft
from mpi4py import MPI

import weft

LARGEST = (200, 48, 17, 9, 6, 5)  # lengths, by number of axes; primes and 1 included
COSINES = ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")
EXCHANGES = ("auto", "alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined", "ialltoallv",
             "neighbor", "persistent", "node_shared", "node_aware:2")


@dataclass
class Problem:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    kinds: tuple[str, ...]
    points: tuple[int, ...]
    keep: tuple[int, ...]
    norm: str
    orthogonalize: bool | None
    batch: int
    options: dict[str, Any]

    @property
    def half_axis(self) -> int | None:
        return self.kinds.index("r2c") if "r2c" in self.kinds else None

    def scaling(self, inverse: bool) -> str:
        """SciPy's name of the norm: for "none" the one by which this direction is not scaled."""
        return self.norm if self.norm != "none" else "forward" if inverse else "backward"

    def modes(self) -> tuple[int, ...]:
        """Shape of the global array in spectral space."""
        return tuple(m // 2 + 1 if kind == "r2c" else m for m, kind in zip(self.keep, self.kinds))

    def plan(self, comm: MPI.Intracomm, **options: Any) -> weft.Plan:
        """With further options."""
        return weft.Plan(self.shape, self.dtype, comm, kinds=self.kinds, norm=self.norm,
                         orthogonalize=self.orthogonalize, batch=self.batch,
                         **{**self.options, **options})

    def __str__(self) -> str:
        return repr(self)


def pick(random: np.random.Generator, values: Any) -> Any:
    return values[int(random.integers(len(values)))]


def random_boxes(random: np.random.Generator, lower: tuple[int, ...], upper: tuple[int, ...],
                 ranks: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Cuts a box at random, again and again; some are empty."""
    if ranks == 1:
        return [(lower, upper)]
    axis = int(random.integers(len(lower)))
    cut = int(random.integers(lower[axis], upper[axis] + 1))
    first = int(random.integers(1, ranks))
    middle_upper = tuple(cut if a == axis else n for a, n in enumerate(upper))
    middle_lower = tuple(cut if a == axis else n for a, n in enumerate(lower))
    return (random_boxes(random, lower, middle_upper, first)
            + random_boxes(random, middle_lower, upper, ranks - first))


def random_grid(random: np.random.Generator, axes: int, ranks: int) -> list[int]:
    parts = [1] * axes
    prime = 2
    while ranks > 1:
        if ranks % prime == 0:
            parts[int(random.integers(axes))] *= prime
            ranks //= prime
        else:
            prime += 1
    return parts


def random_layout(random: np.random.Generator, shape: tuple[int, ...], ranks: int, rank: int,
                  halo: bool = True) -> Any:
    axes = len(shape)
    axis = int(random.integers(axes))
    form = pick(random, ("text", "slab", "pencil", "brick", "grid", "boxes", "own box"))
    if form == "text":
        return f"slab:{axis}"
    if form == "slab":
        layout = weft.slab_split(axis)
    elif form == "pencil":
        layout = weft.pencil_along(axis)
    elif form == "brick":
        layout = weft.brick()
    elif form == "grid":
        layout = weft.grid(random_grid(random, axes, ranks))
    else:
        all_boxes = random_boxes(random, (0,) * axes, shape, ranks)
        random.shuffle(all_boxes)
        layout = weft.boxes(all_boxes) if form == "boxes" else weft.box(*all_boxes[rank])
    if form in ("slab", "pencil", "brick", "grid") and random.random() < 0.3:
        layout = layout.with_split("block")
    if random.random() < 0.4:
        layout = layout.with_order(random.permutation(axes).tolist())
    if halo and random.random() < 0.3:
        layout = layout.with_halo(random.integers(0, 3, axes), random.integers(0, 3, axes))
    return layout


def random_part(random: np.random.Generator, shape: tuple[int, ...],
                kinds: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(int(random.integers(1, n + 1)) if kind != "none" and random.random() < 0.6 else n
                 for n, kind in zip(shape, kinds))


def random_problem(random: np.random.Generator, ranks: int, rank: int) -> Problem:
    axes = int(random.integers(1, 7))
    shape = tuple(int(n) for n in random.integers(1, LARGEST[axes - 1] + 1, axes))
    kinds = ["c2c" if random.random() < 0.75 else "none" for _ in shape]
    is_real = random.random() < 0.5
    if random.random() < 0.4:
        share = pick(random, (0.5, 1.0))
        for axis in range(axes):
            if kinds[axis] != "none" and random.random() < share:
                kinds[axis] = pick(random, COSINES)
                if kinds[axis] == "dct1" and shape[axis] < 2:
                    kinds[axis] = "dct2"
    if is_real and "c2c" in kinds:
        fourier = [axis for axis in range(axes) if kinds[axis] == "c2c"]
        kinds[pick(random, fourier)] = "r2c"
    names = tuple(kinds)
    some = random.random() < 0.3
    points = random_part(random, shape, names) if some else shape
    keep = random_part(random, shape, names) if some else shape
    precision = pick(random, (4, 8))
    problem = Problem(
        shape, np.dtype(f"f{precision}" if is_real else f"c{2 * precision}"), names, points, keep,
        pick(random, ("backward", "ortho", "forward", "none")), pick(random, (None, True, False)),
        pick(random, (1, 1, 1, 2, 3)), {})
    problem.options = {
        "input": random_layout(random, points, ranks, rank),
        "output": random_layout(random, problem.modes(), ranks, rank),
        "interleaved": random.random() < 0.5,
        "exchange": pick(random, EXCHANGES),
        "algorithm": pick(random, ("auto", "slab", "pencil")),
        "reorder": random.random() < 0.2,
        "threads": pick(random, (1, 1, 2)),
        "chunks": pick(random, (0, 0, 2, 3)),
        "receive_chunks": pick(random, (0, 0, 1, 2)),
        "overwrite_input": random.random() < 0.2,
    }
    if some:
        problem.options.update(input_points=points, modes=keep)
    return problem


def kept(spectrum: np.ndarray, problem: Problem) -> list[np.ndarray]:
    """For each axis the places of the modes that are kept."""
    places = []
    for kind, m, n in zip(problem.kinds, problem.keep, problem.shape):
        if kind == "c2c":
            places.append(np.r_[:(m + 1) // 2, n - m // 2:n])
        elif kind == "r2c":
            places.append(np.arange(m // 2 + 1))
        else:
            places.append(np.arange(m))
    return places


def _cosine(x: np.ndarray, kind: str, axis: int, problem: Problem, inverse: bool) -> np.ndarray:
    name = ("i" if inverse else "") + kind[:3]

    def of_real(part: np.ndarray) -> np.ndarray:
        return getattr(scipy.fft, name)(part, type=int(kind[3]), axis=axis,
                                        norm=problem.scaling(inverse),
                                        orthogonalize=problem.orthogonalize)

    return of_real(x.real) + 1j * of_real(x.imag) if np.iscomplexobj(x) else of_real(x)


def forward(x: np.ndarray, problem: Problem) -> np.ndarray:
    """The exact result for the array with a leading axis for the batch, in extended precision."""
    full = np.zeros((x.shape[0], *problem.shape),
                    np.clongdouble if np.iscomplexobj(x) else np.longdouble)
    full[(slice(None), *(slice(n) for n in problem.points))] = x
    for axis, kind in enumerate(problem.kinds, start=1):
        if kind.startswith("d"):
            full = _cosine(full, kind, axis, problem, inverse=False)
    if problem.half_axis is not None:
        full = scipy.fft.rfft(full, axis=problem.half_axis + 1,
                              norm=problem.scaling(inverse=False))
    for axis, kind in enumerate(problem.kinds, start=1):
        if kind == "c2c":
            full = scipy.fft.fft(full, axis=axis, norm=problem.scaling(inverse=False))
    return full[np.ix_(np.arange(x.shape[0]), *kept(full, problem))]


def backward(spectrum: np.ndarray, problem: Problem) -> np.ndarray:
    """The same of a spectrum."""
    lengths = tuple(n // 2 + 1 if kind == "r2c" else n
                    for n, kind in zip(problem.shape, problem.kinds))
    full = np.zeros((spectrum.shape[0], *lengths), spectrum.dtype)
    full[np.ix_(np.arange(spectrum.shape[0]), *kept(full, problem))] = spectrum
    for axis, kind in enumerate(problem.kinds, start=1):
        if kind == "c2c":
            full = scipy.fft.ifft(full, axis=axis, norm=problem.scaling(inverse=True))
    if problem.half_axis is not None:
        axis = problem.half_axis
        full = scipy.fft.irfft(full, problem.shape[axis], axis=axis + 1,
                               norm=problem.scaling(inverse=True))
    for axis, kind in enumerate(problem.kinds, start=1):
        if kind.startswith("d"):
            full = _cosine(full, kind, axis, problem, inverse=True)
    return full[(slice(None), *(slice(n) for n in problem.points))]

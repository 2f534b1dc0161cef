"""Random numbers that depend on their place in the global array only."""

from __future__ import annotations

import numpy

from weft._local_array import Box

Shape = tuple[int, ...]


def random_values(shape: Shape, box: Box, is_complex: bool, seed: int) -> numpy.ndarray:
    """The numbers of a box, in C order: those with which the library fills arrays of the same shape
    and seed in its own tests and benchmarks."""
    place = numpy.zeros((1,) * len(shape), numpy.uint64)
    for axis, indices in enumerate(numpy.ix_(*(range(a, b) for a, b in zip(*box)))):
        place = place * numpy.uint64(shape[axis]) + indices.astype(numpy.uint64)
    seeded = _mixed_bits(numpy.array([seed % 2**64], numpy.uint64))
    values = _values(2 * place, seeded)
    return values + 1j * _values(2 * place + numpy.uint64(1), seeded) if is_complex else values


def _values(number: numpy.ndarray, seeded: numpy.ndarray) -> numpy.ndarray:
    return _mixed_bits(number ^ seeded).view(numpy.int64) * 2.0**-63


def _mixed_bits(value: numpy.ndarray) -> numpy.ndarray:
    """Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014:
    splitmix64."""
    value = value + numpy.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    mixed: numpy.ndarray = value ^ (value >> numpy.uint64(31))
    return mixed

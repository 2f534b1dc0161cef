"""Medians of repetitions that come in blocks, with bootstrap intervals.

Repetitions within one block (one process, one placement of pages and ranks) resemble each other
more than repetitions of different blocks do. Intervals that pooled all repetitions would be far too
narrow, so blocks are drawn with replacement, and then repetitions within each drawn block (Davison
and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8).

A study has few blocks, 3 or 5, and percentile intervals of few draws are too narrow: their variance
is too small by a factor (n - 1) / n, and nothing in them stands for how badly n blocks tell their
own spread. Draws are therefore spread out by the same factor that turns a normal interval into
Student's (Hesterberg, What Teachers Should Know About the Bootstrap, The American Statistician 69,
2015, section 5.3, there by wider percentiles, which three blocks do not have).

What readers ask of an interval is where the same study would find the figure if it ran again. Its
second run errs as much as the first, so that intervals of one study are wider than those of a true
value by the square root of 2: they are prediction intervals for a repetition with as many blocks.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from . import summary

RESAMPLES = 1000
CONFIDENCE = 0.95
#: Standard error of the difference of two runs of a study over that of one.
REPETITION = np.sqrt(2)
#: Longer blocks are represented by this many evenly spaced order statistics. That keeps a report of
#: a thousand cells quick and makes intervals slightly wider, never narrower.
LARGEST_BLOCK = 100
#: Ends of an interval that are further apart than this factor tell little.
WIDE = 2.0
#: Repetitions are noisy if the longest took more than this many times as long as the shortest.
NOISY = 1.5

Blocks = Sequence[np.ndarray]


@dataclass(frozen=True)
class Estimate:
    """A value with the interval in which 95% of repetitions of the study would find it."""

    value: float
    low: float
    high: float

    @property
    def contains_one(self) -> bool:
        return self.low <= 1 <= self.high

    @property
    def wide(self) -> bool:
        """Whether the figure could as well be another one: the ends are a factor WIDE apart."""
        return self.high > WIDE * self.low

    @property
    def decides(self) -> bool:
        """Of a ratio, whether it tells anything: which side is faster, or that both are about as
        fast. A wide interval around 1 holds clear wins or clear losses, and a tie."""
        return not (self.wide and self.contains_one)


def seed(*parts: object) -> int:
    """A seed that depends on what is measured only, so that a report is the same every time."""
    return zlib.crc32(repr(parts).encode())


def robust_spread(five: Sequence[float]) -> float:
    """Interquartile range over the median: how far apart typical repetitions lie."""
    _, low, middle, high, _ = five
    return (high - low) / middle


def thinned(block: np.ndarray, largest: int = LARGEST_BLOCK) -> np.ndarray:
    """At most `largest` values with the distribution of the block."""
    if len(block) <= largest:
        return block
    return np.quantile(block, (np.arange(largest) + 0.5) / largest)


def resampled_medians(blocks: Blocks, seed_value: int, resamples: int = RESAMPLES) -> np.ndarray:
    """The pooled medians of `resamples` bootstrap samples."""
    generator = np.random.default_rng(seed_value)
    blocks = [thinned(np.asarray(block, dtype=float)) for block in blocks]
    lengths = np.array([len(block) for block in blocks])
    table = np.full((len(blocks), lengths.max()), np.nan)
    for row, block in zip(table, blocks):
        row[: len(block)] = block

    drawn = generator.integers(len(blocks), size=(resamples, len(blocks)))
    uniform = generator.random((resamples, len(blocks), table.shape[1]))
    place = (uniform * lengths[drawn][:, :, None]).astype(int)
    samples = table[drawn[:, :, None], place]
    if lengths.min() == lengths.max():
        return np.median(samples.reshape(resamples, -1), axis=1)
    beyond = np.arange(table.shape[1]) >= lengths[drawn][:, :, None]
    samples[beyond] = np.nan
    return np.nanmedian(samples.reshape(resamples, -1), axis=1)


def expansion(blocks: int) -> float:
    """How much wider an interval from this many blocks has to be than its percentiles. A single
    block tells nothing of how blocks differ; its interval is that of its repetitions."""
    if blocks < 2:
        return 1.0
    tail = (1 + CONFIDENCE) / 2
    student = stats.t.ppf(tail, blocks - 1) / stats.norm.ppf(tail)
    return float(student * np.sqrt(blocks / (blocks - 1)))


def spread_out(value: float, draws: np.ndarray, factor: float) -> np.ndarray:
    """The draws with distances from the value, in logarithms, multiplied by `factor`."""
    return value * (draws / value) ** factor


def confidence_interval(value: float, draws: np.ndarray) -> Estimate:
    """The value with the percentile interval of its bootstrap draws."""
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(draws, (tail, 100 - tail))
    return Estimate(value, float(low), float(high))


def repetition_interval(value: float, draws: np.ndarray) -> Estimate:
    """The value with the interval in which a repetition of the study would find it."""
    return confidence_interval(value, spread_out(value, draws, REPETITION))


@dataclass(frozen=True)
class Sample:
    """The median of a cell, with the draws from which intervals of ratios are made."""

    median: float
    draws: np.ndarray
    spread: float
    blocks: int
    repetitions: int
    shortest: float  # of all repetitions
    longest: float

    @property
    def noisy(self) -> bool:
        return self.longest > NOISY * self.shortest

    @property
    def estimate(self) -> Estimate:
        return repetition_interval(self.median, self.draws)


def sample(blocks: Blocks, *key: object, pooled: Sequence[float] | None = None) -> Sample:
    """Summarizes the blocks of a cell; `key` names the cell and seeds its draws. `pooled` has the
    five numbers of all repetitions where the blocks are made from five numbers themselves: their
    median is the figure, and the blocks tell how far it is to be trusted."""
    five = summary.of(np.concatenate(blocks)) if pooled is None else pooled
    median = five[2]
    draws = resampled_medians(blocks, seed(*key))
    return Sample(
        median=median,
        draws=spread_out(median, draws, expansion(len(blocks))),
        spread=robust_spread(five),
        blocks=len(blocks),
        repetitions=sum(len(block) for block in blocks),
        shortest=five[0],
        longest=five[-1],
    )


def ratio(above: Sample, below: Sample) -> Estimate:
    """The ratio of two medians of one study; exactly 1, without an interval, for a sample and
    itself."""
    if above is below:
        return Estimate(1.0, 1.0, 1.0)
    return repetition_interval(above.median / below.median, above.draws / below.draws)


def change(old: Sample, new: Sample) -> Estimate:
    """The ratio of medians of two studies, with the interval that holds the true ratio: both runs
    are there, so none is to be predicted."""
    return confidence_interval(new.median / old.median, new.draws / old.draws)


def geometric_mean_ratio(pairs: Sequence[tuple[Sample, Sample]]) -> Estimate:
    """The geometric mean of the ratios of pairs of medians."""
    values = [np.log(above.median / below.median) for above, below in pairs]
    draws = [np.log(above.draws / below.draws) for above, below in pairs]
    return repetition_interval(float(np.exp(np.mean(values))), np.exp(np.mean(draws, axis=0)))

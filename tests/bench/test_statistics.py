"""Medians, spreads and bootstrap intervals."""

import numpy as np
import pytest
from weft_bench import statistics

TRUE_SECONDS = 1e-3


def arrays(*blocks):
    return [np.array(block, dtype=float) for block in blocks]


def hierarchical(generator, blocks, repetitions=20, between=0.05, within=0.05):
    """Blocks whose true pooled median is TRUE_SECONDS."""
    return [
        TRUE_SECONDS * np.exp(shift + generator.normal(0, within, repetitions))
        for shift in generator.normal(0, between, blocks)
    ]


def coverage(interval_of, truth, studies=200):
    generator = np.random.default_rng(7)
    hits = 0
    for number in range(studies):
        estimate = interval_of(generator, number)
        hits += estimate.low <= truth <= estimate.high
    return hits / studies


@pytest.mark.parametrize(
    ("blocks", "median"),
    [
        ([[3.0]], 3.0),
        ([[1.0, 2.0, 3.0], [10.0]], 2.5),
        ([[5.0, 1.0], [2.0, 4.0], [3.0]], 3.0),
    ],
)
def test_pooled_median_is_that_of_all_repetitions(blocks, median):
    assert statistics.sample(arrays(*blocks)).median == median


def test_spread_is_interquartile_range_over_median():
    assert statistics.sample(arrays([1, 2, 3], [4, 5])).spread == pytest.approx(2 / 3)


@pytest.mark.parametrize("blocks", [3, 5, 20])
def test_confidence_intervals_of_medians_cover_the_truth(blocks):
    def interval_of(generator, number):
        sample = statistics.sample(hierarchical(generator, blocks), number)
        return statistics.confidence_interval(sample.median, sample.draws)

    assert 0.9 <= coverage(interval_of, TRUE_SECONDS) <= 0.999


@pytest.mark.parametrize("blocks", [3, 5, 20])
def test_intervals_cover_the_median_of_a_second_study(blocks):
    generator = np.random.default_rng(8)
    hits = 0
    for number in range(200):
        estimate = statistics.sample(hierarchical(generator, blocks), number).estimate
        again = np.median(np.concatenate(hierarchical(generator, blocks)))
        hits += estimate.low <= again <= estimate.high
    assert 0.91 <= hits / 200 <= 0.99


def test_intervals_of_ratios_cover_the_ratio_in_a_second_study():
    generator = np.random.default_rng(9)
    hits = 0
    for number in range(200):
        first, second = (
            [statistics.sample(hierarchical(generator, 5), number, study, n) for n in "ab"]
            for study in (1, 2)
        )
        estimate = statistics.ratio(*first)
        hits += estimate.low <= second[0].median / second[1].median <= estimate.high
    assert 0.91 <= hits / 200 <= 0.995


def test_fewer_blocks_have_wider_intervals():
    widths = [statistics.expansion(blocks) for blocks in (2, 3, 5, 10, 100)]
    assert widths == sorted(widths, reverse=True)
    assert widths[1] == pytest.approx(4.3027 / 1.95996 * np.sqrt(1.5), rel=1e-4)
    assert widths[-1] == pytest.approx(1, rel=0.02)
    assert statistics.expansion(1) == 1


def test_intervals_of_changes_cover_the_truth():
    def interval_of(generator, number):
        above = statistics.sample(hierarchical(generator, 20), number, "above")
        below = statistics.sample(hierarchical(generator, 20), number, "below")
        return statistics.change(below, above)

    assert 0.89 <= coverage(interval_of, 1.0) <= 0.995


def test_intervals_that_ignore_blocks_would_be_too_narrow():
    """Why the bootstrap is hierarchical: pooled repetitions miss the truth most of the time."""

    def interval_of(generator, number):
        pooled = np.concatenate(hierarchical(generator, 4, repetitions=15, within=0.01))
        sample = statistics.sample([pooled], number)
        return statistics.confidence_interval(sample.median, sample.draws)

    assert coverage(interval_of, TRUE_SECONDS) < 0.7


def test_draws_are_the_same_every_time_and_differ_between_cells():
    blocks = hierarchical(np.random.default_rng(1), 3)
    first, again = statistics.sample(blocks, "a"), statistics.sample(blocks, "a")
    other = statistics.sample(blocks, "b")
    assert np.array_equal(first.draws, again.draws)
    assert not np.array_equal(first.draws, other.draws)


def test_one_block_of_one_repetition_has_an_interval_without_width():
    estimate = statistics.sample(arrays([2.0]), "x").estimate
    assert (estimate.value, estimate.low, estimate.high) == (2.0, 2.0, 2.0)


def test_blocks_of_different_lengths_draw_only_their_own_repetitions():
    blocks = arrays([1.0], [2.0, 2.0, 2.0, 2.0], [1.0, 2.0])
    draws = statistics.resampled_medians(blocks, 1)
    assert np.isin(draws, (1.0, 1.5, 2.0)).all()


def test_long_blocks_keep_their_distribution():
    block = np.random.default_rng(2).lognormal(size=5000)
    thin = statistics.thinned(block)
    assert len(thin) == statistics.LARGEST_BLOCK
    assert np.median(thin) == pytest.approx(np.median(block), rel=0.02)
    assert np.percentile(thin, 90) == pytest.approx(np.percentile(block, 90), rel=0.05)


def test_ratio_to_itself_is_exactly_one():
    sample = statistics.sample(hierarchical(np.random.default_rng(3), 3), "x")
    assert statistics.ratio(sample, sample) == statistics.Estimate(1.0, 1.0, 1.0)


def test_geometric_mean_of_ratios():
    def fixed(value):
        return statistics.sample(arrays([value]), value)

    pairs = [(fixed(2.0), fixed(1.0)), (fixed(8.0), fixed(1.0))]
    estimate = statistics.geometric_mean_ratio(pairs)
    assert estimate.value == pytest.approx(4.0)
    assert estimate.low == pytest.approx(4.0)


@pytest.mark.parametrize(("low", "high", "wide", "decides"), [
    (0.03, 33.64, True, False), (0.9, 1.9, True, False), (0.71, 1.4, False, True),
    (0.9, 1.1, False, True), (1.01, 33.0, True, True), (0.1, 0.9, True, True), (1, 1, False, True),
])
def test_which_intervals_tell_something(low, high, wide, decides):
    estimate = statistics.Estimate(1.0, low, high)
    assert (estimate.wide, estimate.decides) == (wide, decides)


@pytest.mark.parametrize(("blocks", "noisy"), [
    (arrays([1.0, 1.4], [1.5]), False), (arrays([1.0, 1.1], [1.51]), True), (arrays([3.0]), False),
])
def test_noise_is_the_longest_repetition_over_the_shortest(blocks, noisy):
    sample = statistics.sample(blocks, "key")
    assert (sample.shortest, sample.longest) == (min(map(min, blocks)), max(map(max, blocks)))
    assert sample.noisy == noisy

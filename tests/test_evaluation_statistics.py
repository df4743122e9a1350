"""Intervals and comparisons against scipy, against simulated samples, and at their edges."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import numpy.typing as npt
import pytest

from chunkwright.errors import ConfigError
from chunkwright.evaluation.statistics import compare, estimate

Numbers = npt.NDArray[np.float64]


def recalls(count: int, seed: int) -> Numbers:
    """Scores as recall has them: 72% all, 17% none, the rest between."""
    chance = np.random.Generator(np.random.PCG64(seed))
    kind, between = chance.random(count), chance.random(count)
    return np.where(kind < 0.72, 1.0, np.where(kind < 0.89, 0.0, between))


TRUE_RECALL = 0.72 + 0.11 / 2
"""The mean that `recalls` are drawn around."""


def precisions(count: int, seed: int) -> Numbers:
    """Scores as precision has them: small, and skewed."""
    return np.random.Generator(np.random.PCG64(seed)).beta(1.2, 20, count)


def test_the_mean_lies_in_its_interval() -> None:
    """Of 100 questions, 80 of which are answered: about 0.8 plus or minus 0.08."""
    found = estimate([1.0] * 80 + [0.0] * 20, seed=1)
    assert found.value == pytest.approx(0.8)
    assert found.low == pytest.approx(0.71, abs=0.02)
    assert found.high == pytest.approx(0.87, abs=0.02)


def test_a_seed_gives_the_same_numbers_everywhere() -> None:
    """Values from another machine and another numpy have to be these."""
    found = estimate([0.0, 0.25, 0.5, 1.0, 1.0, 0.75, 0.1], seed=7)
    assert (found.value, found.low, found.high) == pytest.approx(SEVENTH, abs=1e-12)
    assert estimate([0.0, 1.0, 0.5], seed=8) == estimate([0.0, 1.0, 0.5], seed=8)


SEVENTH = (0.5142857142857142, 0.17142857142857146, 0.8928571428571429)


def students_level(count: int) -> float:
    """At which percentiles are as wide as Student's t has it, by scipy's t."""
    stats = pytest.importorskip("scipy.stats", exc_type=ImportError)
    reach = stats.t.ppf(0.975, count - 1) * (count / (count - 1)) ** 0.5
    return float(1 - 2 * stats.norm.sf(reach))


@pytest.mark.parametrize("scores", [recalls(472, 1), precisions(472, 2), precisions(15, 3)])
def test_intervals_are_those_of_scipy(scores: Numbers) -> None:
    """Its BCa at Student's level, but for which questions are drawn: within a twentieth."""
    stats = pytest.importorskip("scipy.stats", exc_type=ImportError)
    level = students_level(len(scores))
    other = stats.bootstrap((scores,), np.mean, n_resamples=20_000, confidence_level=level, rng=5)
    low, high = other.confidence_interval
    ours = estimate(scores.tolist(), seed=5, resamples=20_000)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=(high - low) / 20)


def test_paired_differences_are_those_of_scipy() -> None:
    """A comparison is the interval of the differences."""
    stats = pytest.importorskip("scipy.stats", exc_type=ImportError)
    mine, others = recalls(200, 1), recalls(200, 1) * precisions(200, 2) ** 0.1
    level = students_level(200)
    sample = (mine - others,)
    other = stats.bootstrap(sample, np.mean, n_resamples=20_000, confidence_level=level, rng=5)
    low, high = other.confidence_interval
    ours = compare(mine.tolist(), others.tolist(), seed=5, resamples=20_000).difference
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=(high - low) / 20)


def coverage(samples: Sequence[Numbers], mean: float) -> float:
    found = [estimate(sample.tolist(), seed=1, resamples=600) for sample in samples]
    return sum(one.low <= mean <= one.high for one in found) / len(found)


@pytest.mark.parametrize(("count", "least"), [(10, 0.93), (20, 0.94), (100, 0.93), (400, 0.93)])
def test_nineteen_in_twenty_intervals_hold_the_true_mean(count: int, least: float) -> None:
    """Of 800 samples of recalls whose true mean is known."""
    share = coverage([recalls(count, seed) for seed in range(800)], TRUE_RECALL)
    assert least <= share <= 0.98


def test_intervals_of_rare_misses_are_not_too_short() -> None:
    """Of twenty questions with a chance of 0.98 each, most samples are all hits: the interval of
    those has to reach down to the truth all the same."""
    chance = np.random.Generator(np.random.PCG64(3))
    samples = [(chance.random(20) < 0.98).astype(np.float64) for _ in range(400)]
    assert coverage(samples, 0.98) >= 0.95


def test_one_question_tells_next_to_nothing() -> None:
    """Its interval is nearly all there is, and it makes nothing better than anything."""
    found = estimate([1.0], seed=1)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.025)
    assert compare([1.0], [0.0], seed=1).verdict == "unclear"


def test_equal_scores_leave_room_for_questions_not_asked() -> None:
    """Clopper and Pearson: of 20 hits in 20, the rate is 0.8316 at least."""
    found = estimate([1.0] * 20, seed=1)
    assert found.low == pytest.approx(0.8316, abs=1e-4)
    assert found.high == 1.0
    half = estimate([0.5] * 20, seed=1)
    assert (half.low, half.high) == pytest.approx(
        (0.5 - 0.5 * 0.1684, 0.5 + 0.5 * 0.1684), abs=1e-4
    )


def test_scores_that_differ_by_rounding_are_equal() -> None:
    """0.4 - 0.3 and 0.3 - 0.2 are the same difference, and not one beyond doubt."""
    found = compare([0.4, 0.3] * 3, [0.3, 0.2] * 3, seed=1)
    assert found.verdict == "unclear"
    assert found.difference.low < 0 < found.difference.high


def test_a_strategy_is_not_better_than_itself() -> None:
    """The same scores: no difference, and an interval around it."""
    scores = recalls(100, 1).tolist()
    found = compare(scores, scores, seed=1)
    assert found.difference.value == 0
    assert found.verdict == "unclear"


def test_a_difference_over_the_noise_has_a_verdict() -> None:
    """Half of 60 questions gain 0.3: better one way round, worse the other."""
    base = (recalls(60, 4) * 0.7).tolist()
    more = [score + 0.3 * (place % 2) for place, score in enumerate(base)]
    assert compare(more, base, seed=1).verdict == "better"
    assert compare(base, more, seed=1).verdict == "worse"
    assert compare(more, base, seed=1).difference.value == pytest.approx(0.15)


def test_pairs_see_what_separate_intervals_do_not() -> None:
    """A gain of 0.02 on every second question, between scores that lie far apart."""
    base = (recalls(100, 4) * 0.9).tolist()
    more = [score + 0.02 * (place % 2) for place, score in enumerate(base)]
    assert estimate(more, seed=1).low < estimate(base, seed=1).value
    assert compare(more, base, seed=1).verdict == "better"


def test_five_questions_decide_nothing() -> None:
    """Five gains can be chance, six cannot."""
    gains = [0.1, 0.12, 0.14, 0.11, 0.13, 0.15]
    assert compare(gains[:5], [0.0] * 5, seed=1).verdict == "unclear"
    assert compare(gains, [0.0] * 6, seed=1).verdict == "better"


def test_many_comparisons_make_a_verdict_harder_to_get() -> None:
    """The interval of one in forty is wider, and holds that of one alone."""
    base, more = recalls(60, 5).tolist(), recalls(60, 6).tolist()
    alone = compare(more, base, seed=1).difference
    among = compare(more, base, seed=1, comparisons=40).difference
    assert among.low < alone.low < alone.high < among.high


def test_false_alarms_are_as_rare_as_promised() -> None:
    """Two strategies of the same worth, 400 times: 3 to 7 in a hundred get a verdict; corrected
    for ten comparisons, at most one in a hundred."""
    pairs = [
        (recalls(50, 2 * seed).tolist(), recalls(50, 2 * seed + 1).tolist()) for seed in range(400)
    ]
    told = [compare(one, other, seed=1, resamples=600).verdict for one, other in pairs]
    assert 0.03 <= 1 - told.count("unclear") / len(told) <= 0.07
    corrected = [compare(*pair, seed=1, resamples=600, comparisons=10).verdict for pair in pairs]
    assert 1 - corrected.count("unclear") / len(corrected) <= 0.01


def test_questions_have_to_be_the_same() -> None:
    """Scores of different numbers of questions are no pairs."""
    with pytest.raises(ConfigError, match=r"baseline_scores='2 scores'.*each of the 3 questions"):
        compare([1.0, 0.0, 1.0], [1.0, 0.0], seed=1)


@pytest.mark.parametrize("wrong", [nan, 1.5, -0.1])
def test_a_score_that_is_none_is_refused(wrong: float) -> None:
    """By its value and its question."""
    with pytest.raises(ConfigError, match=r"scores=.* numbers from 0 to 1 \(see question 1\)"):
        estimate([1.0, wrong], seed=1)


def test_a_score_may_be_over_its_bound_by_rounding() -> None:
    """As a sum of parts may be: it counts as the bound."""
    assert estimate([1 + 2e-16, 1.0, 1.0], seed=1).value == 1


def test_no_questions_have_no_mean() -> None:
    """Nor has a table of scores."""
    with pytest.raises(ConfigError, match="one question at least"):
        estimate([], seed=1)


def test_counts_have_to_be_counts() -> None:
    """Of resamples and of comparisons."""
    with pytest.raises(ConfigError, match="resamples=0"):
        estimate([1.0, 0.0], seed=1, resamples=0)
    with pytest.raises(ConfigError, match="comparisons=0"):
        compare([1.0], [0.0], seed=1, comparisons=0)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 40])
def test_intervals_of_very_skewed_scores_are_in_order(count: int) -> None:
    """One hit among misses, or one miss among hits, at the level of 1,000 comparisons."""
    for odd, others in ((1.0, 0.0), (0.0, 1.0)):
        scores = [odd, *[others] * (count - 1)]
        for found in (
            estimate(scores, seed=1),
            compare(scores, [0.5] * count, seed=1, comparisons=1000).difference,
        ):
            assert found.low <= found.value <= found.high
            assert found.low < found.high

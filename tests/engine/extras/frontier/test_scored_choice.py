"""The general exponential mechanism: its exact law on all neighbours, scores from a file, what is refused."""

import itertools
import math

import numpy as np
import pytest

from engine.aggregation.functions import KMeans, MeanFunction, MedianFunction
from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.errors import DataError, ParameterError
from engine.extras.frontier.scored_choice import ScoredChoice
from engine.extras.sandbox.black_box import BlackBox
from engine.mechanisms.number_lists import numbers_in_file
from engine.mechanisms.planted import ExponentialDoubled
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

OBLONG = Box.of([0, -1], [1, 2])
RECORDS = list(itertools.product([0.0, 0.3, 1.0], [-1.0, 0.4, 2.0]))
SOURCE = """
def revenue(block):
    return [(price * (block[:, 0] >= price)).mean() for price in (1, 5, 9)]
"""


def law(mechanism, records, epsilon):
    data = Points(np.array(records), OBLONG)
    return mechanism.prepare(data, Privacy(epsilon)).probabilities


@pytest.mark.parametrize(
    ("mechanism", "n", "attained"),
    [
        (ScoredChoice(), 3, 0.6),
        (ScoredChoice(prior="5, 0.25"), 3, 0.7),
        (ScoredChoice(size=2, block_function=MedianFunction()), 6, 0.25),
    ],
    ids=["mean", "prior", "blocks"],
)
def test_no_neighbour_is_told_apart_by_more_than_epsilon(mechanism, n, attained):
    """All pairs of records in one place, among all or random others."""
    rng, worst = np.random.default_rng(1), 0.0
    others = itertools.combinations_with_replacement(RECORDS, n - 1)
    some = list(others) if n == 3 else [[RECORDS[i] for i in rng.integers(0, 9, n - 1)] for _ in range(20)]
    for rest in some:
        laws = np.log([law(mechanism, [one, *rest], 1.3) for one in RECORDS])
        worst = max(worst, float(np.ptp(laws, axis=0).max()))
    assert worst <= 1.3 + 1e-12
    assert worst > attained  # a choice that hardly looks at scores would pass, too


def test_the_law_is_the_one_that_is_stated():
    rng = np.random.default_rng(2)
    values = rng.uniform(OBLONG.lower, OBLONG.upper, (7, 2))
    found = law(ScoredChoice(prior="2,3"), values, 0.8)
    weights = [
        p * math.exp(0.8 * total / (2 * 3)) for p, total in zip((2, 3), values.sum(axis=0), strict=True)
    ]
    assert found == pytest.approx(np.array(weights) / sum(weights), abs=1e-12)


def test_releases_and_simulations_follow_the_law():
    """Within 5.3 standard deviations each: false alarm below 1e-6."""
    data = Points([[0.2, 0.4], [1.0, 0.0], [0.5, 1.0]], OBLONG)
    ready = ScoredChoice(prior="1,2").prepare(data, Privacy(2.0))
    for rng, runs in ((secure(), 1000), (reproducible(3), 4000)):
        share = ready.draw(rng, runs).mean()
        p = ready.probabilities[1]
        assert abs(share - p) < 5.3 * math.sqrt(p * (1 - p) / runs)


def test_scores_come_from_a_file(tmp_path):
    file = tmp_path / "score.py"
    file.write_text(SOURCE)
    line = Box.of([0], [10])
    data = Points(np.linspace(0, 10, 40)[:, None], line)
    function = BlackBox.named(f"{file}:revenue", (0, 0, 0), (1, 5, 9))
    expected = [price * np.mean(data.values >= price) for price in (1, 5, 9)]
    stated = ScoredChoice(block_function=function, sensitivity=9 / 40)
    ready = stated.prepare(data, Privacy(1.0))
    assert ready.diagnostics["true_value"] == pytest.approx(expected)
    assert ready.scores.change == 9 / 40
    assert stated.inexact
    blocks = ScoredChoice(block_function=function, size=10)
    assert blocks.prepare(data, Privacy(1.0)).diagnostics["true_value"] == pytest.approx(expected)
    assert blocks.change(line) == 9
    assert not blocks.inexact
    assert blocks.run(data, Privacy(50.0), reproducible(1)).value == 2


def test_the_choice_misses_by_no_more_than_the_slack():
    rng = np.random.default_rng(5)
    data = Points(rng.uniform(0, 1, (300, 4)), Box.of([0] * 4, [1] * 4))
    mechanism = ScoredChoice(prior="1,1,1,3")
    ready = mechanism.prepare(data, Privacy(0.5))
    slack = mechanism.public_facts(data.domain, data.n, Privacy(0.5))["slack"]
    means = ready.diagnostics["true_value"]
    assert ready.probabilities[means < means.max() - slack].sum() <= 0.05
    errors = mechanism.output.errors(np.arange(4)[:, None], means, data.domain)
    assert errors == pytest.approx(means.max() - means)


@pytest.mark.slow
def test_the_half_that_is_left_out_is_found():
    mistaken, square = ExponentialDoubled.planted(ScoredChoice()), Box.of([0, 0], [1, 1])
    pair = next(one for one in worst_case_pairs(mistaken, square, 100, Privacy(1.0)) if one.name == "rivals")
    assert audit_run(mistaken, pair, Privacy(1.0), runs=20_000, seed=1).audit.violated
    right = audit_run(ScoredChoice(), pair, Privacy(1.0), runs=20_000, seed=1).audit
    assert 0.5 < right.epsilon_lower_bound <= 1.0


def test_what_makes_no_sense_is_refused():
    def fields(mechanism, box=OBLONG, n=30, epsilon=1.0):
        return [problem.field for problem in mechanism.problems(Privacy(epsilon), box, n)]

    assert fields(ScoredChoice()) == []
    assert fields(ScoredChoice(), epsilon=1e-10) == ["epsilon"]
    assert fields(ScoredChoice(), Box.of([0], [1])) == ["function"]
    assert fields(ScoredChoice(block_function=KMeans(k=2))) == ["function"]
    assert fields(ScoredChoice(block_function=MeanFunction()), Box.of([0, 1e9], [1e-3, 2e9])) == []
    assert fields(ScoredChoice(), Box.of([0, 1e12], [1e-3, 1e12 + 1e-3])) == ["function"]
    assert fields(ScoredChoice(size=11)) == ["size"]
    assert fields(ScoredChoice(prior="1,1,1")) == ["prior"]
    for prior in ("0,1", "a", "1,inf", "1,,2"):
        with pytest.raises(ParameterError, match="prior"):
            ScoredChoice(prior=prior)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1\n2.5\n", "1, 2.5"),
        ("1, 2.5", "1, 2.5"),
        ("\ufeffprice,weight\n40,1\n\n50,2.5\n", "1, 2.5"),
        ("7", "7"),
    ],
)
def test_a_prior_is_read_from_a_file(tmp_path, text, read):
    file = tmp_path / "prior.csv"
    file.write_text(text, "utf-8")
    assert numbers_in_file(file) == read
    assert ScoredChoice(prior=read).prior == read


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a,1\nb,-2\n", "prior.csv, row 2: '-2' is not a number above 0"),
        (b"weight\n1\ntwo\n", "prior.csv, row 3: 'two' is not a number above 0"),
        (b"1,nan", "prior.csv, row 1: 'nan' is not a number above 0"),
        (b"weights\nnone", "row 2: 'none'"),
        (b"\n", "contains no numbers"),
        (b"\xff\xfe1", "is not UTF-8"),
        (b"1," * 600_000, "too long"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_prior_is_said_in_a_line(tmp_path, content, words):
    file = tmp_path / "prior.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError) as raised:
        numbers_in_file(file)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)

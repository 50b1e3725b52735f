"""Audits of vectors with noise that is the same in every direction, right and with a mistake planted."""

import pytest

from engine.aggregation.blocks import Partition
from engine.audit.auditing import audit_run
from engine.audit.pairs import worst_case_pairs
from engine.domain import Box
from engine.mechanisms import SampleAggregate
from engine.mechanisms.aggregators import CenterOfAttention
from engine.mechanisms.planted import BetaIsEpsilon
from engine.noise import MultivariateT, PowerLaplace
from engine.privacy import Privacy

SQUARE = Box.of([0, 0], [1, 1])
ONE = Privacy(1.0)
RUNS = 10_000


@pytest.mark.parametrize(
    "noise",
    [MultivariateT(nu=2.0), PowerLaplace(), pytest.param(PowerLaplace(g=6.0), marks=pytest.mark.slow)],
    ids=repr,
)
def test_audits_find_the_mistake_and_nothing_else(noise):
    """A false alarm has a probability of 1e-7 on each of six pairs."""
    right = SampleAggregate(aggregator=CenterOfAttention(noise=noise), sampling=Partition(blocks=39))
    for pair in worst_case_pairs(right, SQUARE, 1000, ONE):
        assert (
            audit_run(right, pair, ONE, runs=RUNS, seed=1, confidence=1 - 1e-7).audit.verdict == "consistent"
        )
    wrong = BetaIsEpsilon.planted(right)
    (far,) = (pair for pair in worst_case_pairs(wrong, SQUARE, 1000, ONE) if pair.name == "far-from-the-jump")
    assert audit_run(wrong, far, ONE, runs=2 * RUNS, seed=1).audit.verdict == "violated"

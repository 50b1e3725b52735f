"""The exponential median: all outputs on a small grid, all neighbours, and how a budget is shared."""

import itertools

import numpy as np
import pytest
from outputs import multisets, within
from privacy_loss import largest_log_ratio

from engine.aggregation.spaces import Euclidean
from engine.domain import Box
from engine.mechanisms.aggregators import ExponentialMedian
from engine.primitives import compose, of_exponential
from engine.privacy import Privacy

SQUARE = Euclidean(Box.of([0, 0], [2, 2]))
CORNERS = np.array(list(itertools.product([0.0, 1.0, 2.0], repeat=2)))[[0, 1, 4, 5, 8]]


@pytest.mark.parametrize("s", [1, 2])
def test_the_exponential_median_shares_the_budget_among_coordinates(s):
    """Each for half of epsilon; with a delta, for what its rho allows, of which choices cost e^2/8."""
    for privacy in (Privacy(0.8), Privacy(0.8, 0.2)):
        aggregator, attained = ExponentialMedian(), 0.0
        everything = multisets(len(CORNERS), 6)
        pairs = np.argwhere(within(everything, len(CORNERS), s))
        each = aggregator.each(2, privacy)
        for rows in pairs[:: 1 + len(pairs) // 60]:
            x, y = (aggregator.prepare(CORNERS[everything[row]], SQUARE, s, privacy) for row in rows)
            losses = [largest_log_ratio(*both) for both in zip(x.middles, y.middles, strict=True)]
            assert max(losses) <= each * (1 + 1e-9)
            attained = max(attained, *losses)
        assert attained > 0.3 * each
        if privacy.delta == 0:
            assert each == privacy.epsilon / 2
        else:
            spent = compose([of_exponential(each)] * 2).privacy(privacy.delta)
            assert spent.epsilon <= privacy.epsilon
            assert each > privacy.epsilon / 2


def test_the_exponential_median_pays_for_many_coordinates_with_their_root():
    one, many = (ExponentialMedian().each(d, Privacy(1.0, 1e-6)) for d in (16, 64))
    assert one == pytest.approx(2 * many)
    assert ExponentialMedian().each(64, Privacy(1.0)) == 1 / 64
    for d in (1, 5, 6, 64):
        stated = ExponentialMedian().zcdp_cost(Privacy(1.0, 1e-6)).rho
        assert d * of_exponential(ExponentialMedian().each(d, Privacy(1.0, 1e-6))).rho <= stated * (1 + 1e-9)

"""What is to be expected of mechanisms on points, also where they refuse."""

import numpy as np
import pytest

from engine.aggregation.blocks import Partition
from engine.analysis.points_errors import estimate_points_error
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.mechanisms import Mixture
from engine.privacy import Privacy

SQUARE = Box.of([0, 0], [1, 1])


@pytest.mark.parametrize(("places", "answers"), [(((0.2, 0.2), (0.8, 0.8)), 1.0), (((0.5, 0.5),) * 2, 0.0)])
def test_errors_are_those_of_answers(places, answers):
    """Two heaps far apart are found; where there is one, halves of it do not agree from block to block."""
    rng = np.random.default_rng(1)
    data = Points(np.array(places)[rng.integers(0, 2, 14_000)] + rng.normal(0, 0.03, (14_000, 2)), SQUARE)
    mechanism = Mixture(k=2, sampling=Partition(blocks=700), aggregator=FriendlyCore())
    found = estimate_points_error(mechanism, data, Privacy(1.0, 1e-6), runs=100)
    assert found.answers == answers
    if answers:
        assert 0 < found.errors.typical < found.errors.most < 0.1
    else:
        assert found.errors.typical == found.width

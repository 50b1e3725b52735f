"""What choices are made from, and what is chosen: against counts by hand."""

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.growing_box import GrowingBox
from engine.extras.frontier.stable_cell import StableCell
from engine.extras.frontier.weighed_choices import choice_scene, weigh_choices
from engine.privacy import Privacy

SQUARE = Box.of([0, 0], [1, 1])
DATA = Points(
    np.concatenate([np.full((60, 2), 0.1), np.full((39, 2), 0.6), [[0.9, 0.2]]]), SQUARE, columns=("x", "y")
)
BUDGET = Privacy(2.0, 1e-6)


def test_boxes_are_told_as_they_grow():
    found = weigh_choices(GrowingBox(boxes=10, q=0.5), DATA, BUDGET)
    assert found.held.tolist() == [0, 60, 60, 60, 60, 60, 99, 99, 99, 100, 100]
    assert (found.wanted, found.truth, found.grows, found.refused) == (50, 1, True, 0)
    assert found.chosen.sum() == found.runs == 400
    assert found.chosen.argmax() == 1


@pytest.mark.parametrize(("cells", "answers"), [(10, True), (2, True)])
def test_cells_are_told_from_the_fullest_on(cells, answers):
    found = weigh_choices(StableCell(cells=cells), DATA, BUDGET)
    assert found.held.tolist() == [60, 39, 1]
    assert (found.truth, found.grows) == (0, False)
    assert (found.chosen[0] > 300) == answers
    assert found.chosen[2] == 0


def test_a_choice_is_placed_among_the_records_and_a_refusal_nowhere():
    cloud = choice_scene(StableCell(cells=10), DATA, BUDGET)
    assert cloud.truth == pytest.approx(np.array([[0.15, 0.15]]))
    assert cloud.released == pytest.approx(cloud.truth)
    assert cloud.records.n == 100
    nothing = choice_scene(StableCell(cells=10), DATA, Privacy(0.1, 1e-9))
    assert nothing.released is None
    public = choice_scene(
        StableCell(cells=10), DATA, Privacy(1.0), released=[0.15, 0.25], records=False, across=1, up=0
    )
    assert public.released.tolist() == [[0.25, 0.15]]
    assert (public.records, public.truth) == (None, None)
    assert choice_scene(StableCell(), DATA, Privacy(1.0), released=None, records=False).released is None

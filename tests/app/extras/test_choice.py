"""The picture of a choice: what is in view, what is drawn, and its words."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from app.extras.frontier.choice import ChoicePicture, in_view
from engine.extras.frontier.weighed_choices import WeighedChoices

GROWS = WeighedChoices(
    np.arange(200.0), 100, 12.0, np.bincount([98, 100, 100, 103], minlength=200), 4, True, truth=100
)
CELLS = WeighedChoices(
    np.array([60.0, 40.0, 3.0, 1.0]), 27.2, 20.0, np.array([7, 1, 0, 0]), 10, False, truth=0
)


@pytest.mark.parametrize(("result", "view"), [(GROWS, (80, 120)), (CELLS, (0, 3))])
def test_what_is_chosen_is_in_view(result, view):
    assert in_view(result) == view
    made = ChoicePicture.draw(Figure().add_subplot(), result)
    left, right = made.axes.get_xlim()
    bottom, top = made.axes.get_ylim()
    xs, ys = made._chosen.get_data()
    assert ((xs > left) & (xs < right) & (ys > bottom) & (ys < top)).all()
    assert sorted(ys) == sorted(result.held[result.chosen > 0])
    assert bottom <= result.wanted <= top
    assert made._labels(result)[0].text == "● chosen"


def test_words_and_numbers_say_the_same():
    grows, cells = (ChoicePicture.draw(Figure().add_subplot(), one) for one in (GROWS, CELLS))
    assert (
        grows.tooltip(100, 100) == "box 100: 100 records, chosen in 50\N{NARROW NO-BREAK SPACE}% of the runs"
    )
    assert cells.tooltip(2, 40) == "cell 2: 40 records, chosen in 10\N{NARROW NO-BREAK SPACE}% of the runs"
    assert cells._corner_text.get_text() == "no answer in 20\N{NARROW NO-BREAK SPACE}% of 10 runs"
    assert "2 gave no answer" in cells.alt_text()
    header, rows = cells.table()
    assert (header, rows[1]) == (["cell", "records held", "times chosen"], [2, 40.0, 1])
    assert len(grows.table()[1]) == 41
    nothing = WeighedChoices(CELLS.held, 27.2, 20.0, np.zeros(4, dtype=int), 10, False, truth=0)
    assert ChoicePicture.draw(Figure().add_subplot(), nothing).alt_text().endswith("gave an answer.")

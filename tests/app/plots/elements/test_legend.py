"""A key below a picture: an entry that takes two rows goes on below its own text."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.elements.legend import Legend, in_lines
from app.plots.figures import new_figure


@pytest.mark.parametrize(("width", "rows"), [(2.2, 2), (6.0, 1)], ids=["narrow", "wide"])
def test_a_second_row_begins_below_the_text_of_the_first(width, rows):
    figure = new_figure(LIGHT, (width, 3.0))
    canvas = FigureCanvasAgg(figure)
    legend = Legend(figure.add_subplot(), LIGHT, below=True)
    legend.set_entries(in_lines(({"color": "k"},), ["half of the releases within 0.1,", "95 % within 0.2"]))
    canvas.draw()
    first, second = (text.get_window_extent() for text in legend._texts)
    assert (second.x0 == pytest.approx(first.x0)) == (rows == 2)
    assert (second.y1 < first.y0) == (rows == 2)

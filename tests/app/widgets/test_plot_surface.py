"""The pointer over a picture, and the steps in which its labels find their space."""

import numpy as np
from canvases import shown_canvas, spot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PySide6.QtWidgets import QToolTip

from app.model.wording.numbers import JOINER
from app.plots.sensitivity.along_path import AlongPath
from app.widgets.plot_canvas import LayoutSteps
from engine.queries.profile import SensitivityPath

LEVELS = np.array([1.0, 2.0, 4.0])


def ticks_of(axes) -> int:
    """Return how many ticks were made: asking an axis for them would make some."""
    return sum(len(vars(axis).get("majorTicks", ())) for axis in (axes.xaxis, axes.yaxis))


def test_the_first_step_makes_all_ticks_that_are_seen(monkeypatch):
    """Also those of axes inside others: the next step, which computes the layout, has enough to do.

    Axes that only give others their room have none to be made.
    """
    figure = Figure()
    renderer = FigureCanvasAgg(figure).get_renderer()
    whole = figure.add_subplot()
    picture = AlongPath.draw(whole, SensitivityPath(2, np.arange(3), LEVELS, LEVELS, LEVELS, 3.0))
    before = ticks_of(whole)
    steps = LayoutSteps(figure)
    assert not steps.step(renderer)
    made = [ticks_of(part) for part in picture.parts]
    assert min(made) > 4
    assert ticks_of(whole) == before
    assert not steps.step(renderer)
    assert steps.step(renderer)
    # the room that the layout leaves asks for fewer, or for one or two more
    assert sum(ticks_of(part) for part in picture.parts) <= sum(made) + 2


def test_a_name_that_looks_like_markup_is_shown_as_it_stands(qtbot, monkeypatch):
    canvas = shown_canvas(qtbot)
    monkeypatch.setattr(canvas.picture, "point_at", lambda x, y: "<b>x</b> & <img src='a.png'>: 3")
    with qtbot.waitSignal(canvas.hovered):
        qtbot.mouseMove(canvas._surface, spot(canvas, 5, canvas.picture.result.smooth))
    assert QToolTip.text() == f"<{JOINER}b>x<{JOINER}/b> &{JOINER} <{JOINER}img src='a.png'>: 3"
    QToolTip.hideText()

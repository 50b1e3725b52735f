"""The steps in which a new picture finds room for its labels."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from app.plots.sensitivity.along_path import AlongPath
from app.widgets.plot_surface import LayoutSteps
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

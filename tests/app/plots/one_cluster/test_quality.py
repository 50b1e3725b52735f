"""What simulated balls are worth: dots, the typical one, and what was promised."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.plots.figures import new_figure
from app.plots.one_cluster.quality import BallQuality
from engine.analysis.ball_quality import BallSample

VIEW = BallSample(
    coverage=np.array([0.8, 1.2, np.nan, 0.6, 0.9]),
    ratio=np.array([1.5, 4.0, np.nan, 0.5, 2.0]),
    promised_share=0.2,
    failed=1,
    t=400,
    beta=0.1,
)


def picture(shown=VIEW):
    figure = new_figure(size=(7.4, 3.8))
    FigureCanvasAgg(figure)
    made = BallQuality.draw(figure.add_subplot(), shown)
    figure.canvas.draw()
    return made


def test_each_run_is_a_dot_and_the_median_is_marked():
    made = picture()
    assert made.labels.texts() == [
        "400 wanted + the true ball",
        "typical 340",
        "promised 80 with probability 90\u202f%",
    ]
    assert made.alt_text() == (
        "A typical ball holds 340 of the 400 records wanted, within 1.8× the true radius; no ball in 1 of 5 "
        "runs. Promised are 80."
    )
    assert made.axes.get_xlabel().endswith("; groups: radii are tried in steps")


def test_all_dots_are_in_view():
    made = picture(dataclasses.replace(VIEW, coverage=VIEW.coverage * 4, ratio=VIEW.ratio * 20))
    (left, right), (bottom, top) = made.axes.get_xlim(), made.axes.get_ylim()
    assert left <= 1  # the true ball
    assert right >= 80
    assert bottom <= 80  # the promise
    assert top >= 4 * 1.2 * 400
    points = picture(dataclasses.replace(VIEW, ratio=np.array([0.0, 0.0, np.nan, 0.0, 2.0])))
    across = points._dots.get_xdata()
    assert (across >= points.axes.get_xlim()[0]).all()


def test_where_nothing_is_promised_or_found_it_says_so():
    made = picture(dataclasses.replace(VIEW, promised_share=0.0, failed=0))
    assert "nothing promised" in made.labels.texts()
    assert made._sentence.text.endswith("within 1.8× the true radius.")
    lost = np.full(5, np.nan)
    none = picture(dataclasses.replace(VIEW, coverage=lost, ratio=lost, failed=5))
    assert none._sentence.text == "Nothing can be compared: no ball in 5 of 5 runs."
    assert none.tooltip(1.0, 200.0) == ""


def test_the_pointer_is_told_how_many_runs_are_as_good():
    words = picture().tooltip(0.7, 200.0)
    assert words == "1 of 5 balls hold at least 200 records within 0.7× the true radius"


def test_failed_runs_are_empty_in_the_table():
    header, rows = picture().table()
    assert header == ["run", "share of t", "radius by the true radius", "promised share"]
    assert rows[2] == [3, "", "", 0.2]
    assert rows[3] == [4, 0.6, 0.5, 0.2]

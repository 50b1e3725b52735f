"""Labels beside lines: moved as little as possible, never on each other."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.transforms import Bbox
from scipy.optimize import minimize

from app.model.theme import DARK, LIGHT, contrast
from app.plots.elements.labels import Label, SideLabels, fitting_lines, spread
from app.plots.figures import new_figure

labels = st.lists(st.tuples(st.floats(-50, 350), st.floats(5, 30)), min_size=1, max_size=7)


@given(labels)
def test_spread_labels_do_not_overlap_and_stay_inside(wanted_and_sizes):
    wanted, sizes = zip(*wanted_and_sizes, strict=True)
    centres = spread(wanted, sizes, 0, 300)
    order = sorted(range(len(wanted)), key=lambda i: centres[i])
    for one, other in itertools.pairwise(order):
        assert centres[other] - centres[one] >= (sizes[one] + sizes[other]) / 2 - 1e-9
    for centre, size in zip(centres, sizes, strict=True):
        assert size / 2 - 1e-9 <= centre <= 300 - size / 2 + 1e-9


class MeasuredText:
    """Counts how often it is measured; every letter is as wide as its number in Unicode."""

    def __init__(self):
        self.measured = 0

    def set_text(self, text):
        self.text = text

    def get_window_extent(self, renderer=None):
        self.measured += 1
        return Bbox.from_bounds(0, 0, sum(map(ord, self.text)), 1)


def test_lines_take_all_words_that_fit_and_few_measurements():
    rng = np.random.default_rng(3)
    for _ in range(200):
        left = ["".join(rng.choice(list("ilmW"), rng.integers(1, 9))) for _ in range(40)]
        space, text = float(rng.uniform(50, 8000)), MeasuredText()
        lines = fitting_lines(text, " ".join(left), space)
        for line in lines:
            fits = [sum(map(ord, " ".join(left[: count + 1]))) <= space for count in range(len(left))]
            taken = max(1, sum(fits))
            assert line == " ".join(left[:taken])
            left = left[taken:]
        assert not left
        assert text.measured <= 5 * len(lines)


def test_labels_that_have_room_stay_where_they_are():
    assert spread([10, 100, 50], [10, 10, 10], 0, 200) == [10, 100, 50]


def test_labels_at_one_place_part_evenly():
    assert spread([50, 50, 50], [10, 10, 10], 0, 100) == [40, 50, 60]


def test_spread_moves_least():
    rng = np.random.default_rng(5)
    for _ in range(20):
        wanted = np.sort(rng.uniform(0, 100, 4))
        sizes = rng.uniform(8, 20, 4)
        gaps = (sizes[:-1] + sizes[1:]) / 2
        best = minimize(
            lambda c, wanted=wanted: ((c - wanted) ** 2).sum(),
            np.linspace(10, 90, 4),
            jac=lambda c, wanted=wanted: 2 * (c - wanted),
            constraints=[
                {"type": "ineq", "fun": lambda c, gaps=gaps: np.diff(c) - gaps},
                {"type": "ineq", "fun": lambda c, sizes=sizes: c[0] - sizes[0] / 2},
                {"type": "ineq", "fun": lambda c, sizes=sizes: 100 - sizes[-1] / 2 - c[-1]},
            ],
            method="SLSQP",
        )
        found = np.array(spread(wanted.tolist(), sizes.tolist(), 0, 100))
        assert ((found - wanted) ** 2).sum() <= best.fun + 1e-5


def test_labels_share_room_that_is_too_small():
    centres = spread([5, 5, 5], [20, 20, 20], 0, 30)
    assert centres == [5, 15, 25]


def column(palette=LIGHT):
    figure = new_figure(palette, (6, 3))
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    return canvas, axes, SideLabels(axes, palette)


def test_the_layout_leaves_room_for_the_column():
    canvas, axes, side = column()
    canvas.draw()
    empty = axes.bbox.x1
    side.set_labels([Label(0.5, "a label of some length", LIGHT.smooth, note="and a note below it")])
    assert side.cramped()
    canvas.draw()
    assert axes.bbox.x1 < empty - 100
    assert not side.cramped()
    side.set_labels([Label(0.5, "a label of far greater length than that before", LIGHT.smooth)])
    assert side.cramped()


def test_labels_without_a_place_are_left_out():
    _, _, side = column()
    side.set_labels([Label(float("nan"), "nowhere", LIGHT.smooth), Label(0.5, "here", LIGHT.local)])
    assert side.texts() == ["here"]


def test_labels_stay_beside_the_axes_when_their_lines_leave_it():
    canvas, axes, side = column()
    side.set_labels([Label(50.0, "above", LIGHT.smooth), Label(-50.0, "below", LIGHT.local)])
    canvas.draw()
    above, below = side.boxes()
    assert above.y1 <= axes.bbox.y1 + 10
    assert below.y0 >= axes.bbox.y0 - 10


def test_notes_are_left_out_where_not_all_labels_have_room():
    labels = [Label(y, f"label {y}", LIGHT.smooth, note="a note") for y in (0.1, 0.2, 0.3, 0.4)]
    for height, noted in ((3.0, True), (1.2, False)):
        figure = new_figure(LIGHT, (6, height))
        canvas = FigureCanvasAgg(figure)
        side = SideLabels(figure.add_subplot(), LIGHT)
        side.set_labels(labels)
        canvas.draw()
        boxes = sorted(side.boxes(), key=lambda box: box.y0)
        assert (boxes[0].height > 20) == noted
        assert all(low.y1 <= high.y0 + 4 for low, high in itertools.pairwise(boxes))
        assert side.texts()[0] == "label 0.1 a note"


def test_text_is_legible_where_the_line_would_not_be():
    for palette in (LIGHT, DARK):
        _, _, side = column(palette)
        side.set_labels([Label(0.5, "released", palette.released)])
        (text, _), *_ = side._texts
        assert contrast(text.get_color(), palette.card) >= 4.5


def test_labels_lose_what_is_extra_before_they_crowd_out_the_picture():
    canvas, axes, side = column()
    side.set_labels([Label(0.5, "a label", LIGHT.smooth, extra="and more of it")])
    canvas.draw()
    assert side.texts() == ["a label  and more of it"]
    side.set_labels([Label(0.5, "a label of some length", LIGHT.smooth, extra="and more " * 5)])
    canvas.draw()
    assert side.texts() == ["a label of some length"]
    side.set_labels([Label(0.5, "a label of some length", LIGHT.smooth, extra="and more of it all")])
    canvas.draw()
    boxes = side.boxes()
    assert side.texts() == ["a label of some length and more of it all"]  # in a second line
    side.set_labels([Label(0.5, "a label of some length", LIGHT.smooth)])
    canvas.draw()
    assert boxes[0].height > 1.5 * side.boxes()[0].height
    assert axes.bbox.width > 0.4 * canvas.figure.bbox.width
    assert not side.cramped()


def test_what_is_extra_stands_below_before_it_takes_much_of_the_width():
    canvas, axes, side = column()
    side.set_labels([Label(0.5, "a label of some length", LIGHT.smooth, extra="and 12,345 $")])
    canvas.draw()
    assert axes.bbox.width > 0.5 * canvas.figure.bbox.width
    below = side.boxes()[0].height
    side.set_labels([Label(0.5, "a label", LIGHT.smooth, extra="and 12,345 $")])
    canvas.draw()
    assert below > 1.5 * side.boxes()[0].height


def middles(*labels):
    canvas, axes, side = column()
    axes.set_ylim(0, 100)
    side.set_labels(labels)
    canvas.draw()
    return [side.boxes()[place].y1 for place in range(len(labels))]


def test_labels_stand_in_the_order_of_their_lines():
    local = Label(9, "local", LIGHT.local)
    smooth = Label(10, "smooth S*", LIGHT.smooth, note="the peak, at k = 1", bold=True)
    low, high = middles(local, smooth)
    assert high > low
    # also where both lines end below the axes
    low, high = middles(Label(-30, "local", LIGHT.local), Label(-20, "smooth", LIGHT.smooth, note="the peak"))
    assert high > low


def test_of_lines_at_one_height_that_of_the_picture_is_named_first():
    local, smooth = Label(10, "local", LIGHT.local), Label(10, "smooth S*", LIGHT.smooth, note="x", bold=True)
    assert np.subtract(*middles(smooth, local)) > 0
    assert np.subtract(*middles(local, smooth)) < 0

"""First attempts: the intervals that meet in nothing, and boxes that grow with the dimension."""

import itertools

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import DARK, LIGHT
from app.plots.figures import new_figure
from app.plots.one_cluster.first_attempts import AxisByAxisPicture, BoxesOfAllDimensions
from engine.analysis.first_attempts import attempt_all_dimensions, attempt_axis_by_axis


def picture(draw, shown, palette=LIGHT, size=(7.4, 3.8), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    return made


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_bands_cross_where_both_meet(palette):
    shown = attempt_axis_by_axis()
    made = picture(AxisByAxisPicture.draw, shown, palette)
    upright, level = made._bands
    assert upright.get_bbox().bounds == (shown.lower[0], 0, pytest.approx(2 * shown.radius), 1)
    assert level.get_bbox().bounds == (0, shown.lower[1], 1, pytest.approx(2 * shown.radius))
    assert made._legend.texts() == [
        "400 points",
        "fullest interval of each axis",
        "(140 and 140 points)",
        "where both meet: 0 points",
        "missed cluster: 120 points",
    ]
    assert made._sentence.text == (
        "Axis by axis fails: the fullest intervals share 0 points, and miss the cluster of 120."
    )


@pytest.mark.parametrize("scale", [1.0, 1.5], ids=["window", "projector"])
@pytest.mark.parametrize("size", [(7.4, 3.8), (4.6, 5.6)])
def test_the_key_stays_in_the_figure_and_second_lines_with_their_first(size, scale):
    made = picture(AxisByAxisPicture.draw, attempt_axis_by_axis(), size=size, scale=scale)
    width, _ = made.axes.figure.canvas.get_width_height()
    boxes = [text.get_window_extent() for text in made._legend._texts]
    assert all(box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width for box in boxes)
    for one, other in itertools.combinations(boxes, 2):
        assert not one.padded(-1).overlaps(other.padded(-1))
    beside = len({round(box.x0) for box in boxes}) == 1
    for first, second in zip(boxes[1::2], boxes[2::2], strict=True):
        room = first.width + second.width < 0.8 * width
        assert beside or not room or second.y0 == pytest.approx(first.y0, abs=2)


def test_the_pointer_is_told_which_interval_it_is_in():
    shown = attempt_axis_by_axis()
    made = picture(AxisByAxisPicture.draw, shown)
    x, y = (shown.lower + shown.upper) / 2
    assert made.tooltip(x, y) == "in both intervals: 0 points"
    assert made.tooltip(x, 0.1) == "in the fullest interval of x: 140 points"
    assert made.tooltip(0.9, y) == "in the fullest interval of y: 140 points"
    assert made.tooltip(*shown.center) == "the cluster of 120 points"
    assert made.tooltip(0.9, 0.1) == ""


def test_side_and_diagonal_are_drawn():
    shown = attempt_all_dimensions()
    made = picture(BoxesOfAllDimensions.draw, shown)
    assert made.tooltip(1.2) == "d = 1: side 4, diagonal 4 radii"
    assert made.axes.get_yscale() == "log"
    assert made._sentence.text.endswith("the box's diagonal is 1\u202f448 times the ball's diameter.")
    assert "holds the ball in 50\u202f% of tries" in made.axes.get_title(loc="left")
    made.log_y = False
    made.update(shown)
    assert made.axes.get_yscale() == "linear"

"""What holds for every picture: it is legible, steady, and has its numbers."""

from __future__ import annotations

import functools
import io
import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from app.model.theme import DARK, LIGHT, Palette
from app.plots.base import Picture
from app.plots.elements.labels import figure_of
from app.plots.figures import CONFIDENTIAL, export_picture, new_figure, titled_figure


def drawn(
    picture_class: type[Picture[Any]], result: Any, unit: str, palette: Palette = LIGHT, scale: float = 1.0
) -> Picture[Any]:
    """Lay out as the window would, at ordinary size or for a projector; nothing is painted."""
    height = 1.5 if picture_class.__name__ == "DotStrip" else 3.7
    figure = new_figure(palette, (7.8 / scale, height / scale ** (height > 2)))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    picture = picture_class(figure.add_subplot(), palette, unit)
    picture.update(result)
    figure.get_layout_engine().execute(figure)  # ticks depend on the room that a first layout leaves
    figure.draw_without_rendering()
    return picture


def texts(picture: Picture[Any]) -> dict[str, Bbox]:
    """Return the boxes of all texts that can be seen, labels of the column included."""
    renderer = picture.axes.figure.canvas.get_renderer()
    found: list[Text] = []
    for part in picture.parts:
        for axis, limits in ((part.xaxis, part.get_xlim()), (part.yaxis, part.get_ylim())):
            if axis.get_visible():
                span = sorted(limits)
                for tick in axis.get_major_ticks():
                    near = 1e-9 * (span[1] - span[0])
                    if span[0] - near <= tick.get_loc() <= span[1] + near and tick.label1.get_visible():
                        found.append(tick.label1)
                found.append(axis.label)
        found += [part.title, part._left_title, *part.texts]
    boxes = {text.get_text(): text.get_window_extent(renderer) for text in found if text.get_text().strip()}
    for words, box in zip(picture.labels.texts(), picture.labels.boxes(renderer), strict=True):
        boxes[f"label {words}"] = box
    return boxes


@pytest.fixture
def picture(sized_result):
    """Each picture of each dataset, in a window and for a projector."""
    *result, scale = sized_result
    return drawn(*result, scale=scale)


def test_nothing_is_clipped_and_nothing_overlaps(picture):
    assert_inside(picture)
    assert_apart(picture)
    assert_steady(picture)


def assert_inside(picture: Picture[Any]) -> None:
    width, height = picture.axes.figure.canvas.get_width_height()
    for words, box in texts(picture).items():
        assert box.x0 >= -1, words
        assert box.y0 >= -1, words
        assert box.x1 <= width + 1, words
        assert box.y1 <= height + 1, words


def assert_apart(picture: Picture[Any]) -> None:
    boxes = picture.labels.boxes(picture.axes.figure.canvas.get_renderer())
    for one, other in itertools.combinations(boxes, 2):
        assert min(one.y1, other.y1) - max(one.y0, other.y0) <= 1.5
    for part in picture.parts:
        for axis, side in ((part.xaxis, 0), (part.yaxis, 1)):
            if not axis.get_visible():
                continue
            extents = sorted(
                (box.min[side], box.max[side], tick.label1.get_text())
                for tick in axis.get_major_ticks()
                if tick.label1.get_visible()
                and tick.label1.get_text()
                and (box := tick.label1.get_window_extent())
            )
            for (_, end, one), (start, _, other) in itertools.pairwise(extents):
                assert start > end, f"{one} touches {other}"


def assert_steady(picture: Picture[Any]) -> None:
    assert picture.update(picture.result) is False


@functools.lru_cache(2)
def undrawn(picture_class: type[Picture[Any]], unit: str) -> Picture[Any]:
    """Return a picture that is shown one result after the other, as in a window."""
    return picture_class(new_figure().add_subplot(), LIGHT, unit)


def test_every_picture_has_its_numbers_with_their_units_and_its_words(result):
    picture_class, shown, unit = result
    picture = undrawn(picture_class, unit)
    picture.update(shown)
    header, rows = picture.table()
    assert rows
    assert {len(row) for row in rows} == {len(header)}
    numbers = [cell for row in rows for cell in row if isinstance(cell, float)]
    assert np.isfinite(numbers).all()
    assert len(picture.alt_text()) > 20
    assert "\\$" not in picture.alt_text()

    saved, rows = picture.saved_table()
    assert len(set(saved)) == len(saved)
    assert {len(row) for row in rows} == {len(saved)}
    known = {name: new for name, new in zip(header, saved, strict=True) if name != new}
    assert all(new.startswith(f"{name} (") and new.endswith(")") for name, new in known.items())
    if unit and picture_class.in_units:
        assert known
        assert all(new.endswith(f" ({unit})") for new in known.values())


def test_dark_pictures_are_drawn_over_dark_cards_and_answer_the_pointer(painted_class, kept_result, cases):
    case = cases["salaries"]
    figure = new_figure(DARK)
    FigureCanvasAgg(figure)
    picture = painted_class(figure.add_subplot(), DARK, case.unit)
    picture.animate()
    picture.update(kept_result(painted_class, case))
    assert all(artist.get_animated() for artist in picture.artists)
    figure.canvas.draw()
    background = np.asarray(figure.canvas.buffer_rgba()).copy()
    for artist in picture.artists:
        artist.draw(figure.canvas.get_renderer())
    pixels = np.asarray(figure.canvas.buffer_rgba())
    assert (pixels != background).any()  # what is animated was left out of ordinary drawing
    corner = "#{:02X}{:02X}{:02X}".format(*pixels[2, 2, :3])
    assert corner == DARK.card
    assert pixels[..., :3].max() > 200  # something is drawn on it
    x, y = (
        picture.artists[-1].axes.transData.inverted().transform(picture.axes.bbox.get_points().mean(axis=0))
    )
    words = picture.point_at(float(x), float(y))
    assert picture.cursor.get_visible() == bool(words and painted_class.has_cursor)
    picture.point_away()
    assert not picture.cursor.get_visible()


def test_an_empty_picture_can_be_drawn_and_asked(picture_class):
    figure = new_figure()
    FigureCanvasAgg(figure)
    picture = picture_class(figure.add_subplot())
    figure.canvas.draw()
    assert picture.table() == picture.saved_table() == ([], [])
    assert picture.tooltip(0.5, 0.5) == ""


def write(figure: Figure, dpi: float, form: str) -> None:
    """Write a file of a resolution; without a format it is laid out and not painted."""
    if form:
        small = {"pil_kwargs": {"compress_level": 0}} if form == "png" else {}
        figure.savefig(io.BytesIO(), format=form, dpi=dpi, **small)
    else:
        figure.set_dpi(dpi)
        figure.draw_without_rendering()


@pytest.mark.parametrize(
    ("vector", "private"),
    [
        ("", True),
        pytest.param("svg", False, marks=pytest.mark.slow),
        pytest.param("svg", True, marks=pytest.mark.slow),
        pytest.param("pdf", True, marks=pytest.mark.slow),
    ],
)
def test_exported_figures_have_title_and_badge_and_room_at_any_resolution(
    exported_class, kept_result, cases, vector, private
):
    """A text once measured for another resolution would be cut off at the edge of the file."""
    case = cases["salaries"]
    made = export_picture(
        exported_class, kept_result(exported_class, case), LIGHT, case.unit, title="A title", private=private
    )
    figure = figure_of(made.axes)
    assert figure.get_suptitle() == "A title"
    said = ("A title", figure.get_supxlabel())
    badges = [text.get_text() for text in figure.texts if text.get_text() not in said]
    assert badges == ["Confidential: computed from raw data"] * private
    edge = figure.axes[0].get_position().x1
    for dpi, form in ((200, vector and "png"), (72, vector)):
        write(figure, dpi, form)
        assert figure.axes[0].get_position().x1 == pytest.approx(edge, abs=0.02)


def test_a_long_title_and_a_badge_do_not_lie_on_each_other():
    title = "How many cells there are on each level, and how large they are"
    figure = titled_figure(title, badge=CONFIDENTIAL)
    (badge,) = (text for text in figure.texts if text.get_text() == CONFIDENTIAL)
    (heading,) = (text for text in figure.texts if text.get_text().strip() == title)
    figure.draw_without_rendering()
    words = heading.get_window_extent()
    line = Bbox.from_extents(words.x0, words.y0, words.x1, words.y0 + words.height / 2)
    assert not line.overlaps(badge.get_window_extent())
    assert figure.bbox.x1 > words.x1

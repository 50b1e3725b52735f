"""The canvas in a real window: one drawing per turn, pointer and keys, no leaks."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from canvases import DOMAIN, pixels, profile, settle, shown_canvas, spot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolTip

from app.model.theme import DARK, LIGHT
from app.model.wording.numbers import JOINER
from app.plots.sensitivity.against_k import AgainstK
from app.plots.sensitivity.along_path import AlongPath
from app.plots.sensitivity.dot_strip import DotStrip, StripView, jitter
from app.widgets.plot_canvas import LayoutSteps, PlotCanvas, PlotSurface
from app.widgets.plot_table import TableModel
from engine.queries.profile import SensitivityPath


@pytest.fixture
def canvas(qtbot):
    """A canvas on the screen that shows a profile."""
    return shown_canvas(qtbot)


@pytest.fixture
def strip(qtbot):
    """A canvas with three dots."""
    made = PlotCanvas(DotStrip, "The data")
    qtbot.addWidget(made)
    made.resize(640, 150)
    made.show()
    qtbot.waitExposed(made)
    made.show_result(StripView.of([200.0, 500.0, 800.0], DOMAIN, 500.0, "median"))
    settle()
    return made


class Counter:
    """Counts the calls of a method of every surface."""

    def __init__(self, monkeypatch, name: str) -> None:
        self.calls = 0
        original = getattr(PlotSurface, name)

        def counting(surface, *arguments):
            self.calls += 1
            return original(surface, *arguments)

        monkeypatch.setattr(PlotSurface, name, counting)


def test_a_picture_that_is_let_go_ends_without_a_search_for_garbage(strip):
    """One without formulas: their parser remembers who asked last."""
    surface = strip._surface
    picture = surface.picture
    parts = [weakref.ref(part) for part in (surface, surface.figure, picture, picture.axes, *picture.artists)]
    del surface, picture
    gc.disable()
    try:
        strip.set_palette(DARK)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        settle()
        assert not [part() for part in parts if part() is not None]
    finally:
        gc.enable()
    assert strip.picture.palette is DARK


def test_many_results_in_one_turn_are_drawn_once(canvas, monkeypatch):
    shown = Counter(monkeypatch, "show_result")
    for beta in np.linspace(0.2, 0.21, 30):
        canvas.show_result(profile(beta))
    assert shown.calls == 0
    settle()
    assert shown.calls == 1
    assert canvas.picture.result.beta == pytest.approx(0.21)


def test_what_fits_the_axes_is_drawn_over_the_kept_background(canvas, monkeypatch):
    full, layout = Counter(monkeypatch, "draw_background"), Counter(monkeypatch, "_lay_out")
    before = pixels(canvas)
    canvas.show_result(profile(0.21))
    settle()
    assert (full.calls, layout.calls) == (0, 0)
    assert (pixels(canvas) != before).any()


def test_drawing_over_the_background_equals_drawing_everything(canvas):
    canvas.show_result(profile(0.21))
    settle()
    over = pixels(canvas)
    canvas._surface._background = None
    canvas._surface.draw()
    settle()
    np.testing.assert_array_equal(pixels(canvas), over)


def test_new_limits_draw_everything(canvas, monkeypatch):
    full = Counter(monkeypatch, "draw_background")
    canvas.show_result(profile(2.0))
    settle()
    assert full.calls >= 1


def test_the_layout_stands_still_until_the_size_changes(canvas):
    place = canvas.picture.axes.get_position().bounds
    canvas.show_result(profile(0.21))
    settle()
    assert canvas.picture.axes.get_position().bounds == place
    canvas.resize(900, 320)
    settle()
    assert canvas.picture.axes.get_position().bounds != place


def test_nothing_is_drawn_while_nobody_looks(qtbot, monkeypatch):
    full = Counter(monkeypatch, "draw_background")
    canvas = PlotCanvas(AgainstK, "hidden")
    qtbot.addWidget(canvas)
    canvas.show_result(profile())
    settle()
    assert full.calls == 0
    assert canvas.picture.result is not None
    canvas.show()
    qtbot.waitExposed(canvas)
    settle()
    assert full.calls > 0


@pytest.mark.parametrize("size", [(1, 1), (220, 90), (60, 400), (2000, 60)])
def test_no_size_is_too_small(canvas, size):
    canvas.setMinimumSize(0, 0)
    canvas.resize(*size)
    settle()
    canvas.show_result(profile(1.0))
    settle()
    assert canvas.picture.result.beta == 1.0


def test_the_theme_the_unit_and_the_scale_can_change(canvas):
    canvas.set_log_y(True)
    canvas.set_palette(DARK)
    canvas.set_unit("$")
    canvas.set_text_scale(1.25)
    settle()
    corner = pixels(canvas)[5, 5, :3]
    assert "#{:02X}{:02X}{:02X}".format(*corner) == DARK.card
    assert "$" in canvas.picture.alt_text()
    assert canvas.figure.dpi == 125
    assert canvas.picture.log_y is True
    assert canvas.picture.result is not None


def test_text_is_as_large_as_is_wanted_and_has_room_for_it(canvas):
    assert canvas.minimumHeight() == 200
    for scale, least in ((1.5, 200), (2.0, 276), (1.0, 200)):
        canvas.set_text_scale(scale)
        canvas.resize(1000, 120)
        settle()
        assert canvas.height() == least
        canvas.resize(1000, 400)
        settle()
        assert canvas.figure.dpi == 100 * scale


def test_text_leaves_a_picture_where_that_needs_much_room(canvas, monkeypatch):
    monkeypatch.setattr(type(canvas.picture), "good_height", 300)
    canvas.set_text_scale(1.5)
    for width, height, dpi in (
        (800, 300, 100),
        (800, 400, 125),
        (800, 460, 150),
        (640, 460, 125),
    ):
        canvas.resize(width, height)
        settle()
        assert canvas.figure.dpi == dpi


def test_clear_leaves_an_empty_picture(canvas):
    canvas.forget("")
    settle()
    assert canvas.picture.result is None
    assert not canvas.has_result


def test_there_is_no_picture_before_there_is_a_result(canvas):
    canvas.forget("kg")
    settle()
    assert not canvas.has_picture
    canvas.show_result(profile())
    settle()
    assert canvas.has_picture


def test_a_drag_is_reported_in_data_coordinates_even_beyond_the_axes(strip, qtbot):
    seen: list[tuple[str, float, float]] = []
    strip.pressed.connect(lambda x, y: seen.append(("pressed", x, y)))
    strip.moved.connect(lambda x, y: seen.append(("moved", x, y)))
    strip.released.connect(lambda x, y: seen.append(("released", x, y)))
    start = spot(strip, 500, float(jitter(3)[1]))
    outside = spot(strip, 1000, 0.5) + QPoint(15, 0)
    qtbot.mousePress(strip._surface, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(strip._surface, outside)
    qtbot.mouseRelease(strip._surface, Qt.MouseButton.LeftButton, pos=outside)
    assert [kind for kind, _, _ in seen] == ["pressed", "moved", "released"]
    assert seen[0][1] == pytest.approx(500, abs=3)
    assert strip.picture.nearest_dot(*seen[0][1:]) == 1
    assert seen[-1][1] > 1000


def test_only_the_left_button_drags(strip, qtbot):
    with qtbot.assertNotEmitted(strip.pressed):
        qtbot.mouseClick(strip._surface, Qt.MouseButton.RightButton, pos=spot(strip, 500, 0.5))


def test_hovering_shows_a_cursor_and_words_and_leaving_takes_them_away(canvas, qtbot):
    place = spot(canvas, 3, canvas.picture.result.smooth)
    with qtbot.waitSignal(canvas.hovered) as signal:
        qtbot.mouseMove(canvas._surface, place)
    assert signal.args[0] == pytest.approx(3, abs=0.2)
    assert canvas.picture.cursor.get_visible()
    QApplication.sendEvent(canvas._surface, QEvent(QEvent.Type.Leave))
    assert not canvas.picture.cursor.get_visible()


def test_hovering_beside_the_axes_says_nothing(canvas, qtbot):
    with qtbot.assertNotEmitted(canvas.hovered, wait=100):
        qtbot.mouseMove(canvas._surface, QPoint(3, 3))


@pytest.mark.parametrize(
    ("key", "modifier", "step"),
    [
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, (-1, 0)),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, (10, 0)),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, (0, 1)),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier, (0, -10)),
    ],
)
def test_arrow_keys_nudge(strip, qtbot, key, modifier, step):
    with qtbot.waitSignal(strip.nudged) as signal:
        qtbot.keyClick(strip, key, modifier)
    assert tuple(signal.args) == step


def test_it_can_be_reached_by_keyboard_and_read_aloud(canvas):
    assert canvas.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert canvas.accessibleName() == "Sensitivity of the median"
    assert "Smooth sensitivity" in canvas.accessibleDescription()


def test_what_is_taken_away_says_that_it_is_not_private_unless_it_is(canvas):
    assert canvas.drawn.private
    assert canvas.drawn.file_stem.endswith("-confidential")
    canvas.private = False
    assert not canvas.drawn.private
    assert not canvas.drawn.file_stem.endswith("-confidential")


def test_the_numbers_open_as_a_table(canvas, qtbot):
    dialog = canvas.show_table()
    qtbot.addWidget(dialog)
    model = dialog.view.model()
    assert model.rowCount() == profile().at_distance.size
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) == "at_distance"
    assert model.data(model.index(3, 0), Qt.ItemDataRole.DisplayRole) == "3"
    dialog.reject()


def test_a_table_reads_well():
    model = TableModel(["value", "clamped", "name"], [[1234.5, True, "x"]])
    cells = [model.data(model.index(0, column), Qt.ItemDataRole.DisplayRole) for column in range(3)]
    assert cells == ["1\u202f234.5", "yes", "x"]


def test_a_closed_canvas_is_forgotten(qtbot):
    canvas = PlotCanvas(AgainstK, "short-lived")
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.show_result(profile())
    settle()
    canvas.set_palette(DARK)
    settle()
    canvas.set_palette(LIGHT)
    settle()
    left = [weakref.ref(thing) for thing in (canvas, canvas._surface, canvas.figure, canvas.picture)]
    canvas.close()
    canvas.deleteLater()
    del canvas
    for _ in range(5):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
        gc.collect()
        if all(ref() is None for ref in left):
            break
    assert [ref() for ref in left] == [None] * 4


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

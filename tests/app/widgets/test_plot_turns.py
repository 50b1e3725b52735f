"""Which turns of the event loop a picture takes, so that none of them holds the window up."""

import time

from canvases import profile, settle, shown_canvas
from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
from PySide6.QtWidgets import QApplication

from app.plots.sensitivity.against_k import AgainstK
from app.widgets.plot_canvas import PlotCanvas, PlotSurface


def test_layout_and_drawing_have_turns_of_their_own(qtbot, monkeypatch):
    """Also those of two pictures that are made at once; a new picture is laid out in three steps.

    A figure is made in a turn before its picture; what changes from result to result is drawn in a turn
    after the background.
    """
    done = []
    parts = (
        (PlotCanvas, "_make_figure"),
        (PlotCanvas, "_make_surface"),
        (PlotCanvas, "_draw"),
        (PlotSurface, "_lay_out"),
        (FigureCanvasQTAgg, "draw"),
        (PlotSurface, "_draw_artists"),
    )

    def watched(work, name):
        def watching(on):
            done.append(name)
            return work(on)

        return watching

    for owner, name in parts:
        monkeypatch.setattr(owner, name, watched(getattr(owner, name), name))
    canvases = [PlotCanvas(AgainstK, name) for name in ("one", "other")]
    for canvas in canvases:
        qtbot.addWidget(canvas)
        canvas.show_result(profile())
        canvas.show()
    turns = []
    deadline = time.monotonic() + 120  # hangs
    while not turns or any(canvas.drawing for canvas in canvases):
        assert time.monotonic() < deadline
        done.clear()
        QApplication.processEvents()
        turns.append(list(done))
    assert max(map(len, turns)) == 1
    assert sorted(name for turn in turns for name in turn) == [
        *["_draw"] * 2,
        *["_draw_artists"] * 2,
        *["_lay_out"] * 6,
        *["_make_figure"] * 2,
        *["_make_surface"] * 2,
        *["draw"] * 2,
    ]


def test_the_old_picture_stands_until_the_new_one_is_whole(qtbot):
    """A background without anything on it is never seen."""
    canvas = shown_canvas(qtbot)
    surface = canvas._surface
    settle()
    before = bytes(surface.buffer_rgba())
    surface.look_again()
    surface._later.stop()
    surface._take_turn()
    assert surface.drawing  # what stands on it comes in the next turn
    assert bytes(surface.buffer_rgba()) == before
    settle()
    assert not surface.drawing
    assert bytes(surface.buffer_rgba()) == before


def test_a_picture_that_is_out_of_sight_is_not_drawn_when_its_size_changes(qtbot, monkeypatch):
    canvas, drawn = shown_canvas(qtbot), []
    draw = FigureCanvasQTAgg.draw
    monkeypatch.setattr(FigureCanvasQTAgg, "draw", lambda surface: (drawn.append(surface), draw(surface)))
    canvas.hide()
    canvas._surface.resize(700, 300)
    settle()
    assert not drawn
    canvas.show()
    settle()
    assert drawn

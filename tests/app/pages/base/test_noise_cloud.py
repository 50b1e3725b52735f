"""Possible answers in the picture of the data: they follow epsilon, and leave nothing behind."""

import time
from itertools import pairwise

import numpy as np
import pytest
from loading import load, load_points
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.model.pages.registry import PAGES
from app.pages.base.noise_cloud import NoiseCloud
from app.plots.elements.answers import _unnested, stacked
from app.plots.elements.labels import figure_of
from app.plots.figures import texts_of
from app.session import Session
from engine.analysis.possible_answers import ANSWERS

WITH_DATA = [name for name, page in PAGES.items() if page.data is not None]


@pytest.fixture
def still(monkeypatch):
    """Let the desktop ask for less motion."""
    monkeypatch.setattr(NoiseCloud, "moves", property(lambda _: False))


def switch(window, on=True):
    """Press N, and wait for answers and handle."""
    noise = window.page.noise
    if noise.on != on:
        window.actions_by_name["noise"].trigger()
    assert window.wait_until_idle(60_000)
    QApplication.processEvents()
    assert noise.on == on
    return noise


def pixels(widget):
    return widget.grab().toImage()


def geometry(window):
    return {
        one: (one.mapTo(window, one.rect().topLeft()), one.size())
        for one in window.findChildren(QWidget)
        if one.isVisible()
    }


def cloud_of(noise):
    return noise._canvas.picture.cloud


def pull(noise, *factors):
    """Drag the right grip to so many times its distance from the middle."""
    surface, (middle, half, axis) = noise._canvas.surface, cloud_of(noise)._handle
    assert axis == 0
    ratio = surface.device_pixel_ratio

    def send(kind, factor, buttons):
        x, y = middle[0] + factor * half, surface.height() * ratio - middle[1]
        position = QPointF(x / ratio, y / ratio)
        event = QMouseEvent(
            kind,
            position,
            surface.mapToGlobal(position),
            Qt.MouseButton.LeftButton,
            buttons,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(surface, event)

    send(QEvent.Type.MouseButtonPress, 1.0, Qt.MouseButton.LeftButton)
    for factor in factors:
        send(QEvent.Type.MouseMove, factor, Qt.MouseButton.LeftButton)
    send(QEvent.Type.MouseButtonRelease, (1.0, *factors)[-1], Qt.MouseButton.NoButton)


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_DATA)
def test_every_page_shows_possible_answers_and_hides_them_without_a_trace(page, window_of, still):
    session = Session()
    session.show_page(page)
    window = window_of(session, patience=60_000)
    assert window.wait_until_idle(60_000)
    before, places = pixels(window), geometry(window)
    noise = switch(window)
    cloud = cloud_of(noise)
    assert len(cloud._paths) == ANSWERS
    assert all(len(path) for path in cloud._paths)
    places.pop(window, None)
    after = geometry(window)
    assert {one for one, place in places.items() if after[one] != place} == set()
    frames = []
    for _ in range(30):
        start = time.thread_time()
        noise.step()
        frames.append(1000 * (time.thread_time() - start))
    assert min(frames) < 16  # the median of an idle machine; a busy one also takes more processor time
    shown = pixels(window)
    switch(window, on=False)
    assert shown != before
    assert pixels(window) == before


def test_borders_of_possible_cells_cross_out_no_counts(window_of, still):
    session = Session()
    session.show_page("histogram")
    window = window_of(session, patience=60_000)
    assert window.wait_until_idle(60_000)
    (numbers,) = window.page.canvas.picture.under_answers
    assert numbers.get_visible()
    assert numbers.fit_numbers()[0]
    switch(window)
    assert not numbers.get_visible()
    switch(window, on=False)
    assert numbers.get_visible()


@pytest.fixture
def wide(window_on):
    """Return a window in which the median of 101 values has noise that can be seen."""
    window = window_on(np.linspace(20, 80, 101))
    window.session.edit("choose", epsilon=0.3)
    window.session.undo_stack.clear()
    assert window.wait_until_idle(10_000)
    return window


def test_the_answers_are_those_of_the_mechanism(wide, still):
    noise = switch(wide)
    values = [path[0, 0] for path in cloud_of(noise)._paths]
    assert sorted(values) == sorted(noise._drawn.answers)
    dots = cloud_of(noise)._artists[1].get_xydata()
    assert (
        np.abs(
            np.sort(dots[:, 0]) - np.clip(np.sort(values), *wide.page.strip.canvas.picture.axes.get_xlim())
        ).max()
        < 2
    )


def test_pulling_changes_epsilon_along_the_curve_in_one_step(wide, still):
    noise, session = switch(wide), wide.session
    curve = noise._drawn.curve
    pull(noise, 0.9, 0.8, 0.7, 0.6)
    assert session.state.epsilon == curve.epsilon(0.6 * curve.error(0.3))
    assert session.state.epsilon > 0.3
    assert session.undo_stack.count() == 1
    assert wide.wait_until_idle(10_000)
    assert noise._drawn.request.setup.privacy.epsilon == session.state.epsilon
    pull(noise, 1.5)
    assert session.undo_stack.count() == 2
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert session.state.epsilon == 0.3


def test_a_pull_pauses_and_is_still_one_step(wide, still, monkeypatch):
    noise = switch(wide)
    monkeypatch.setattr("app.session.MERGE_SECONDS", -1.0)
    pull(noise, 0.9, 0.6, 0.4)
    assert wide.session.undo_stack.count() == 1


def test_answers_move_one_after_another_until_paused(wide):
    noise = switch(wide)
    assert noise.moves
    assert noise._timer.isActive()
    canvas = noise._canvas
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    assert not noise._timer.isActive()
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    assert noise._timer.isActive()
    switch(wide, on=False)
    assert not noise._timer.isActive()


def test_less_motion_keeps_answers_still(wide, still):
    assert not switch(wide)._timer.isActive()


def test_a_dot_can_be_dragged_beside_the_answers(wide, still):
    switch(wide)
    strip = wide.page.strip
    strip._on_pressed(*strip.canvas.picture.axes.transData.inverted().transform((0, 0)))
    assert not strip.canvas.surface.pulling


def test_the_release_view_forgets_simulated_answers(wide, still):
    noise = switch(wide)
    wide.body.choose_view("release")
    assert wide.wait_until_idle(10_000)
    assert wide.session.state.workspace == ""  # the page stays
    assert noise._drawn is None or noise._drawn.request.public
    assert not cloud_of(noise).active  # nothing was released yet
    assert wide.page.strip.isVisible()
    assert wide.page.strip.canvas.result.values.size == 0


def test_the_release_view_shows_public_noise_around_a_release(wide, still):
    session = wide.session
    session.edit("choose", query="mean")
    session.choose("laplace")
    assert wide.wait_until_idle(10_000)
    wide.controllers.run.start()
    assert wide.wait_until_idle(10_000)
    (record,) = session.state.releases
    noise = switch(wide)
    wide.body.choose_view("release")
    assert wide.wait_until_idle(10_000)
    assert noise._drawn.request.public
    assert np.mean(noise._drawn.answers) == pytest.approx(record.release.value, abs=2 * record.release.error)
    assert noise._drawn.curve is None
    assert cloud_of(noise).active
    assert not wide.page.strip.badge.isVisible()
    assert not wide.page.strip.canvas.private


def test_the_switch_is_saved_with_the_page(wide, still):
    switch(wide)
    look = wide.page.view_state
    assert look.noise
    switch(wide, on=False)
    wide.page.restore_view_state(look)
    assert wide.page.noise.on


def test_an_answer_that_is_no_place_says_so(window_of, dataset, still):
    load(session := Session(), dataset(x=np.arange(101.0)), "x", 0.0, 100.0)
    session.edit("choose", query="count")
    window = window_of(session)
    noise = switch(window)
    assert not cloud_of(noise).active
    assert "This picture cannot show the answer" in window.page.card.advice.text()


def test_a_frame_draws_nothing_below_the_answers(wide, still, monkeypatch):
    noise = switch(wide)
    picture = noise._canvas.picture
    drawn = []
    for artist in picture.artists:
        monkeypatch.setattr(artist, "draw", lambda _, one=artist: drawn.append(one))
    noise.step()
    heights = [one.get_zorder() for one in drawn]
    assert cloud_of(noise)._artists[3] in drawn  # the strong dot
    assert min(heights) >= picture.cloud.heights[1]
    drawn.clear()
    noise._canvas.draw_answers()
    assert cloud_of(noise)._artists[1] in drawn
    assert min(one.get_zorder() for one in drawn) >= picture.cloud.heights[0]


def test_a_pull_is_drawn_once_a_frame_and_its_results_when_it_ends(wide, still, monkeypatch):
    noise = switch(wide)
    canvas, epsilons = noise._canvas, []
    monkeypatch.setattr(noise, "_on_pulled", epsilons.append)
    canvas.pulled.disconnect()
    canvas.pulled.connect(noise._on_pulled)
    pull(noise, *np.linspace(0.99, 0.6, 20))
    assert epsilons == [pytest.approx(0.6), 0.0]
    canvas.surface.pulling = True
    assert wide.wait_until_idle(10_000)
    updates = []
    canvas.updated.connect(lambda: updates.append(1))
    canvas.show_result(canvas.result)
    QApplication.processEvents()
    assert not updates
    canvas.surface.pulling = False
    canvas.surface.pulled.emit(0.0)
    QApplication.processEvents()
    assert updates


def test_a_press_without_a_pull_changes_nothing(wide, still):
    noise = switch(wide)
    QTest.mouseMove(noise._canvas.surface)
    pull(noise)
    assert wide.session.state.epsilon == 0.3


def test_a_saved_figure_has_the_answers_and_says_that_they_are_simulated(wide, still):
    noise = switch(wide)
    shown = noise._canvas.drawn.draw()
    answers, saved = cloud_of(noise), shown.cloud
    assert [path.tolist() for path in saved._paths] == [path.tolist() for path in answers._paths]
    texts = [one.get_text() for one in texts_of(figure_of(shown.axes))]
    assert "20 possible answers at ε = 0.3, simulated with seed 1." in texts
    assert "Confidential: computed from raw data" in texts
    assert not saved._artists.grips.get_visible()
    assert not saved._artists.label.get_visible()
    switch(wide, on=False)
    assert noise._canvas.drawn.answers is None


def test_a_saved_figure_of_the_release_view_says_what_surrounds_the_release(wide, still):
    session = wide.session
    session.edit("choose", query="mean")
    session.choose("laplace")
    wide.controllers.run.start()
    assert wide.wait_until_idle(10_000)
    noise = switch(wide)
    wide.body.choose_view("release")
    assert wide.wait_until_idle(10_000)
    panel = noise._canvas.drawn
    assert not panel.private
    assert panel.answers.note.startswith("20 plausible true answers around the release")


def test_possible_answers_of_a_graph_are_trees(graph_on, still):
    window = graph_on(
        source=["a", "b", "a", "c"], target=["b", "c", "c", "d"], weight=[1.0, 2.0, 4.0, 3.0], vertices=4
    )
    picture = switch(window)._canvas.picture
    view = picture.result
    lines = picture._lines

    def edges(answer):
        path = picture.answer_path(view, answer)
        assert path[0].tolist() == [answer, 0.0]
        return {edge for edge, middle in enumerate(lines.middles) if middle.tolist() in halves(path[1:])}

    def halves(path):
        return [((start + end) / 2).tolist() for start, end in pairwise(path)]

    order = view.edges.tolist()
    assert [order[edge] for edge in edges(0.5)] == []
    assert {order[edge] for edge in edges(5.9)} == {0, 1}  # 1 + 2, and 3 is too much
    assert {order[edge] for edge in edges(6.0)} == {0, 1, 3}  # the tree
    assert {order[edge] for edge in edges(10.0)} == {0, 1, 2, 3}


def test_lines_that_continue_each_other_are_drawn_once():
    line = np.arange(12.0).reshape(6, 2)
    parts, opacity = _unnested([line[:4], line, line[:2]])
    assert [part.tolist() for part in parts] == [line[:2].tolist(), line[2:4].tolist(), line[4:].tolist()]
    assert opacity == pytest.approx([1 - 0.78**3, 1 - 0.78**2, 0.22])
    other = [line, line + 1.0]
    assert _unnested(other)[0] is other


def test_regressions_are_lines_among_the_records(window_of, dataset, still):
    session = Session()
    session.show_page("clustering")
    x = np.linspace(0.0, 1.0, 400)
    load_points(session, dataset(x=x, y=0.25 + 0.5 * x), 0.0, 1.0)
    session.edit("ask", query="sample-aggregate", function="regression", epsilon=2.0, delta=1e-6)
    window = window_of(session, patience=60_000)
    window.page.show_tab("data")
    noise = switch(window)
    picture = noise._canvas.picture
    assert picture.result.truth == pytest.approx(np.array([[0.0, 0.25], [1.0, 0.75]]))
    slopes = [path[1, 1] - path[0, 1] for path in cloud_of(noise)._paths]
    assert len(set(slopes)) > 1
    middles = np.array([path.mean(axis=0) for path in cloud_of(noise)._paths])
    assert middles == pytest.approx(np.full((len(slopes), 2), 0.5))  # through the mean of the records


def test_dots_of_a_plot_stand_above_each_other():
    dots = stacked(np.array([1.0, 5.0, 1.1, 1.2]), 2.0, 12.0, 0.5, 1.0)
    assert dots[:, 1].tolist() == [2.0, 2.0, 3.0, 4.0]
    assert dots[:, 0].tolist() == pytest.approx([1.1, 5.0, 1.1, 1.1])
    assert stacked(np.zeros(101), 0.0, 10.0, 0.5, 1.0)[:, 1].max() == pytest.approx(10.0)

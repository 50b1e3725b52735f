"""Releases in the window: what is chosen for them, what is wrong with it, and what they leave behind."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from seen import choose

from app.model.pages.registry import queries_of
from engine.catalog import methods
from engine.extras.libraries.library import Peer
from engine.mechanisms import SmoothRelease

pytestmark = pytest.mark.usefixtures("undrawn")


def test_a_release_is_made_recorded_and_paid(shared, qtbot):
    assert "no budget used" in shared.body.history.total.text()
    qtbot.keyClick(shared, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(shared.session.state.releases) == 1)
    release = shared.session.state.releases[0].release
    assert not release.simulated
    assert release.value is not None
    assert shared.wait_until_idle()
    assert shared.body.history.model.rowCount() == 1
    assert "ε = 1" in shared.body.history.total.text()
    row = [shared.body.history.model.index(0, column).data() for column in range(7)]
    assert row[1] == "Median of x"
    assert row[6] == ""  # nothing unusual


def test_undo_takes_back_an_edit_and_never_a_release(shared):
    shared.body.column.privacy.epsilon.type_in("2")
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    shared.session.undo_stack.undo()
    assert shared.body.column.privacy.epsilon.value == 1.0
    assert len(shared.session.state.releases) == 1
    shared.session.undo_stack.redo()
    assert shared.session.state.epsilon == 2.0


def test_undo_says_what_it_undoes(shared):
    assert not shared.actions_by_name["undo"].isEnabled()
    shared.body.column.privacy.epsilon.type_in("3")
    assert shared.actions_by_name["undo"].isEnabled()
    assert "epsilon" in shared.actions_by_name["undo"].text()


def test_epsilon_moves_slider_box_sentence_and_curves_together(shared):
    before = shared.body.pages["median"].canvas.picture.result.smooth
    shared.body.column.privacy.slider.setValue(shared.body.column.privacy.slider.minimum())
    assert shared.wait_until_idle()
    assert shared.body.column.privacy.epsilon.value == pytest.approx(0.01)
    assert "1.01" in shared.body.column.privacy.sentence.text()
    assert shared.body.pages["median"].canvas.picture.result.smooth > before


def test_delta_is_read_as_people_write_it(shared):
    for text, value in (("1e-6", 1e-6), ("10^-6", 1e-6), ("0,5", 0.5), ("2*10^-5", 2e-5)):
        shared.body.column.privacy.delta.type_in(text)
        assert shared.session.state.delta == pytest.approx(value)


@pytest.mark.parametrize("text", ["much", "nan", "inf"])
def test_what_is_no_number_is_told_beside_the_field_and_nothing_is_lost(window, text):
    window.body.column.privacy.epsilon.type_in(text)
    assert f"'{text}' is not a number" in window.body.column.privacy.epsilon_row.problem
    assert window.session.state.epsilon == 1.0
    assert window.body.column.privacy.epsilon.text() == text  # nothing typed is lost


def test_a_wrong_budget_is_explained_beside_the_field_before_run(shared):
    for box, text, row, said in (
        ("epsilon", "0", "epsilon_row", "above 0"),
        ("epsilon", "-1", "epsilon_row", "above 0"),
        ("delta", "1", "delta_row", "below 1"),
    ):
        getattr(shared.body.column.privacy, box).type_in(text)
        assert said in getattr(shared.body.column.privacy, row).problem
        assert not shared.body.column.release.run.isEnabled()
        assert not shared.actions_by_name["run"].isEnabled()
        shared.session.undo_stack.undo()
        assert getattr(shared.body.column.privacy, row).problem == ""
        assert shared.body.column.release.run.isEnabled()


def test_crossed_bounds_are_explained_and_the_last_curves_stay(shared):
    shown = shared.body.pages["median"].canvas.picture.result
    shared.body.column.data.form.box("lower").type_in("500")
    assert shared.wait_until_idle()
    assert "not above lower" in shared.body.column.data.form.row("upper").problem
    assert shared.body.pages["median"].canvas.picture.result is shown
    assert not shared.body.column.release.run.isEnabled()


def test_gaussian_noise_without_delta_is_explained_before_run(shared):
    choose(shared.body.column.release.form.chooser("noise").box, "gaussian")
    assert "delta above 0" in shared.body.column.privacy.delta_row.problem
    assert not shared.body.column.release.run.isEnabled()
    shared.body.column.privacy.offer.click()
    assert shared.session.state.delta == 1e-6
    assert not shared.body.column.privacy.offer.isVisible()
    assert shared.body.column.privacy.delta_row.problem == ""
    assert shared.body.column.release.run.isEnabled()


def test_bounds_that_were_looked_up_carry_a_standing_warning(shared):
    warning = shared.body.column.data.warning
    assert not warning.isVisible()
    shared.session.edit("take the bounds from the data", bounds_source="looked")
    assert warning.isVisible()
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    assert "taken from the data" in shared.body.history.model.index(0, 6).data()
    shared.session.show_view("release")
    assert warning.isVisible()
    shared.session.show_view("curator")
    shared.session.undo_stack.undo()
    assert not warning.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize(
    "values",
    [
        [50.0],
        *(pytest.param(x, marks=pytest.mark.slow) for x in ([20.0, 80.0], [50.0] * 30)),
        [900.0] * 20 + [-900.0] * 21,
    ],
    ids=["n=1", "n=2", "equal", "outside"],
)
def test_odd_data_work(window_on, values):
    window = window_on(values)
    for tab in ("epsilon", "path", "noise", "distribution", "k"):
        window.body.pages["median"].show_tab(tab)
        assert window.wait_until_idle()
        assert window.body.pages["median"].canvas.picture.result is not None, tab
    window.controllers.run.start()
    assert window.wait_until_idle()
    assert window.body.messages.texts() == []
    assert len(window.session.state.releases) == 1


@pytest.mark.slow
def test_every_query_is_drawn_and_released(shared):
    for query in queries_of("median"):
        choose(shared.body.column.release.form.chooser("query").box, query)
        assert shared.wait_until_idle()
        shared.controllers.run.start()
        assert shared.wait_until_idle()
        assert shared.session.state.releases[-1].release.query == query
    assert shared.body.messages.texts() == []


REFUSED = {
    "ladder": "use inverse sensitivity",
    "lipschitz-extension": "known for triangles",
    "log-scale": "interquartile range",
}
"""Methods that the median cannot be asked by, and what they say."""


def test_every_method_that_can_releases_and_others_say_why_not(shared):
    shared.body.column.privacy.delta.type_in("1e-6")
    shared.body.pages["median"].show_tab("distribution")
    for method in [name for name, kind in methods().items() if not issubclass(kind, Peer)]:
        choose(shared.body.column.release.form.chooser("method").box, method)
        assert shared.wait_until_idle()
        problem = shared.body.column.release.form.chooser("method").problem
        if method in REFUSED:
            assert REFUSED[method] in problem
            continue
        assert problem == ""
        shared.controllers.run.start()
        assert shared.wait_until_idle()
        made_by = "exponential" if method == "auto" else method
        assert shared.session.state.releases[-1].release.mechanism == made_by
    assert shared.body.messages.texts() == []


def test_a_run_can_be_cancelled_and_costs_nothing(window_on, qtbot, monkeypatch):
    import time

    window = window_on(list(range(101)))

    def endless(self, prepared, data, privacy, rng, progress):
        while True:
            time.sleep(0.01)
            progress(0.3, "thinking")

    monkeypatch.setattr(SmoothRelease, "release", endless)
    window.controllers.run.start()
    qtbot.waitUntil(window.body.column.release.footer.progress.cancel.isVisible)
    assert not window.body.column.release.run.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.controllers.releases.channel.busy)
    assert window.session.state.releases == ()
    assert "Cancelled" in window.controllers.status.text()
    assert window.body.column.release.run.isEnabled()
    assert not window.body.column.release.footer.progress.cancel.isVisible()


def test_a_dot_is_dragged_and_the_curves_follow(shared, qtbot):
    strip = shared.body.pages["median"].strip.canvas
    before = shared.body.pages["median"].canvas.picture.result
    view = strip.picture.result
    index = int(np.argmax(view.values))
    dots = strip.picture._dots
    height = dots.get_ydata()[index]
    strip.pressed.emit(float(view.values[index]), float(height))
    strip.moved.emit(10.0, float(height))
    strip.moved.emit(5.0, float(height))
    strip.released.emit(5.0, float(height))
    assert shared.wait_until_idle()
    assert shared.session.state.data.modified_values == {int(view.indices[index]): 5.0}
    assert shared.body.pages["median"].canvas.picture.result is not before
    assert shared.session.undo_stack.count() == 1
    shared.session.put_back()
    assert shared.session.state.data.modified_values == {}


def test_dots_are_moved_with_the_arrow_keys(window_on, qtbot):
    window = window_on(list(range(101)))  # no dot is chosen yet
    strip = window.body.pages["median"].strip.canvas
    strip.setFocus()
    qtbot.keyClick(strip, Qt.Key.Key_Up)
    record = window.body.pages["median"].strip.chosen
    assert record is not None
    value = window.session.state.data.numbers.values[record]
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert window.session.state.data.modified_values[record] == pytest.approx(value + 2.0)
    qtbot.keyClick(strip, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.state.data.modified_values[record] == pytest.approx(value - 8.0)


def test_a_release_of_moved_data_says_so(shared):
    shared.session.move_point(3, 99.0)
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    assert "changed by hand" in shared.body.history.model.index(0, 6).data()


def test_what_the_noise_decides_is_neither_offered_nor_named(shared):
    form, share = shared.body.column.release.form, "Sliding share of ε"
    shared.session.choose("auto", "noise")
    assert share not in form.advanced
    shared.session.choose("student-t", "noise")
    assert share in form.advanced
    shared.session.choose("auto", "noise")

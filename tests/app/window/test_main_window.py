"""The window as a person uses it."""

import gc
import weakref

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QWidget
from seen import choose, words

from app.model.kinds.registry import queries_of
from app.model.selection import selection
from app.session import Session
from app.window.main_window import MainWindow
from engine.mechanisms import MECHANISMS, SmoothRelease

TRUE_VALUE = "31.25"
CLAMPED = ", clamped."
"""What everybody may know of a release; how many records are clamped is private."""


def test_a_first_window_shows_an_example_with_its_curves(window_on):
    window = window_on()
    assert "salaries" in window.windowTitle()
    assert window.median.canvas.picture.result.n == 10_001
    assert window.release.run.isEnabled()
    assert not window.messages.texts()


def test_no_scrollbars_and_no_clipped_words_at_1280_by_800(window_on):
    window = window_on()
    window.resize(1280, 800)
    assert window.wait_until_idle()
    assert not window.column.verticalScrollBar().isVisible()
    run = window.release.run
    assert run.width() >= run.sizeHint().width()
    assert run.height() >= run.sizeHint().height()
    for box in window.column.findChildren(QComboBox):
        if box.isVisible():
            room = box.width() - 34
            assert box.fontMetrics().horizontalAdvance(box.currentText()) <= room, box.accessibleName()
    for key in ("curator", "release"):
        button = window.navigation.view.button(key)
        assert button.width() >= button.sizeHint().width()


def test_a_release_is_made_recorded_and_paid(shared, qtbot):
    assert "nothing spent" in shared.history.total.text()
    qtbot.keyClick(shared, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(shared.session.state.releases) == 1, timeout=5000)
    release = shared.session.state.releases[0].release
    assert not release.simulated
    assert release.value is not None
    assert shared.wait_until_idle()
    assert shared.history.model.rowCount() == 1
    assert "ε = 1" in shared.history.total.text()
    row = [shared.history.model.index(0, column).data() for column in range(7)]
    assert row[1] == "Median of x"
    assert row[5] == "release"


def test_undo_takes_back_an_edit_and_never_a_release(shared):
    shared.privacy.epsilon.type_in("2")
    shared.run()
    assert shared.wait_until_idle()
    shared.undo()
    assert shared.privacy.epsilon.value == 1.0
    assert len(shared.session.state.releases) == 1
    shared.redo()
    assert shared.session.state.epsilon == 2.0


def test_undo_says_what_it_undoes(shared):
    assert not shared.actions_by_name["undo"].isEnabled()
    shared.privacy.epsilon.type_in("3")
    assert shared.actions_by_name["undo"].isEnabled()
    assert "epsilon" in shared.actions_by_name["undo"].text()


def test_epsilon_moves_slider_box_sentence_and_curves_together(shared):
    before = shared.median.canvas.picture.result.smooth
    shared.privacy.slider.setValue(shared.privacy.slider.minimum())
    assert shared.wait_until_idle()
    assert shared.privacy.epsilon.value == pytest.approx(0.01)
    assert "1.01" in shared.privacy.sentence.text()
    assert shared.median.canvas.picture.result.smooth > before


def test_delta_is_read_as_people_write_it(shared):
    for text, value in (("1e-6", 1e-6), ("10^-6", 1e-6), ("0,5", 0.5), ("2*10^-5", 2e-5)):
        shared.privacy.delta.type_in(text)
        assert shared.session.state.delta == pytest.approx(value)


def test_what_is_no_number_is_told_beside_the_field_and_nothing_is_lost(window):
    window.privacy.epsilon.type_in("much")
    assert "'much' is not a number" in window.privacy.epsilon_row.problem
    assert window.session.state.epsilon == 1.0
    assert window.privacy.epsilon.text() == "1"


def test_a_wrong_budget_is_explained_beside_the_field_before_run(shared):
    for box, text, row, said in (
        ("epsilon", "0", "epsilon_row", "above 0"),
        ("epsilon", "-1", "epsilon_row", "above 0"),
        ("epsilon", "nan", "epsilon_row", "finite"),
        ("delta", "1", "delta_row", "below 1"),
    ):
        getattr(shared.privacy, box).type_in(text)
        assert said in getattr(shared.privacy, row).problem
        assert not shared.release.run.isEnabled()
        assert not shared.actions_by_name["run"].isEnabled()
        shared.undo()
        assert getattr(shared.privacy, row).problem == ""
        assert shared.release.run.isEnabled()


def test_crossed_bounds_are_explained_and_the_last_curves_stay(shared):
    shown = shared.median.canvas.picture.result
    shared.data.lower_box.type_in("500")
    assert shared.wait_until_idle()
    assert "not above lower" in shared.data.bounds_row.problem
    assert shared.median.canvas.picture.result is shown
    assert not shared.release.run.isEnabled()


def test_gaussian_noise_without_delta_is_explained_before_run(shared):
    choose(shared.release.noise, "gaussian")
    assert "delta above 0" in shared.privacy.delta_row.problem
    assert not shared.release.run.isEnabled()
    shared.privacy.delta.type_in("1e-6")
    assert shared.privacy.delta_row.problem == ""
    assert shared.release.run.isEnabled()


def test_bounds_that_were_looked_up_carry_a_standing_warning(shared):
    assert not shared.data.warning.isVisible()
    choose(shared.data.origin, "looked")
    assert shared.data.warning.isVisible()
    shared.run()
    assert shared.wait_until_idle()
    assert "looked" in shared.history.model.index(0, 5).data()
    shared.session.show_view("release")
    assert shared.data.warning.isVisible()
    shared.session.show_view("curator")
    shared.undo()
    assert not shared.data.warning.isVisible()


def test_the_release_view_shows_nothing_private(shared):
    shared.run()
    assert shared.wait_until_idle()
    for tab in ("epsilon", "path", "noise", "distribution", "k"):
        shared.median.show_tab(tab)
        assert shared.wait_until_idle()
    assert TRUE_VALUE in words(shared)
    assert "Typical error" in words(shared)
    shared.actions_by_name["release"].trigger()
    assert shared.wait_until_idle()
    seen = words(shared)
    smooth = SmoothRelease().prepare(
        shared.session.databases.get(selection(shared.session.state).source),
        selection(shared.session.state).privacy,
    )
    for secret in (TRUE_VALUE, "Typical error", "clamped", "local", "smooth S", "not private: "):
        assert secret not in seen.replace(CLAMPED, ""), secret
    assert f"{smooth.diagnostics['smooth']:.3g}" not in seen
    assert not shared.median.strip.isVisible()
    assert shared.median.canvas.accessibleDescription() is not None
    assert not shared.median.canvas.private
    shared.actions_by_name["curator"].trigger()
    assert shared.wait_until_idle()
    assert TRUE_VALUE in words(shared)


def test_the_release_view_exports_nothing_private(shared, tmp_path):
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    shared.saver.write(shared.median.canvas, tmp_path / "figure.svg")
    shared.saver.write(shared.median.canvas, tmp_path / "numbers.csv")
    assert shared.wait_until_idle()
    for name in ("figure.svg", "numbers.csv"):
        assert TRUE_VALUE not in (tmp_path / name).read_text("utf-8")


def test_clamped_records_are_counted_in_curator_view_only(shared):
    shared.data.upper_box.type_in("50")
    assert shared.wait_until_idle()
    assert "clamped" in shared.data.facts.text()
    assert shared.data.badge.isVisible()
    shared.session.show_view("release")
    assert "clamped" not in shared.data.facts.text()
    assert "n = 101" in shared.data.facts.text()


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
        window.median.show_tab(tab)
        assert window.wait_until_idle()
        assert window.median.canvas.picture.result is not None, tab
    window.run()
    assert window.wait_until_idle()
    assert window.messages.texts() == []
    assert len(window.session.state.releases) == 1


def test_every_query_is_drawn_and_released(shared):
    for query in queries_of("median"):
        choose(shared.release.query, query)
        assert shared.wait_until_idle()
        shared.run()
        assert shared.wait_until_idle()
        assert shared.session.state.releases[-1].release.query == query
    assert shared.messages.texts() == []


def test_every_method_releases(shared):
    shared.privacy.delta.type_in("1e-6")
    shared.median.show_tab("distribution")
    for method in MECHANISMS:
        choose(shared.release.method, method)
        assert shared.wait_until_idle()
        shared.run()
        assert shared.wait_until_idle()
        assert shared.session.state.releases[-1].release.mechanism == method
    assert shared.messages.texts() == []


def test_a_crash_of_a_job_is_a_message_and_the_window_lives(window, monkeypatch):
    def crash(*_, **__):
        raise ZeroDivisionError("broken")

    monkeypatch.setattr("app.pages.sensitivity.analysis.sensitivity_profile", crash)
    window.privacy.epsilon.type_in("2")
    assert window.wait_until_idle()
    [message] = window.messages.messages()
    assert "ZeroDivisionError: broken" in message.text
    assert "Traceback" in message.details
    monkeypatch.undo()
    window.cancel()
    assert not window.messages.texts()
    window.privacy.epsilon.type_in("3")
    assert window.wait_until_idle()
    assert not window.messages.texts()


def test_a_run_can_be_cancelled_and_costs_nothing(window, qtbot, monkeypatch):
    import time

    def endless(self, prepared, data, privacy, rng, progress):
        while True:
            time.sleep(0.01)
            progress(0.3, "thinking")

    monkeypatch.setattr(SmoothRelease, "release", endless)
    window.run()
    qtbot.waitUntil(window.release.cancel.isVisible, timeout=2000)
    assert not window.release.run.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.releaser.channel.busy, timeout=2000)
    assert window.session.state.releases == ()
    assert "Cancelled" in window.status.text()
    assert window.release.run.isEnabled()
    assert not window.release.cancel.isVisible()


def test_a_dot_is_dragged_and_the_curves_follow(shared, qtbot):
    strip = shared.median.strip.canvas
    before = shared.median.canvas.picture.result
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
    assert shared.median.canvas.picture.result is not before
    assert shared.session.undo_stack.count() == 1
    shared.put_back()
    assert shared.session.state.data.modified_values == {}


def test_dots_are_moved_with_the_arrow_keys(window, qtbot):
    strip = window.median.strip.canvas
    strip.setFocus()
    qtbot.keyClick(strip, Qt.Key.Key_Up)
    record = window.median.strip.chosen
    assert record is not None
    value = window.session.state.data.numbers.values[record]
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert window.session.state.data.modified_values[record] == pytest.approx(value + 2.0)
    qtbot.keyClick(strip, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.state.data.modified_values[record] == pytest.approx(value - 8.0)


def test_a_release_of_moved_data_says_so(shared):
    shared.session.move_point(3, 99.0)
    shared.run()
    assert shared.wait_until_idle()
    assert "moved by hand" in shared.history.model.index(0, 5).data()


def test_themes_change_every_part(window):
    for theme in ("dark", "light"):
        window.actions_by_name[theme].trigger()
        assert window.wait_until_idle()
        assert window.median.canvas.picture.palette.name == theme
        assert window.median.strip.canvas.picture.palette.name == theme
        assert window.median.canvas.picture.result is not None
        corner = window.grab().toImage().pixelColor(2, 2).lightness()
        assert (corner < 128) == (theme == "dark")


def test_presentation_mode_folds_the_column_and_enlarges_type(window):
    size = window.data.fontInfo().pixelSize()
    window.actions_by_name["presentation"].trigger()
    assert window.wait_until_idle()
    assert not window.column.isVisible()
    assert window.navigation.fontInfo().pixelSize() >= round(1.4 * size)
    window.actions_by_name["presentation"].trigger()
    assert window.column.isVisible()


def test_every_control_has_a_name_and_every_action_a_way(shared):
    for widget in shared.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisibleTo(shared):
            continue
        if widget.objectName().startswith("qt_") or widget.parent() is None:
            continue
        name = widget.accessibleName() or getattr(widget, "text", str)()
        inner = isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)
        assert name or inner or type(widget).__name__ in ("QMenuBar", "QStackedWidget"), widget


def test_no_two_lines_of_a_menu_answer_to_the_same_letter(shared):
    for title, menu in shared.menus.items():
        texts = [action.text().replace("&&", "") for action in menu.actions() if action.isVisible()]
        letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(letters) == len(set(letters)), (title, texts)


def test_the_keyboard_reaches_every_field(window):
    window.activateWindow()
    window.data.column.setFocus()
    seen = set()
    for _ in range(80):
        widget = QApplication.focusWidget()
        seen.add(widget)
        window.focusNextChild()
    fields = [
        window.data.lower_box,
        window.privacy.epsilon,
        window.privacy.delta,
        window.release.query,
        window.release.run,
    ]
    for field in [*fields, window.median.card.tabs, window.median.strip.canvas, window.navigation.pages]:
        assert field in seen, field.accessibleName()


def test_all_pages_can_be_opened(shared):
    pages = shared.navigation.pages
    items = [pages.item(row) for row in range(pages.count())]
    assert [item.text() for item in items][3:] == ["1-cluster", "Histogram", "Compare", "Lessons"]
    assert all(item.flags() & Qt.ItemFlag.ItemIsEnabled for item in items)
    assert not any("not yet" in item.toolTip() for item in items)


def test_settings_are_kept(window_on, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on([1.0, 2.0, 3.0], settings=settings)
    window.set_theme("dark")
    window.close()
    again = window_on([1.0, 2.0, 3.0], settings=settings)
    assert again.actions_by_name["dark"].isChecked()


def test_a_closed_window_is_collected(qtbot, window_on):
    window = MainWindow(Session())
    window.show()
    assert window.wait_until_idle()
    for tab in ("epsilon", "path", "noise", "distribution"):
        window.median.show_tab(tab)
        assert window.wait_until_idle()
    window.privacy.epsilon.type_in("2")
    window.session.move_point(0, 5.0)
    window.run()
    assert window.wait_until_idle()
    gone = [weakref.ref(thing) for thing in (window, window.median, window.session)]
    window.close()
    window.deleteLater()
    del window
    QApplication.sendPostedEvents(None, 52)
    QApplication.processEvents()
    gc.collect()
    assert [reference() for reference in gone] == [None, None, None]

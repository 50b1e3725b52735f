"""The window: its views, its looks, its menus and its end."""

import gc
import re
import weakref

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QWidget
from seen import words
from shiboken6 import isValid

from app.model.selection import selection
from app.session import Session
from app.window.main_window import MainWindow
from engine.mechanisms import SmoothRelease

pytestmark = pytest.mark.usefixtures("roughly_drawn")

TRUE_VALUE = "31.25"
CLAMPED = re.compile(r", clamped( to the range of results|\.)")
"""What is public about a release; how many records are clamped is private."""


def test_a_first_window_shows_an_example_with_its_curves(first_window):
    window = first_window
    assert "salaries" in window.windowTitle()
    assert window.body.pages["median"].canvas.picture.result.n == 10_001
    assert window.body.column.release.run.isEnabled()
    assert not window.body.messages.texts()


def test_no_scrollbars_and_no_clipped_words_at_1280_by_800(first_window):
    window = first_window
    assert (window.width(), window.height()) == (1280, 800)
    assert not window.body.column.verticalScrollBar().isVisible()
    run = window.body.column.release.run
    assert run.width() >= run.sizeHint().width()
    assert run.height() >= run.sizeHint().height()
    for box in window.body.column.findChildren(QComboBox):
        if box.isVisible():
            room = box.width() - 34
            assert box.fontMetrics().horizontalAdvance(box.currentText()) <= room, box.accessibleName()
    for key in ("curator", "release"):
        button = window.body.navigation.view.button(key)
        assert button.width() >= button.sizeHint().width()


def test_the_release_view_shows_nothing_private(shared):
    # so that no release, which is drawn from the system's entropy, can look like what is looked for
    shared.body.column.data.form.row("resolution").box.type_in("10")
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    for tab in ("epsilon", "path", "noise", "distribution", "k"):
        shared.body.pages["median"].show_tab(tab)
        assert shared.wait_until_idle()
    assert TRUE_VALUE in words(shared)
    assert "Typical error" in words(shared)
    canvas = shared.body.pages["median"].canvas
    shared.actions_by_name["release"].trigger()
    assert canvas.result is None  # forgotten, not covered
    assert shared.wait_until_idle()
    seen = words(shared)
    shared.session.show_page("median")
    assert shared.wait_until_idle()
    seen += words(shared)
    smooth = SmoothRelease().prepare(
        shared.session.databases.get(selection(shared.session.state).source),
        selection(shared.session.state).privacy,
    )
    for secret in (TRUE_VALUE, "Typical error", "clamped", "local", "smooth S", "Confidential: "):
        assert secret not in CLAMPED.sub("", seen), secret
    assert f"{smooth.diagnostics['smooth']:.3g}" not in seen
    assert not shared.body.pages["median"].strip.isVisible()
    assert shared.body.pages["median"].canvas.accessibleDescription() is not None
    assert not shared.body.pages["median"].canvas.private
    shared.actions_by_name["curator"].trigger()
    assert shared.wait_until_idle()
    assert TRUE_VALUE in words(shared)


def test_the_release_view_exports_nothing_private(shared, tmp_path):
    shared.session.show_view("release")
    assert shared.wait_until_idle()
    shared.controllers.exports.figures.write(shared.body.pages["median"].canvas, tmp_path / "figure.svg")
    shared.controllers.exports.figures.write(shared.body.pages["median"].canvas, tmp_path / "numbers.csv")
    assert shared.wait_until_idle()
    for name in ("figure.svg", "numbers.csv"):
        # places of lines in the picture have more digits
        assert not re.search(
            rf"(?<![\d.]){re.escape(TRUE_VALUE)}(?!\d)", (tmp_path / name).read_text("utf-8")
        )


def test_clamped_records_are_counted_in_curator_view_only(shared):
    shared.body.column.data.form.box("upper").type_in("50")
    assert shared.wait_until_idle()
    assert "clamped" in shared.body.column.data.facts.text()
    assert shared.body.column.data.badge.isVisible()
    shared.session.show_view("release")
    assert "clamped" not in shared.body.column.data.facts.text()
    assert "n = 101" in shared.body.column.data.facts.text()


def test_a_crash_of_a_job_is_a_message_and_the_window_lives(window, monkeypatch):
    def crash(*_, **__):
        raise ZeroDivisionError("broken")

    monkeypatch.setattr("engine.analysis.sensitivity.sensitivity_profile", crash)
    window.body.column.privacy.epsilon.type_in("2")
    assert window.wait_until_idle()
    [message] = window.body.messages.messages()
    assert "ZeroDivisionError: broken" in message.text
    assert "Traceback" in message.details
    monkeypatch.undo()
    window.handlers.cancel()
    assert not window.body.messages.texts()
    window.body.column.privacy.epsilon.type_in("3")
    assert window.wait_until_idle()
    assert not window.body.messages.texts()


def test_themes_change_every_part(window):
    for theme in ("dark", "light"):
        window.actions_by_name[theme].trigger()
        assert window.wait_until_idle()
        assert window.body.pages["median"].canvas.picture.palette.name == theme
        assert window.body.pages["median"].strip.canvas.picture.palette.name == theme
        assert window.body.pages["median"].canvas.picture.result is not None
        corner = window.grab().toImage().pixelColor(2, 2).lightness()
        assert (corner < 128) == (theme == "dark")


def test_presentation_mode_folds_the_column_and_enlarges_type(window):
    size = window.body.column.data.fontInfo().pixelSize()
    window.actions_by_name["presentation"].trigger()
    assert window.wait_until_idle()
    assert not window.body.column.isVisible()
    assert window.body.navigation.fontInfo().pixelSize() >= round(1.4 * size)
    window.actions_by_name["presentation"].trigger()
    assert window.body.column.isVisible()


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
    window.body.column.data.form.box("column").setFocus()
    seen = set()
    for _ in range(80):
        widget = QApplication.focusWidget()
        seen.add(widget)
        window.focusNextChild()
    fields = [
        window.body.column.data.form.box("lower"),
        window.body.column.privacy.epsilon,
        window.body.column.privacy.delta,
        window.body.column.release.form.chooser("query").box,
        window.body.column.release.run,
    ]
    for field in [
        *fields,
        window.body.pages["median"].card.tabs,
        window.body.pages["median"].strip.canvas,
        window.body.navigation.pages,
    ]:
        assert field in seen, field.accessibleName()


def test_all_pages_can_be_opened(shared):
    pages = shared.body.navigation.pages
    items = [pages.item(row) for row in range(pages.count())]
    assert [item.text() for item in items][:2] == ["Data", "Questions"]
    assert [item.text() for item in items][5:] == ["1-cluster", "Histogram", "Compare", "Lessons", "Released"]
    assert all(item.flags() & Qt.ItemFlag.ItemIsEnabled for item in items)


def test_a_closed_window_is_collected(qtbot):
    window = MainWindow(Session())
    window.show()
    assert window.wait_until_idle()
    for tab in ("epsilon", "path", "noise", "distribution"):
        window.body.pages["median"].show_tab(tab)
        assert window.wait_until_idle()
    window.body.column.privacy.epsilon.type_in("2")
    window.session.move_point(0, 5.0)
    window.controllers.run.start()
    assert window.wait_until_idle()
    gone = [weakref.ref(thing) for thing in (window, window.body.pages["median"], window.session)]
    window.close()
    window.deleteLater()
    del window
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    gc.collect()
    assert [reference() for reference in gone] == [None, None, None]


def test_a_window_that_is_deleted_without_being_closed_ends_whole(session, qtbot):
    window = MainWindow(session)
    window.show()
    assert window.wait_until_idle()
    field = window.body.column.privacy.epsilon
    window.activateWindow()
    field.lineEdit().setFocus()
    field.lineEdit().selectAll()
    qtbot.keyClicks(field.lineEdit(), "2.5")
    window.deleteLater()
    # a slot that ran in half a window would fail the test
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    assert not isValid(window)
    assert session.state.epsilon == 2.5


def test_an_own_file_begins_at_the_usual_epsilon_and_keeps_one_that_was_chosen(first_window, dataset):
    window, session = first_window, first_window.session
    data = dataset("people.csv", age=list(range(20, 60)))
    fields = {"column": "age", "lower": 0.0, "upper": 120.0, "bounds_source": "known", "missing": "refuse"}

    def own_file():
        window.controllers.data.open_fields(data, fields)
        assert window.wait_until_idle()
        assert session.state.dataset is data

    assert session.state.epsilon == 2.0  # of the example that a first start shows
    own_file()
    assert session.state.epsilon == 1.0
    session.stacks.undo()
    assert (session.state.dataset.example, session.state.epsilon) == ("salaries", 2.0)
    session.edit("change epsilon", epsilon=3.0)
    session.edit("change epsilon", epsilon=2.0)
    own_file()
    assert session.state.epsilon == 2.0

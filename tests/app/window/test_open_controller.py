"""Opening files in the window: what is asked, what is said when a file is wrong, what survives."""

import math
import os

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from tables import ask_on, declare, open_table

from app.panels.reading_preview import ReadingPreviewDialog

pytestmark = pytest.mark.usefixtures("undrawn")

GOOD = "name,age,income\n" + "".join(f"p{i},{20 + i},{1000 * i}\n" for i in range(1, 41))


def opened(window, path):
    """Open a file as the dialog does; return the dialog about its reading if it comes."""
    window.controllers.data.open_file(str(path))
    assert window.wait_until_idle()
    dialogs = [dialog for dialog in window.findChildren(ReadingPreviewDialog) if dialog.isVisible()]
    return dialogs[0] if dialogs else None


def write(tmp_path, text, name="people.csv"):
    path = tmp_path / name
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text, "utf-8")
    return path


def asked_on_median(window, path, name="age", **facts):
    """Open a file as the table, declare a column, and open the page "Median" on it."""
    open_table(window, path)
    declare(window, name, **{"lower": 0.0, "upper": 120.0, **facts})
    ask_on(window, "median")


def test_a_file_is_opened_with_declared_bounds(window, tmp_path):
    asked_on_median(window, write(tmp_path, GOOD))
    state = window.session.state
    assert (state.dataset.title, state.data.column, state.data.lower, state.data.upper) == (
        "people.csv",
        "age",
        0.0,
        120.0,
    )
    assert window.body.pages["median"].canvas.picture.result.n == 40
    assert "people.csv" in window.windowTitle()
    window.session.undo_stack.undo()
    assert window.session.state.dataset.title == "data.csv"


def test_text_in_a_number_column_is_named_with_row_and_column(window, tmp_path):
    asked_on_median(window, write(tmp_path, GOOD.replace("22,", "twenty,", 1)), "income", upper=1e5)
    window.body.column.data.chosen.emit({"column": "age"})
    assert window.wait_until_idle()
    [message] = window.body.messages.texts()
    assert "row 3" in message
    assert "age" in message
    assert "twenty" in message
    assert window.session.state.data.column == "income"


def test_missing_values_are_left_out_and_counted(window, tmp_path):
    asked_on_median(window, write(tmp_path, GOOD.replace("p5,25", "p5,", 1)))
    assert "1 row left out" in window.body.column.data.facts.text()
    assert window.body.column.data.form.row("missing").isVisible()


def test_another_column_needs_its_own_bounds(window, tmp_path):
    asked_on_median(window, write(tmp_path, GOOD))
    window.body.column.data.chosen.emit({"column": "income"})
    assert window.wait_until_idle()
    assert window.session.state.data.column == "income"
    assert window.body.column.data.form.box("lower").value is None
    assert "declare the smallest" in window.body.column.data.form.row("upper").problem.lower()
    assert not window.body.column.release.run.isEnabled()
    assert "Declare the smallest" in window.body.pages["median"].card.waiting.text()
    window.body.column.data.chosen.emit({"column": "name"})
    assert window.wait_until_idle()
    assert "name" in window.body.messages.texts()[0]
    assert window.session.state.data.column == "income"
    assert window.body.column.data.form.box("column").currentData() == "income"


BAD_FILES = {
    "empty": b"",
    "header only": b"age,income\n",
    "binary rubbish": bytes(range(256)) * 40,
    "too many cells": b"a,b\n1,2\n3,4,5\n6,7\n",
}


def test_each_bad_file_has_a_message_of_its_own_and_loses_nothing(window, tmp_path):
    before = window.session.state
    places = {kind: write(tmp_path, content, "bad.csv") for kind, content in BAD_FILES.items()}
    said = {}
    for kind, path in {**places, "folder": tmp_path, "nowhere": tmp_path / "nowhere.csv"}.items():
        if kind in BAD_FILES:
            path.write_bytes(BAD_FILES[kind])
        assert opened(window, path) is None
        message = window.body.messages.messages()[0]
        assert path.name in message.text
        assert "\n" not in message.text
        assert "Traceback" not in message.text
        assert message.details
        said[kind] = message.text
    assert len(set(said.values())) == len(BAD_FILES) + 2
    assert "row 3" in said["too many cells"]
    assert window.session.state is before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_a_message(window, tmp_path):
    path = write(tmp_path, GOOD)
    path.chmod(0)
    opened(window, path)
    assert "ermission" in window.body.messages.texts()[0]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_values_that_are_no_numbers_are_named_with_their_row(window, tmp_path, value):
    assert not math.isfinite(float(value))
    missing = {"missing": "refuse"} if value == "nan" else {}
    asked_on_median(window, write(tmp_path, f"x\n1\n2\n{value}\n4\n"), "x", **missing)
    [message] = window.body.messages.texts()
    assert "row 4" in message
    assert window.session.state.dataset.title == "data.csv"


@pytest.mark.slow
def test_a_window_started_on_a_bad_file_shows_the_message_and_an_example(window_on, tmp_path):
    window = window_on(file=str(tmp_path / "nowhere.csv"))
    assert "nowhere.csv" in window.body.messages.texts()[0]
    assert "salaries" in window.windowTitle()


def test_files_can_be_dropped(window, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(write(tmp_path, GOOD)))])
    place, key = QPointF(400, 300), Qt.KeyboardModifier.NoModifier
    event = QDropEvent(place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, key)
    event.setAccepted(False)
    window.dragEnterEvent(event)
    assert event.isAccepted()
    window.dropEvent(event)
    assert window.wait_until_idle()
    assert window.session.state.table.title == "people.csv"
    assert window.session.state.workspace == "data"


def test_examples_open_with_the_bounds_on_their_card(window):
    from engine.data import EXAMPLES

    for name in ("penguins", "two-heaps", "one-to-ten", "evenly-spaced"):
        shown = window.body.pages["median"].canvas.picture.result
        window.controllers.data.open_example(name)
        assert window.wait_until_idle(), name
        card = EXAMPLES[name]
        assert (window.session.state.data.lower, window.session.state.data.upper) == (
            card.lower,
            card.upper,
        ), name
        assert window.body.pages["median"].canvas.picture.result is not None, name
        assert window.body.pages["median"].canvas.picture.result is not shown, name


def test_the_last_file_comes_back_with_its_bounds(window_on, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on([1.0, 2.0], settings=settings)
    asked_on_median(window, write(tmp_path, GOOD), source="looked")
    window.close()
    again = window_on(settings=settings)
    state = again.session.state
    assert (state.dataset.title, state.data.column, state.data.upper, state.data.bounds_source) == (
        "people.csv",
        "age",
        120.0,
        "looked",
    )
    again.close()
    (tmp_path / "people.csv").unlink()
    missing = window_on(settings=settings)
    assert "salaries" in missing.windowTitle()
    words = missing.body.messages.texts()[0]
    assert str(tmp_path / "people.csv") in words
    assert "no longer exists" in words


def test_the_release_view_opens_a_file_without_showing_its_cells(window, tmp_path):
    window.session.show_view("release")
    asked_on_median(window, write(tmp_path, GOOD.replace("22,", "twenty,", 1)), "income", upper=1e5)
    window.body.column.data.chosen.emit({"column": "age"})
    assert window.wait_until_idle()
    [message] = window.body.messages.texts()
    assert "twenty" not in message
    assert "age" in message

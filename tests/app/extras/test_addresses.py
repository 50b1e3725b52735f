"""The address of a database in a file is shown and confirmed first, whichever way the file is opened."""

import json
import sys

import pytest
from fake_odbc import ADDRESS, SHOWN, FakeOdbc, staff_database
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox
from scripts import python

from app.documents.last_session import last_session
from app.model import kept_data
from app.model.dataset import Dataset
from app.model.kept_data import read_dataset
from app.session import Session
from app.widgets.asking import ChoiceDialog
from app.window.open_controller import KEY
from engine.data.reading_options import ReadingOptions
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

WAIT_MILLISECONDS = 20_000


@pytest.fixture
def driver(monkeypatch, tmp_path):
    """Let a driver be there that connects to a database of five people."""
    made = FakeOdbc(staff_database(tmp_path))
    monkeypatch.setitem(sys.modules, "pyodbc", made)
    return made


@pytest.fixture
def innocent(tmp_path):
    """Return a text file that is an address."""
    path = tmp_path / "people.csv"
    path.write_text(ADDRESS, "utf-8")
    return path


def drop(window, path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, buttons, keys))


def paste(window, path):
    QGuiApplication.clipboard().setText(f"{path.read_text('utf-8')}\n\n")
    window.controllers.imports._save_pasted(QGuiApplication.clipboard().text(), str(path))


def recent(window, path):
    window.controllers.files.recent.add(path)
    window.controllers.files.open_path(path)


WAYS = {
    "open": lambda window, path: window.controllers.data.open_file(str(path)),
    "drop": drop,
    "paste": paste,
    "recent": recent,
    "as a window starts": lambda window, path: window.controllers.data.start_with(str(path)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_address_is_shown_and_not_followed(window, driver, innocent, way):
    before = window.session.state.dataset
    way(window, innocent)
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    dialog = window.findChildren(ChoiceDialog)[-1]
    assert dialog is not None
    assert SHOWN in [words.text() for words in dialog.sentences]
    assert "se;c" not in " ".join(words.text() for words in dialog.sentences)
    cancel = dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel)
    assert cancel.isDefault()
    assert not driver.connected
    cancel.click()
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    assert not driver.connected
    assert window.session.state.dataset is before
    assert "Not connected to the database in people.csv" in window.controllers.status.text()


def test_it_is_followed_once_that_is_said(window, driver, innocent):
    window.controllers.data.open_file(str(innocent), ReadingOptions(table="staff"))
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    window.findChildren(ChoiceDialog)[-1].answers["accept"].click()
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    assert window.session.state.table.table.n == 5
    assert set(driver.connected) == {ADDRESS}


def test_another_address_is_asked_about_again(window, driver, innocent):
    window.controllers.data.open_file(str(innocent), ReadingOptions(table="staff"))
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    innocent.write_text(ADDRESS.replace("db.", "evil."), "utf-8")
    window.findChildren(ChoiceDialog)[-1].answers["accept"].click()
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    dialog = window.findChildren(ChoiceDialog)[-1]
    assert SHOWN.replace("db.", "evil.") in [words.text() for words in dialog.sentences]
    assert not driver.connected
    dialog.reject()
    assert window.wait_until_idle(WAIT_MILLISECONDS)


def on_staff(path):
    """Return a session on the ages of five people, whose address was confirmed."""
    reading = ReadingOptions.of({"table": "staff"}, connect=True)
    dataset: Dataset = read_dataset(path, reading, silent)
    session = Session()
    session.open_dataset(
        dataset,
        "open",
        column="age",
        numbers=dataset.table.numbers("age"),
        missing="refuse",
        lower=0.0,
        upper=100.0,
        bounds_source="known",
    )
    return session


def test_a_script_says_that_it_connects(driver, innocent):
    text = "".join(python(on_staff(innocent).state).split()).replace("'", '"')
    assert 'table="staff",connect=True' in text


def saved(window_of, folder, innocent):
    window = window_of(on_staff(innocent))
    path = folder / "mine.sensiscope"
    window.controllers.session_files.write(path)
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    window.close()
    return path


@pytest.mark.slow
def test_a_session_file_asks_again(window_of, tmp_path, driver, innocent):
    path = saved(window_of, tmp_path, innocent)
    assert '"any"' not in path.read_text("utf-8")
    driver.connected.clear()
    kept_data._open.clear()  # as if another program opened it
    window = window_of(Session())
    before = window.session.state
    for answer in ("", "take"):
        window.controllers.files.open_path(path)
        assert window.wait_until_idle(WAIT_MILLISECONDS)
        dialog = window.controllers.session_files.loader.dialog
        assert SHOWN in [words.text() for words in dialog.sentences]
        assert not driver.connected
        dialog.answer(answer)
        assert window.wait_until_idle(WAIT_MILLISECONDS)
        if not answer:
            assert window.session.state is before
            assert not driver.connected
    assert window.session.state.dataset.table.n == 5
    assert set(driver.connected) == {ADDRESS}


@pytest.mark.slow
def test_what_a_window_ended_with_is_asked_about(window_on, tmp_path, driver, innocent):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("page", "median")
    session = on_staff(innocent)
    settings.setValue(KEY, last_session(session.state, ""))
    assert json.loads(settings.value(KEY))
    del session
    driver.connected.clear()
    window = window_on(settings=settings)
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    assert not driver.connected
    dialog = window.findChildren(ChoiceDialog)[-1]
    assert SHOWN in [words.text() for words in dialog.sentences]
    dialog.reject()
    assert window.wait_until_idle(WAIT_MILLISECONDS)
    assert not driver.connected
    assert window.session.state.dataset.example == "salaries"

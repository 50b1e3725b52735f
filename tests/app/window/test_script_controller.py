"""Copy as Python, Save as Python script, Save as notebook: through the real window."""

import dataclasses
import json

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from scripts import found

from app.model.kept_data import read_file
from app.pages.compare.request import Alternatives, request_of
from engine.data.reading_options import DETECTED
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def opened(window_on, tmp_path):
    """Return a window on a file, which a script can read again."""
    window = window_on(list(range(101)))
    path = tmp_path / "ages.csv"
    path.write_text("age\n" + "\n".join(map(str, np.linspace(0, 100, 101))), encoding="utf-8")
    fields = {"column": "age", "missing": "refuse", "lower": 0.0, "upper": 120.0, "bounds_source": "known"}
    window.controllers.data.open_fields(read_file("median", path, DETECTED, silent).dataset, fields)
    assert window.wait_until_idle()
    return window


def copied(window):
    window.actions_by_name["copy_python"].trigger()
    assert window.wait_until_idle()
    return QGuiApplication.clipboard().text()


def written(window, qtbot, path):
    with qtbot.waitSignal(window.controllers.exports.scripts.written):
        window.controllers.exports.scripts.write(path)
    return path.read_text(encoding="utf-8")


def test_what_is_copied_finds_what_the_page_shows(opened, qtbot, tmp_path):
    window, actions = opened, opened.actions_by_name
    assert actions["copy_python"].shortcut().toString() == "Ctrl+Shift+P"
    assert actions["save_notebook"].shortcut().toString() == "Ctrl+Shift+N"
    assert all(actions[name].toolTip() for name in ("copy_python", "save_python", "save_notebook"))
    text = copied(window)
    assert window.controllers.status.text() == "On the clipboard: Python script with confidential numbers"
    shown = window.body.pages["median"].canvas.picture.result
    names = found(text)
    assert names["shown"].smooth == shown.smooth
    assert names["shown"].at_distance.tolist() == shown.at_distance.tolist()
    notebook = json.loads(written(window, qtbot, tmp_path / "page.ipynb"))
    assert notebook["nbformat"] == 4
    assert (
        window.controllers.status.text()
        == f"Saved {tmp_path / 'page.ipynb'}; running it prints confidential numbers"
    )
    assert written(window, qtbot, tmp_path / "page.py") == text
    window.controllers.exports.scripts.write(tmp_path / "page.txt")
    assert window.wait_until_idle()
    assert "must end in .py or .ipynb" in window.body.messages.messages()[-1].text
    actions["save_python"].trigger()
    assert window.controllers.exports.scripts.dialog.selectedFiles()[0].endswith("median-confidential.py")
    assert window.controllers.exports.scripts.dialog.defaultSuffix() == "py"
    window.controllers.run.start()
    assert window.wait_until_idle()
    (record,) = window.session.state.releases
    window.session.add_release(dataclasses.replace(record, dataset="account of other data"))
    names = found(copied(window))
    assert [one["value"] for one in names["releases"]] == [record.release.value]
    # an open dialog is closed with the view
    window.session.show_view("release")
    assert window.controllers.exports.scripts.dialog is None
    assert window.wait_until_idle()
    public = copied(window)
    assert window.controllers.status.text() == "On the clipboard: Python script with public numbers only"
    assert "(private)" not in public
    assert "data" not in found(public)
    actions["save_notebook"].trigger()
    assert window.controllers.exports.scripts.dialog.selectedFiles()[0].endswith("median.ipynb")
    assert window.controllers.exports.scripts.dialog.defaultSuffix() == "ipynb"
    window.controllers.exports.scripts.close()


@pytest.mark.slow
def test_a_room_and_a_page_that_makes_no_sense(window):
    window.session.show_page("compare")
    assert window.wait_until_idle()
    asked = window.controllers.exports.scripts.request
    compared = request_of(asked.state, Alternatives())
    assert compared.mechanisms == window.body.pages["compare"].request.mechanisms
    assert "shown = compare(" in copied(window)
    window.session.show_page("median")
    window.session.edit("no bound", upper=None)
    assert window.wait_until_idle()
    before = QGuiApplication.clipboard().text()
    assert copied(window) == before
    assert "declare the largest possible value" in window.body.messages.messages()[-1].text


def test_a_picture_that_cannot_be_written_is_said_where_it_is_asked_for(
    window_on, monkeypatch, qtbot, tmp_path
):
    window = window_on(list(range(101)))
    state = window.body.pages["median"].view_state
    monkeypatch.setattr(
        type(window.body.pages["median"]), "view_state", dataclasses.replace(state, tab="planted")
    )
    text = copied(window)
    said = "; the open picture cannot be written as a script and is not in it"
    assert (
        window.controllers.status.text() == f"On the clipboard: Python script with confidential numbers{said}"
    )
    assert "cannot be written as a script" in text
    written(window, qtbot, tmp_path / "page.py")
    assert window.controllers.status.text().endswith(f"; running it prints confidential numbers{said}")

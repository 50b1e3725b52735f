"""A file whose first row could be a record: one click says which it is, and everything later knows."""

import json

import pytest
from PySide6.QtCore import Qt
from tables import ask_on, declare

from app.export.script.scripts import _table
from app.model.kept_data import read_dataset
from app.panels.reading_preview import Preview, ReadingPreviewDialog
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.errors import NamesInDoubt
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

IRIS = "5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2,Iris-setosa\n4.7,3.2,1.3,0.2,Iris-setosa\n"
YEARS = "Country,1960,1961\nAruba,1.5,2.5\nBhutan,2.5,3.5\n"


def shown(window):
    assert window.wait_until_idle()
    return next((one for one in window.findChildren(ReadingPreviewDialog) if one.isVisible()), None)


def opened(window, path, content):
    path.write_text(content)
    window.controllers.data.open_file(path)
    return shown(window)


def table(window):
    assert shown(window) is None
    return window.session.state.table


def names(dataset):
    return [column.name for column in dataset.table.columns]


def ask(window, column):
    declare(window, column, lower=0, upper=10)
    ask_on(window, "median")


def test_a_record_is_kept_by_one_click(window, tmp_path):
    dialog = opened(window, tmp_path / "iris.data", IRIS)
    assert not dialog.open_button.isEnabled()
    assert dialog.likely_button is dialog.record_button
    dialog.record_button.click()
    dataset = table(window)
    assert dataset.doubt is None
    assert dataset.reading == ReadingOptions(header="0")
    assert dataset.table.n == 3
    assert names(dataset) == [f"column {number}" for number in range(1, 6)]


def test_years_are_names_by_one_click(window, tmp_path):
    dialog = opened(window, tmp_path / "years.csv", YEARS)
    assert dialog.likely_button is dialog.names_button
    dialog.names_button.click()
    dataset = table(window)
    assert (names(dataset), dataset.table.n) == (["Country", "1960", "1961"], 2)


def test_names_below_notes_by_one_click(window, tmp_path):
    text = "Export of 2024,,\nSite: A,Unit: kg,\nid,mass,flag\n1,2.5,a\n2,3.5,b\n"
    dialog = opened(window, tmp_path / "notes.csv", text)
    header = dialog.findChildren(Preview)[1].model()
    assert [header.headerData(section, Qt.Orientation.Horizontal) for section in range(3)] == [
        "id",
        "mass",
        "flag",
    ]
    assert header.headerData(0, Qt.Orientation.Vertical) == 4
    assert dialog.likely_button is dialog.names_button
    dialog.names_button.click()
    dataset = table(window)
    assert (names(dataset), dataset.table.n) == (["id", "mass", "flag"], 2)


def test_no_cell_is_shown_in_release_view(window, tmp_path):
    window.session.show_view("release")
    dialog = opened(window, tmp_path / "iris.data", IRIS)
    assert dialog.findChildren(Preview) == []
    dialog.record_button.click()
    assert table(window).table.n == 3


def test_the_answer_stays_with_session_and_script(window, tmp_path):
    opened(window, tmp_path / "iris.data", IRIS).record_button.click()
    assert table(window) is not None
    ask(window, "column 1")
    assert shown(window) is None
    assert sorted(window.session.state.data.numbers.values.tolist()) == [4.7, 4.9, 5.1]
    target = tmp_path / "work.sensiscope"
    window.controllers.session_files.write(target)
    assert window.wait_until_idle()
    window.controllers.session_files.path = window.controllers.session_files._saved = None
    assert json.loads(target.read_text())["pages"]["median"]["data"]["reading"] == {"header": "0"}
    assert 'header="0"' in _table(window.session.state)


@pytest.mark.parametrize(("answer", "n"), [("names", 2), ("", 101)])
def test_a_session_from_before_the_question_asks_it(window, tmp_path, answer, n):
    opened(window, tmp_path / "iris.data", IRIS).names_button.click()
    assert table(window) is not None
    ask(window, "5.1")
    files = window.controllers.session_files
    assert shown(window) is None
    files.write(tmp_path / "now.sensiscope")
    assert window.wait_until_idle()
    files.path = files._saved = None
    plain = json.loads((tmp_path / "now.sensiscope").read_text())
    del plain["pages"]["median"]["data"]["reading"]
    del plain["table"], plain["declarations"]
    (tmp_path / "before.sensiscope").write_text(json.dumps(plain))
    window.session.undo_stack.undo()
    files.loader.open(tmp_path / "before.sensiscope")
    assert window.wait_until_idle()
    (words,) = files.loader.dialog.sentences
    assert words.text().startswith(f"Row 1 of {tmp_path / 'iris.data'} looks like the rows below it")
    files.loader.dialog.answer(answer)
    assert window.wait_until_idle()
    state = window.session.state
    assert state.data.n == n
    assert state.dataset.reading == ReadingOptions(header="1" if answer else "")
    files.path = files._saved = None


def test_nothing_is_read_without_an_answer(window, tmp_path):
    (tmp_path / "iris.data").write_text(IRIS)
    with pytest.raises(NamesInDoubt, match="row 1: it could hold the names"):
        read_dataset(tmp_path / "iris.data", DETECTED, silent)
    # nor is it once the file is open, and its row is asked about
    dialog = opened(window, tmp_path / "iris.data", IRIS)
    with pytest.raises(NamesInDoubt):
        read_dataset(dialog.dataset.path, DETECTED, silent)

"""Awkward files in the window: what was detected is shown, can be changed, and travels with the data."""

from pathlib import Path

import pytest
from awkward_files import FILES
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from tables import ask_on, declare

from app.panels.reading_form import ReadingDialog
from app.panels.reading_preview import ReadingPreviewDialog
from app.widgets.dialogs import SaveDialog
from engine.data.reading_options import ReadingOptions

pytestmark = pytest.mark.usefixtures("undrawn")

BY_NAME = {file.name: file for file in FILES}
DATED = "born;pay\n31.12.1999;1.807,95\n1.1.1970;12,5\n"


def shown(window, kind):
    assert window.wait_until_idle()
    return next((one for one in window.findChildren(kind) if one.isVisible()), None)


def opened(window, folder, name, content):
    (folder / name).write_bytes(content)
    window.controllers.data.open_table(folder / name)
    return how_read(window)


def how_read(window):
    """Return the dialog about the reading of the table; None while there is no table."""
    if (dialog := shown(window, ReadingPreviewDialog)) is None:
        window.controllers.data.ask_reading()
        dialog = shown(window, ReadingPreviewDialog)
    return dialog


def choose(box, value):
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_what_was_detected_is_shown_and_the_preview_follows_a_change(window, tmp_path):
    dialog = opened(window, tmp_path, "german.csv", BY_NAME["german.csv"].content)
    assert dialog.reading is None
    dialog.reading_button.click()
    boxes = {name: row.box for name, row in dialog.reading.rows.items()}
    assert boxes["delimiter"].currentText() == "detected: semicolon"
    assert boxes["decimal"].currentText() == "detected: comma"
    assert boxes["encoding"].currentText() == "detected: Western (Windows-1252)"
    assert boxes["header"].currentText() == "detected: 1"
    assert dialog.dataset.column("Gehalt").type == "number"
    dialog.reading_button.setFocus()
    dialog.focusNextChild()
    assert boxes["encoding"].hasFocus()
    choose(boxes["delimiter"], "\t")
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.reading == ReadingOptions(delimiter="\t")
    assert dialog.reading.isVisible()
    assert "single column" in dialog.dataset.table.format
    choose(dialog.reading.rows["delimiter"].box, "")
    assert shown(window, ReadingPreviewDialog).dataset.reading == ReadingOptions()


@pytest.mark.slow
def test_dates_become_days_and_come_back_by_undo_session_and_script(window, tmp_path):
    dialog = opened(window, tmp_path, "dated.csv", DATED.encode())
    dialog.reading_button.click()
    types = dialog.reading.rows["types"]
    types.box.setCurrentText("born")
    choose(types.editors[1], "days")
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.column("born").type == "number"
    dialog.open_button.click()
    declare(window, "born", lower=0, upper=20000)
    ask_on(window, "median")
    state = window.session.state
    assert sorted(state.data.numbers.values.tolist()) == [0.0, 10956.0]
    assert state.dataset.reading == ReadingOptions(types=(("born", "days"),))
    window.session.undo_stack.undo()
    window.session.undo_stack.redo()
    assert window.wait_until_idle()
    assert window.session.state.dataset.reading == ReadingOptions(types=(("born", "days"),))


def test_a_file_that_cannot_be_read_offers_to_say_how(window, tmp_path):
    assert opened(window, tmp_path, "notes.csv", b"all,of,us\nname,town\nAnn,Rome\n") is None
    (message,) = window.body.messages.messages()
    assert "state the row of the header if it is another one" in message.text
    message.take_offer()
    dialog = shown(window, ReadingDialog)
    choose(dialog.form.rows["header"].box, "2")
    dialog.open_button.click()
    assert shown(window, ReadingPreviewDialog) is None
    assert [column.name for column in window.session.state.table.table.columns] == ["name", "town"]


def test_blanks_and_names_that_the_file_lacks_are_shown(window, tmp_path):
    dialog = opened(window, tmp_path, "r.txt", b'"x" "x"\n"a b" 1.5 2\n"c" 2.5 3\n')
    assert [column.name for column in dialog.dataset.table.columns] == ["column 1", "x", "x 2"]
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert any(
        text.startswith("Columns without a name are called “column 1”; columns with") for text in texts
    )
    dialog.reading_button.click()
    box = dialog.reading.rows["delimiter"].box
    assert box.currentText() == "detected: runs of blanks"
    choose(box, "fixed")
    assert "fixed width" in shown(window, ReadingPreviewDialog).dataset.table.format
    shown(window, ReadingPreviewDialog).reading.rows["delimiter"].box.setEditText("fixed 6,4,2")
    shown(window, ReadingPreviewDialog).reading.rows["delimiter"].box.lineEdit().editingFinished.emit()
    assert shown(window, ReadingPreviewDialog).dataset.reading == ReadingOptions(delimiter="fixed 6,4,2")


def test_names_in_two_rows_are_joined(window, tmp_path):
    content = b",2020,\nplace,men,women\nA,1,2\nB,3,4\n"
    (tmp_path / "two.csv").write_bytes(content)
    window.controllers.data.open_file(tmp_path / "two.csv", ReadingOptions(header="1-2"))
    dialog = how_read(window)
    assert [column.name for column in dialog.dataset.table.columns] == ["place", "2020 men", "2020 women"]


def test_the_files_of_an_archive_are_offered(window, tmp_path):
    file = BY_NAME["two.zip"]
    assert opened(window, tmp_path, file.name, file.content) is None
    (message,) = window.body.messages.messages()
    message.take_offer()
    dialog = shown(window, ReadingDialog)
    choose(dialog.form.rows["table"].box, "people.csv")
    dialog.open_button.click()
    assert shown(window, ReadingPreviewDialog) is None
    assert window.session.state.table.column("pay").type == "number"


def test_what_makes_no_sense_is_said_beside_its_field(window, tmp_path):
    dialog = opened(window, tmp_path, "a.csv", b"a,b\n1,2\n")
    dialog.reading_button.click()
    header = dialog.reading.rows["header"].box
    header.setEditText("first")
    header.lineEdit().editingFinished.emit()
    assert "is no row" in dialog.reading.rows["header"].problem
    assert shown(window, ReadingPreviewDialog) is dialog


def test_what_was_copied_is_saved_and_opened(window, tmp_path):
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("one line")
    window.controllers.imports.paste()
    assert "clipboard holds no table" in window.controllers.status.text()
    clipboard.setText("name\tpay\nAnn\t$1,500\nBo\t2,5\n")
    window.controllers.imports.paste()
    dialog = shown(window, SaveDialog)
    dialog.fileSelected.emit(str(tmp_path / "pasted.tsv"))
    dialog.close()
    assert shown(window, ReadingPreviewDialog) is None
    assert window.session.state.table.path == tmp_path / "pasted.tsv"


def test_points_that_could_be_two_things_are_asked_about_in_one_line(window, tmp_path):
    dialog = opened(window, tmp_path, "paid.csv", b"id;pay\n1;1.234\n2;5.678\n")
    assert dialog.doubt.text().startswith("pay has two readings")
    dialog.doubt.linkActivated.emit(",")
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.table.numbers("pay").values.tolist() == [1234.0, 5678.0]
    assert not dialog.doubt.text()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b'id,pay\n1,"1,234"\n2,"5,678"\n', "Now 1.234 is just above 1"),
        ("a.csv", b"id;pay\n1;1,234\n2;5,678\n", "Now 1,234 is just above 1"),
        ("a.tsv", b"id\tpay\n1\t1,234\n2\t5,678\n", "Now it is text"),
    ],
)
def test_commas_that_could_be_two_things_are_asked_about_in_one_line(window, tmp_path, name, content, said):
    dialog = opened(window, tmp_path, name, content)
    assert dialog.doubt.text().startswith(f"pay has two readings. {said}")
    for sign, values in ((".", [1234, 5678]), (",", [1.234, 5.678])):
        dialog.doubt.linkActivated.emit(sign)
        dialog = shown(window, ReadingPreviewDialog)
        assert dialog.dataset.table.numbers("pay").values.tolist() == values
        assert not dialog.doubt.text()


def missing_fields(dialog):
    row = dialog.reading.rows["missing_values"]
    return row.editors


def state_missing(dialog, column, text):
    """Type a list of missing values of a column, or of all."""
    box, line = missing_fields(dialog)
    box.setCurrentIndex(box.findData(column))
    box.activated.emit(box.currentIndex())
    line.setText(text)
    line.editingFinished.emit()


def test_missing_values_are_stated_for_all_columns_and_for_one(window, tmp_path):
    content = b"country,pay\nNA,1\nDE,-999\n?,3\n"
    dialog = opened(window, tmp_path, "a.csv", content)
    dialog.reading_button.click()
    state_missing(dialog, "", "-999,?")
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.table.data.to_pydict() == {"country": ["NA", "DE", None], "pay": [1, None, 3]}
    assert dialog.asks_reading
    box, line = missing_fields(dialog)
    assert (box.currentText(), line.text()) == ("all", "-999,?")
    state_missing(dialog, "country", '""')
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.table.data["country"].to_pylist() == ["NA", "DE", "?"]
    assert dialog.dataset.reading == ReadingOptions(missing_values='-999,?;country=""')
    state_missing(dialog, "pay", "1;2")
    assert "separate" in dialog.reading.rows["missing_values"].problem
    assert shown(window, ReadingPreviewDialog) is dialog
    state_missing(dialog, "pay", "")
    state_missing(dialog, "", "")
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.reading == ReadingOptions(missing_values='country=""')
    box, line = missing_fields(dialog)
    assert (box.currentText(), line.text()) == ("country", '""')
    assert dialog.dataset.table.data["pay"].to_pylist() == [1, -999, 3]


FOREIGN = Path(__file__).parents[2] / "engine" / "data" / "foreign"


@pytest.mark.parametrize(
    ("name", "column", "type_name", "shown_options"),
    [
        ("scale.sav", "sat", "number", {"decimal", "thousands"}),
        ("times.xlsx", "dur", "hours", set()),
        ("texts.sqlite", "d", "days", {"dates"}),
    ],
)
def test_a_type_is_chosen_in_the_dialog(window, tmp_path, name, column, type_name, shown_options):
    dialog = opened(window, tmp_path, name, (FOREIGN / name).read_bytes())
    if not dialog.reading_button.isChecked():
        dialog.reading_button.click()
    types = dialog.reading.rows["types"]
    types.box.setCurrentText(column)
    choose(types.editors[1], type_name)
    dialog = shown(window, ReadingPreviewDialog)
    assert dialog.dataset.column(column).type == "number"
    of_types = ("dates", "decimal", "thousands") if name != "times.xlsx" else ("dates",)
    visible = {option for option in of_types if dialog.reading.rows[option].isVisibleTo(dialog.reading)}
    assert visible == shown_options

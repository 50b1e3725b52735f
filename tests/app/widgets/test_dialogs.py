"""Dialogs about files: they begin where the last one ended, and name what is saved."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget

from app.model.theme import LIGHT
from app.panels.report_dialog import ReportDialog
from app.widgets.asking import AskDialog
from app.widgets.card import caption
from app.widgets.dialogs import SaveDialog, open_dialog
from app.widgets.plot_table import TableDialog
from app.widgets.style import style_sheet


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize("answered", [False, True])
def test_a_dialog_may_be_closed_while_it_asks_whether_to_replace(parent, tmp_path, qtbot, answered):
    file = tmp_path / "page.py"
    file.write_text("before")
    chosen, gone = [], []
    dialog = SaveDialog(parent, "Save", file, "Python script (*.py)")
    dialog.fileSelected.connect(chosen.append)
    dialog.destroyed.connect(lambda: gone.append(True))
    dialog.open()

    def interrupt():
        question = QApplication.activeModalWidget()
        assert question.parent() is dialog
        if answered:
            QTest.keyClick(question, Qt.Key.Key_Y)
        else:
            dialog.close()

    QTimer.singleShot(100, interrupt)
    dialog.accept()  # ends when the question is answered, or its dialog closed
    qtbot.waitUntil(lambda: bool(gone))
    assert chosen == [str(file)] * answered


def test_files_are_saved_where_the_last_one_was_chosen(parent, tmp_path):
    open_dialog(parent, "Open", "CSV table (*.csv)", tmp_path)
    dialog = SaveDialog(parent, "Save", "median.png", "PNG image (*.png)")
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    assert dialog.defaultSuffix() == "png"
    assert [Path(file) for file in dialog.selectedFiles()] == [tmp_path / "median.png"]


def test_what_was_saved_before_is_saved_where_it_is(parent, tmp_path):
    (tmp_path / "kept").mkdir()
    open_dialog(parent, "Open", "CSV table (*.csv)", tmp_path)
    file = tmp_path / "kept" / "mine.sensiscope"
    dialog = SaveDialog(parent, "Save", file, "Sessions (*.sensiscope)")
    assert [Path(one) for one in dialog.selectedFiles()] == [file]


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_nothing_is_clipped_in_type_of_any_size(parent, scale):
    parent.resize(1280, 800)
    parent.setStyleSheet(style_sheet(LIGHT, scale))
    asked = AskDialog("Title", "This is about a file with quite a long name", "&Agree", parent)
    words = caption("What cannot be taken back is said in full, in as many lines as it needs. " * 3)
    asked.card.body.addWidget(words)
    asked.show()
    assert words.height() >= words.heightForWidth(words.width())
    words.setText(words.text() * 2)
    QApplication.processEvents()
    assert words.height() >= words.heightForWidth(words.width())
    pictures = [("Sensitivity when k records may change", True), ("Densities of all noise families", False)]
    report = ReportDialog("Median", pictures, True, parent)
    report.show()
    for note in (label for label in report.findChildren(QLabel, "caption") if label.wordWrap()):
        assert note.height() >= note.heightForWidth(note.width())
    for box, _ in report.pictures:
        assert box.width() >= box.sizeHint().width()
    table = TableDialog(parent, "Numbers", ["a rather long name ($)", "k"], [[123456.125, 1]] * 3)
    table.show()
    columns = table.view.horizontalHeader()
    assert columns.sectionSize(0) >= columns.fontMetrics().horizontalAdvance("a rather long name ($)")


def test_only_a_report_for_curators_ticks_what_is_not_private(parent):
    pictures = [("Sensitivity when k records may change", True), ("Densities of all noise families", False)]
    report = ReportDialog("Median", pictures, True, parent)
    (private, _), (public, _) = report.pictures
    assert (private.isChecked(), private.isEnabled(), public.isChecked()) == (False, False, True)
    assert report.options.pictures == (1,)
    report.views["curator"].setChecked(True)
    assert (private.isChecked(), private.isEnabled()) == (True, True)
    assert report.options.pictures == (0, 1)

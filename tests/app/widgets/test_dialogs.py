"""Dialogs about files: they begin where the last one ended, and name what is saved."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget

from app.widgets.dialogs import open_dialog, save_dialog


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_files_are_saved_where_the_last_one_was_chosen(parent, tmp_path):
    open_dialog(parent, "Open", "CSV table (*.csv)", tmp_path)
    dialog = save_dialog(parent, "Save", "median.png", "PNG image (*.png)")
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    assert dialog.defaultSuffix() == "png"
    assert [Path(file) for file in dialog.selectedFiles()] == [tmp_path / "median.png"]


def test_what_was_saved_before_is_saved_where_it_is(parent, tmp_path):
    (tmp_path / "kept").mkdir()
    open_dialog(parent, "Open", "CSV table (*.csv)", tmp_path)
    file = tmp_path / "kept" / "mine.sensiscope"
    dialog = save_dialog(parent, "Save", file, "Sessions (*.sensiscope)")
    assert [Path(one) for one in dialog.selectedFiles()] == [file]

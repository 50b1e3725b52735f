"""The table of what a picture shows."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from app.widgets.plot_table import TableModel


def test_letters_do_not_have_all_rows_looked_through(qtbot):
    view = QTableView()
    qtbot.addWidget(view)
    model = TableModel(["name"], [[name] for name in ("anna", "bea", "zoe")])
    view.setModel(model)
    view.setCurrentIndex(model.index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Z)
    assert view.currentIndex().row() == 0

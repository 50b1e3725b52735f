"""A box with a hundred thousand columns: it opens, finds by letters and shows a choice at once."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from app.widgets import column_finder
from app.widgets.column_finder import OfferedItems, offer, select

NAMES = [f"{letter}{place}" for letter in "ab" for place in range(50_000)]


@pytest.fixture
def asked(monkeypatch):
    """Return the items that Qt asks for."""
    rows = set()

    class Watched(OfferedItems):
        def data(self, index, role=0):
            rows.add(index.row())
            return super().data(index, role)

    monkeypatch.setattr(column_finder, "OfferedItems", Watched)
    return rows


@pytest.fixture
def box(qtbot, asked):
    made = QComboBox()
    qtbot.addWidget(made)
    offer(made, ((name, name, "") for name in NAMES))
    made.show()
    return made


def test_it_opens_without_asking_for_all(box, asked):
    box.showPopup()
    assert len(asked) <= 2 * column_finder.PORTION
    box.view().scrollToBottom()
    assert column_finder.PORTION < box.count() < 5 * column_finder.PORTION
    box.hidePopup()


def test_a_column_far_down_is_shown_and_found_by_its_letters(qtbot, box, asked):
    select(box, "b7")
    assert box.currentText() == box.currentData() == "b7"
    asked.clear()
    qtbot.keyClick(box, Qt.Key.Key_A)
    assert box.currentText() == "a0"
    qtbot.keyClicks(box, "49999")
    assert box.currentText() == "a49999"
    assert len(asked) < 100
    assert box.findData("b8") > box.currentIndex()


def test_all_of_a_few_are_known_at_once(qtbot):
    made = QComboBox()
    qtbot.addWidget(made)
    offer(made, [("one", 1, ""), ("two", 2, "the second")])
    assert made.count() == 2
    assert made.findText("two") == made.findData(2) == 1
    select(made, 3)
    assert made.currentIndex() == -1

"""Where least is drawn on a widget."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QLabel

from app.model.theme import PALETTES
from app.widgets.emptiest_rect import emptiest_rect

QUARTERS = [QRect(x, y, 200, 150) for x in (0, 200) for y in (0, 150)]


@pytest.fixture
def drawn(qtbot):
    """Return a maker of widgets that show dark squares on white."""

    def make(*squares):
        sheet = QPixmap(400, 300)
        sheet.fill(QColor("white"))
        widget = QLabel()
        qtbot.addWidget(widget)
        for square in squares:
            part = QLabel(widget)
            part.setGeometry(square)
            part.setStyleSheet("background: black")
        widget.setPixmap(sheet)
        widget.resize(400, 300)
        return widget

    return make


@pytest.mark.parametrize("free", QUARTERS)
def test_a_free_corner_is_found(drawn, free):
    widget = drawn(*(QRect(one.center() - QPoint(30, 30), QSize(60, 60)) for one in QUARTERS if one != free))
    size = QSize(150, 100)
    corner, little = emptiest_rect(widget, size, 8)
    place = QRect(corner, size)
    assert little
    assert place.intersects(free)
    assert not any(place.intersects(part.geometry()) for part in widget.findChildren(QLabel))


def test_a_pale_grid_is_hidden_rather_than_words(drawn):
    """Two thirds of the left are pale lines; on the right is a dark word of half their sum."""
    widget = drawn(QRect(250, 100, 100, 4))
    for row in range(0, 300, 3):
        line = QLabel(widget)
        line.setGeometry(0, row, 200, 2)
        line.setStyleSheet("background: #f8f8f8")
    corner, little = emptiest_rect(widget, QSize(160, 280), 8)
    assert corner.x() < 90
    assert little


def test_of_two_free_places_it_is_the_one_without_a_pale_line(drawn):
    widget = drawn()
    line = QLabel(widget)
    line.setGeometry(100, 0, 4, 300)
    line.setStyleSheet("background: #f8f8f8")
    size = QSize(150, 280)
    corner, little = emptiest_rect(widget, size, 8)
    assert little
    assert not QRect(corner, size).intersects(line.geometry())


@pytest.mark.parametrize("theme", PALETTES)
def test_the_number_at_a_tick_is_not_little_and_the_grid_is(drawn, theme):
    palette, widget = PALETTES[theme], drawn()
    sheet = QPixmap(400, 300)
    sheet.fill(QColor(palette.card))
    widget.setPixmap(sheet)
    for place in range(0, 400, 50):
        line = QLabel(widget)
        line.setGeometry(place, 0, 1, 300)
        line.setStyleSheet(f"background: {palette.grid}")
    assert emptiest_rect(widget, QSize(330, 130), 8)[1]
    number = QLabel("10 000", widget)
    number.setStyleSheet(f"color: {palette.muted}; font-size: 12px")
    number.move(150, 60)
    widget.resize(346, 146)  # no place beside it
    assert not emptiest_rect(widget, QSize(330, 130), 8)[1]


def test_on_an_empty_widget_it_is_the_upper_left_corner(drawn):
    assert emptiest_rect(drawn(), QSize(100, 100), 8) == (QPoint(8, 8), True)


def test_what_is_larger_than_the_widget_begins_at_its_edge(drawn):
    assert emptiest_rect(drawn(QUARTERS[0]), QSize(1000, 1000), 8) == (QPoint(8, 8), False)

"""A bar of pieces: as wide as their shares, read aloud, in both themes; boundaries can move."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.model.theme import DARK, LIGHT
from app.widgets.stacked_bar import GAP, MIN_SHARE, STEP, BarPiece, ShareBar, StackedBar

PIECES = (BarPiece("GoodRadius", 1.0, "ε 0.25"), BarPiece("GoodCenter (cell)", 3.0, "ε 0.75"))


@pytest.fixture
def bar(qtbot):
    made = StackedBar("Budget")
    qtbot.addWidget(made)
    made.resize(400, made.minimumSizeHint().height())
    made.show_pieces(PIECES)
    return made


def drawn(bar):
    image = QImage(bar.size(), QImage.Format.Format_RGB32)
    bar.render(image)
    return image


def test_pieces_are_as_wide_as_their_shares(bar):
    first, second = bar.places()
    assert (first.left(), first.width()) == (0, 100 - GAP)
    assert (second.left(), second.width()) == (100, 300 - GAP)


def test_everything_is_said_in_words(bar):
    assert bar.accessibleName() == "Budget"
    assert bar.accessibleDescription() == "GoodRadius: ε 0.25; GoodCenter (cell): ε 0.75"


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_it_takes_the_colours_of_a_theme(bar, palette):
    bar.set_palette(palette)
    image, middle = drawn(bar), bar.height() - 3
    assert image.pixelColor(50, middle).name().upper() == palette.tint(palette.accent, 0.16)


def test_words_get_another_line_where_a_piece_is_narrow(bar):
    bar.show_pieces([BarPiece("NoisyAVG", 1.0, "ε 0.1, δ 4.05×10⁻⁷"), *PIECES])
    low = bar.minimumSizeHint().height()
    bar.resize(4000, low)
    drawn(bar)
    assert bar.minimumSizeHint().height() < low
    bar.resize(400, low)
    drawn(bar)
    assert bar.minimumSizeHint().height() == low


def test_without_pieces_nothing_is_drawn(bar):
    bar.show_pieces([])
    assert bar.places() == []
    assert bar.accessibleDescription() == ""
    drawn(bar)


def test_pieces_too_narrow_for_words_are_drawn_all_the_same(bar):
    bar.show_pieces([BarPiece(str(i), 1.0, "ε") for i in range(120)])
    assert all(place.width() >= 1 for place in bar.places())
    drawn(bar)


@pytest.fixture
def shares(qtbot):
    made = ShareBar("Shares")
    qtbot.addWidget(made)
    made.resize(400, 40)
    made.show_pieces([BarPiece(name, 1.0, "") for name in "abcd"])
    made.heard = []
    made.moved.connect(lambda *what: made.heard.append(what))
    made.show()
    return made


def drag(bar, start, end):
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(start, 20))
    QTest.mouseMove(bar, QPoint(end, 20))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(end, 20))


def test_a_boundary_is_dragged_as_far_as_the_next_one(shares):
    drag(shares, 100, 140)
    assert shares.heard[-1] == (0, pytest.approx(0.35))
    drag(shares, 200, 399)
    assert shares.heard[-1] == (1, pytest.approx(0.5 - MIN_SHARE))
    shares.heard.clear()
    drag(shares, 150, 180)
    assert shares.heard == []


def test_locked_pieces_keep_their_boundaries(shares):
    shares.locked = frozenset({1})
    assert shares.boundaries == [2]
    drag(shares, 100, 140)
    assert shares.heard == []


def test_arrow_keys_choose_and_move_a_boundary(shares):
    QTest.keyClick(shares, Qt.Key.Key_Right)
    assert shares.heard[-1] == (0, pytest.approx(0.25 + STEP))
    QTest.keyClick(shares, Qt.Key.Key_Down)
    QTest.keyClick(shares, Qt.Key.Key_Left)
    assert shares.heard[-1] == (1, pytest.approx(0.25 - STEP))

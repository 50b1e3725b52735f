"""Titles of tabs stand closer before some go to a menu; where they stand does not depend on the open one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QMenu

from app.model.picture_spec import TabTitle
from app.model.theme import PALETTES
from app.widgets.card import Card
from app.widgets.style import palette_of, style_sheet
from app.widgets.tabs import TIGHT, Tabs

TITLES = {
    name: TabTitle(name, "Shows it", "For a reason") for name in ("First", "Second one", "Third", "Audit")
}


@pytest.fixture
def tabs(qtbot):
    tabs = Tabs("Pictures", TITLES)
    qtbot.addWidget(tabs)
    tabs.show()
    return tabs


def places(tabs, width):
    tabs.resize(width, 30)
    QApplication.processEvents()
    return [tabs.tabRect(index) for index in range(tabs.count())]


def in_sight(tabs):
    return [tabs.tabText(index) for index in range(tabs.count()) if tabs.isTabVisible(index)]


def test_titles_stand_closer_before_they_go_to_the_menu(tabs):
    loose = tabs.sizeHint().width()
    assert places(tabs, loose)[-1].right() < loose
    assert not tabs.property(TIGHT)
    assert not tabs.more.isVisible()
    least = tabs.least_width
    assert least < loose
    assert places(tabs, least)[-1].right() < least
    assert tabs.property(TIGHT)
    assert not tabs.more.isVisible()
    assert tabs.sizeHint().width() == loose  # so that they get the room again that there is
    places(tabs, least - 1)
    assert tabs.more.isVisible()
    assert not tabs.property(TIGHT)  # which would not do
    places(tabs, loose)
    assert not tabs.property(TIGHT)
    assert not tabs.more.isVisible()


def test_a_tab_that_is_not_offered_is_in_sight_while_it_is_open(tabs):
    tabs.show_only(("First", "Audit"))
    places(tabs, tabs.sizeHint().width() + 200)
    assert in_sight(tabs) == ["First", "Audit"]
    for key in ("Third", "Audit"):
        tabs.choose(key)
        assert tabs.key(tabs.currentIndex()) == key
    tabs.choose("Third")
    assert in_sight(tabs) == ["First", "Third", "Audit"]


def test_every_title_is_whole_in_sight_or_in_the_menu(tabs, qtbot):
    for width in range(tabs.minimumSizeHint().width(), tabs.least_width):
        found = places(tabs, width)
        assert max(rect.right() for rect in found) < tabs.more.geometry().left()
        assert tabs.more.geometry().right() <= width
        assert tabs.offered == tuple(TITLES)
        assert in_sight(tabs)[0] == "First"
    tabs.resize(tabs.minimumSizeHint().width(), 30)
    assert in_sight(tabs) == ["First"]
    assert tabs.more.accessibleName() == "3 more: Second one, Third, Audit"
    qtbot.mouseClick(tabs.more, Qt.MouseButton.LeftButton)
    menu = tabs.findChild(QMenu)
    assert [action.text() for action in menu.actions()] == ["Second one", "Third", "Audit"]
    menu.actions()[1].trigger()
    menu.close()
    assert tabs.key(tabs.currentIndex()) == "Third"
    assert in_sight(tabs) == ["Third"]
    assert tabs.tabRect(2).left() == 0  # Qt would have scrolled to where it was
    for _ in range(2):
        qtbot.keyClick(tabs, Qt.Key.Key_Left)
    assert in_sight(tabs) == ["First"]
    font = tabs.font()
    font.setPixelSize(font.pixelSize() // 2 if font.pixelSize() > 0 else 6)
    tabs.setFont(font)
    assert len(in_sight(tabs)) > 1
    tabs.choose("Audit")
    places(tabs, 4 * tabs.least_width)
    narrow = places(tabs, tabs.least_width - 1)
    assert narrow[0].left() == 0
    assert narrow[3].right() < tabs.more.geometry().left()


@pytest.mark.parametrize("theme", PALETTES)
def test_the_menu_of_a_card_covers_what_lies_below(qtbot, theme):
    card, tabs = Card(""), Tabs("Pictures", TITLES)
    qtbot.addWidget(card)
    card.put(tabs)
    card.setStyleSheet(style_sheet(palette_of(theme)))
    menu = QMenu(tabs)
    menu.addAction("Second one")
    shown = menu.grab().toImage()
    place = shown.rect().center()
    assert shown.pixelColor(place.x(), 4) == QColor(palette_of(theme).card)


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_no_tab_moves_when_another_one_is_opened(tabs, share):
    width = int(tabs.sizeHint().width() * share)
    before = places(tabs, width)
    tabs.choose("Third")
    assert places(tabs, width) == before


def test_a_tab_that_is_hidden_makes_room(tabs):
    width = int(tabs.sizeHint().width() * 0.9)
    places(tabs, width)
    tabs.show_only(("First", "Third", "Audit"))
    assert tabs.sizeHint().width() < width
    places(tabs, tabs.sizeHint().width())
    assert not tabs.property(TIGHT)

"""Titles of tabs stand closer before they scroll, and where they stand does not depend on the open one."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QToolButton

from app.model.picture_spec import TabTitle
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


def scrolls(tabs):
    return any(button.isVisible() for button in tabs.findChildren(QToolButton))


def test_titles_stand_closer_before_they_scroll(tabs):
    loose = tabs.sizeHint().width()
    assert places(tabs, loose)[-1].right() < loose
    assert not tabs.property(TIGHT)
    assert not scrolls(tabs)
    least = tabs.least_width
    assert least < loose
    assert places(tabs, least)[-1].right() < least
    assert tabs.property(TIGHT)
    assert not scrolls(tabs)
    assert tabs.sizeHint().width() == loose  # so that they get the room again that there is
    places(tabs, least - 1)
    assert scrolls(tabs)
    assert not tabs.property(TIGHT)  # which would not do
    places(tabs, loose)
    assert not tabs.property(TIGHT)


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

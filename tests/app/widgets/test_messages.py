"""Messages float, stack, and go away."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.widgets.messages import MAX_MESSAGES, MessageArea


@pytest.fixture
def area(qtbot):
    page = QWidget()
    page.resize(600, 400)
    qtbot.addWidget(page)
    page.show()
    return MessageArea(page)


def test_a_message_is_shown_whole_and_dismissed(area):
    area.show_message("something is wrong " * 12)
    [message] = area.messages()
    assert area.isVisible()
    assert message.height() >= message.heightForWidth(message.width())
    message.dismiss()
    assert not area.isVisible()
    assert area.texts() == []


def test_details_open_and_can_be_copied(area):
    area.show_message("wrong", "line 1\nline 2")
    [message] = area.messages()
    height = area.height()
    message._more.click()
    assert area.height() > height
    message._copy.click()
    assert QGuiApplication.clipboard().text() == "wrong\n\nline 1\nline 2"


def test_the_same_words_are_not_said_twice_and_old_ones_make_room(area):
    for words in ("a", "b", "a", "c", "d"):
        area.show_message(words)
    assert area.texts() == ["d", "c", "a"]
    assert len(area.texts()) == MAX_MESSAGES

"""Names of files, columns and units are shown as they stand: none of them is markup anywhere."""

import re

import numpy as np
import pytest
from loading import load
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

from app.model.wording.numbers import escape
from app.session import Session
from app.widgets.plot_table import TableDialog

pytestmark = pytest.mark.usefixtures("undrawn")

EVIL = "<img src='//evil/x.png'>"
MARKUP = re.compile(r"<\s*[A-Za-z!/?]|&[a-z]+;")


def first_line(text):
    """Return where Qt looks for tags."""
    return text.split("\n")[0]


def shown(window):
    """Yield all texts of a window, with whether a tag in them would be taken for one."""
    for widget in (window, *window.findChildren(QWidget)):
        yield widget.toolTip(), True
        if isinstance(widget, QLabel):
            yield widget.text(), widget.textFormat() != Qt.TextFormat.PlainText
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            first = widget.model().index(0, 0)
            yield str(widget.model().data(first, Qt.ItemDataRole.ToolTipRole) or ""), True
    for action in window.findChildren(QAction):
        yield action.toolTip(), True


def test_a_tip_with_a_tag_is_shown_as_it_stands():
    for text in (EVIL, f"column {EVIL}", f"a &lt; b {EVIL}", "<?xml version='1.0'?>", "a <b>bold</b> name"):
        assert not MARKUP.search(escape(text))
        assert escape(text).replace("\N{WORD JOINER}", "") == text


def test_names_are_no_markup_anywhere_in_the_window(window_of, dataset):
    session = Session()
    load(
        session,
        dataset(f"{EVIL}.csv", **{f"x{EVIL} ({EVIL[:6]})": np.arange(30.0)}),
        f"x{EVIL} ({EVIL[:6]})",
        0,
        30,
    )
    window = window_of(session)
    window.controllers.run.start()
    assert window.wait_until_idle()
    window.body.messages.show_message(f"{EVIL} cannot be read")
    window.controllers.status.show_message(f"Saved {EVIL}")
    window.controllers.exports.show_numbers()
    window.controllers.budget.show()
    assert window.wait_until_idle()
    seen = [text for text, _ in shown(window) if "evil" in text]
    assert len(seen) > 5
    assert [text for text, marked in shown(window) if marked and EVIL in first_line(text)] == []
    for dialog in window.findChildren(TableDialog):
        dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

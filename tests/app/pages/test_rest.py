"""A page at rest does nothing: no layout and no painting goes on when everything is drawn."""

import time
from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from app.model.pages.registry import PAGE_KINDS

pytestmark = pytest.mark.usefixtures("roughly_drawn")

WORK = (QEvent.Type.LayoutRequest, QEvent.Type.Resize, QEvent.Type.Paint)


class Watch(QObject):
    """Counts the events of layouts and painting in the whole program."""

    def __init__(self):
        super().__init__()
        self.seen = Counter()

    def eventFilter(self, _watched, event):  # noqa: N802
        if event.type() in WORK:
            self.seen[event.type()] += 1
        return False


def work(turns):
    """Return how many such events come in some turns of the event loop."""
    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    for _ in range(turns):
        QApplication.processEvents()
        time.sleep(0.002)
    QApplication.instance().removeEventFilter(watch)
    return watch.seen.total()


@pytest.mark.parametrize("size", [(1280, 720), (1280, 800), (1440, 900)])
def test_pages_rest(shared, size):
    """A layout that calls for itself has events in each turn; a blinking cursor has one or two."""
    shared.resize(*size)
    for page in PAGE_KINDS:
        shared.session.show_page(page)
        assert shared.wait_until_idle(60_000)
        work(20)  # late ones, such as the ledger
        assert work(50) < 25, page

"""What a window leaves in Python ends by itself once Qt has deleted it."""

import gc
import weakref

from PySide6.QtWidgets import QLabel, QMainWindow

from app.window.remains import Remains


class Picture:
    def __init__(self):
        self.itself = self


class Drawn(QLabel):
    """Knows itself, and something besides Qt that does."""

    def __init__(self):
        super().__init__()
        self.itself, self.picture = self, Picture()

    def take_apart(self):
        vars(self.picture).clear()


def test_parts_that_know_each_other_end_without_a_search(qtbot):
    window, drawn = QMainWindow(), Drawn()
    window.setCentralWidget(drawn)
    window.above = drawn.window_ = window
    left = [weakref.ref(one) for one in (window, drawn, drawn.picture)]
    gc.disable()
    try:
        Remains(window)
        qtbot.wait(1)
        assert drawn.itself is drawn  # nothing is taken from a window that Qt still has
        window.deleteLater()
        del window, drawn
        qtbot.waitUntil(lambda: not any(one() for one in left))
    finally:
        gc.enable()

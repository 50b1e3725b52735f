"""Where a window stands: on a screen, whole, and as near as possible to where it stood."""

import pytest
from PySide6.QtCore import QRect

from app.window.window_state import fit_into

SCREEN = QRect(0, 30, 1366, 738)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (QRect(20, 40, 1280, 700), QRect(20, 40, 1280, 700)),
        (QRect(0, 0, 1280, 800), QRect(0, 30, 1280, 738)),
        (QRect(1300, 600, 1000, 400), QRect(366, 368, 1000, 400)),
        (QRect(-900, -900, 3000, 2000), SCREEN),
    ],
)
def test_a_window_is_moved_and_made_smaller_only_as_far_as_it_must(wanted, found):
    assert fit_into(wanted, SCREEN) == found

"""Dialogs in type of twice the size: each stays on a screen of 1024×768, and clips nothing."""

from typing import Any

import pytest
from fitting import misfits, settle
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDialog
from table_files import write

from app.widgets.dialogs import TextDialog

pytestmark = pytest.mark.usefixtures("undrawn")

SCREEN = QSize(1024, 768)
ROOM = QSize(984, 708)
"""What the frame of a window leaves of it."""
DIALOGS = (
    *("about", "budget", "data_table", "help", "keyboard"),
    *("report", "save_figure", "settings", "suggest_bounds", "undo_history"),
)


@pytest.fixture
def large(first_window: Any, monkeypatch: Any) -> Any:
    """Lend a window in large type on a small screen."""
    for place in ("widgets.dialogs", "panels.settings_dialog", "panels.reading_preview"):
        monkeypatch.setattr(f"app.{place}.room_for", lambda _: ROOM)
    first_window.resize(SCREEN)
    first_window.settings.change(size="200")
    assert first_window.wait_until_idle(30_000)
    yield first_window
    first_window.settings.change(size="100")
    first_window.resize(1280, 800)
    assert first_window.wait_until_idle(30_000)


def opened(window: Any) -> QDialog:
    """Return the dialog that was opened, laid out."""
    settle(window)
    assert window.wait_until_idle(30_000)
    (dialog,) = (
        one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()
    )
    return dialog


def found_wrong(dialog: QDialog) -> list[str]:
    """Say what does not fit; tables and pages of help may be scrolled sideways."""
    size, least = dialog.size(), dialog.minimumSizeHint()
    wrong = [one for one in misfits(dialog) if "scrolled sideways" not in one]
    if size.width() > SCREEN.width() or size.height() > SCREEN.height() or least.width() > size.width():
        wrong.append(f"{size.width()}x{size.height()}, needs {least.width()}x{least.height()}")
    return wrong


@pytest.mark.slow
def test_dialogs_fit_in_large_type(large):
    wrong = {}
    for name in DIALOGS:
        large.actions_by_name[name].trigger()
        dialog = opened(large)
        wrong[name] = found_wrong(dialog)
        dialog.close()
        settle(large)
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.slow
def test_what_is_asked_about_a_file_fits_in_large_type(large, tmp_path):
    path = write(tmp_path, "name,income\na,1.5\nb,2.5\nc,3.5\n")
    large.controllers.data.open_file(path)
    assert large.wait_until_idle()
    large.controllers.data.ask_reading()
    dialog = opened(large)
    assert found_wrong(dialog) == []
    dialog.close()
    settle(large)


def test_a_long_text_is_scrolled_above_the_button_that_closes_it(large):
    dialog = TextDialog("Long", "Many words, one after the other. " * 200, large)
    dialog.show()
    settle(large)
    assert dialog.height() == ROOM.height()
    *_, last = (dialog.layout().itemAt(place).widget() for place in range(dialog.layout().count()))
    assert last.geometry().bottom() <= dialog.height()
    assert dialog.layout().itemAt(0).widget().verticalScrollBar().maximum() > 0
    dialog.close()
    settle(large)

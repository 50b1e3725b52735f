"""The buttons of dialogs: no icons, also on desktops that draw them."""

import pytest
from fitting import settle
from PySide6.QtWidgets import QApplication, QDialog, QProxyStyle, QPushButton, QStyle
from table_files import write

pytestmark = pytest.mark.usefixtures("undrawn")

DIALOGS = ("budget", "data_table", "report", "save_figure", "settings", "suggest_bounds", "undo_history")


class WithIcons(QProxyStyle):
    """The style of a desktop whose buttons have icons, such as a red cross for Cancel."""

    def styleHint(self, hint, option=None, widget=None, data=None):  # noqa: N802 - as in Qt
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 1
        return super().styleHint(hint, option, widget, data)


@pytest.fixture
def desktop(first_window):
    application = QApplication.instance()
    application.setStyle(WithIcons("Fusion"))
    yield first_window
    application.setStyle("Fusion")


def icons(window):
    """Return the buttons with an icon of the open dialog, and close it."""
    settle(window)
    assert window.wait_until_idle(30_000)
    (dialog,) = (one for one in window.findChildren(QDialog) if one.isVisible())
    named = {one.text() for one in dialog.findChildren(QPushButton) if not one.icon().isNull()}
    dialog.close()
    settle(window)
    return named


def test_no_button_of_a_dialog_has_an_icon(desktop, tmp_path):
    results = {}
    for name in DIALOGS:
        desktop.actions_by_name[name].trigger()
        results[name] = icons(desktop)
    desktop.controllers.data.open_file(write(tmp_path, "name,income\na,1.5\nb,2.5\nc,3.5\n"))
    assert desktop.wait_until_idle()
    desktop.controllers.imports.ask_reading(desktop.session.state.table)
    results["reading"] = icons(desktop)
    assert {name: found for name, found in results.items() if found} == {}

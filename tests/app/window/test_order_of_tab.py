"""The order of Tab: on every page, the data come before Run."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.model.pages.registry import PAGE_KINDS

pytestmark = pytest.mark.usefixtures("undrawn")

MOST = 120


def stops_until_run(window):
    """Press Tab from the list of pages until Run has the focus; return the form of each stop."""
    column = window.body.column
    forms = {
        "data": column.data,
        "privacy": column.privacy,
        "release": column.release,
        "run": column.release.footer,
    }
    window.activateWindow()
    window.body.navigation.pages.setFocus()
    results = []
    for _ in range(MOST):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        results += [name for name, form in forms.items() if form is focus or form.isAncestorOf(focus)]
        if focus is column.release.run:
            break
    return results


def in_order(stops):
    order = ["data", "privacy", "release", "run"]
    return list(dict.fromkeys(stops)) == order and stops == sorted(stops, key=order.index)


@pytest.mark.parametrize("page", PAGE_KINDS)
def test_tab_reaches_the_data_before_run(first_window, page):
    first_window.session.show_page(page)
    assert first_window.wait_until_idle(30_000)
    stops = stops_until_run(first_window)
    assert in_order(stops), stops


def test_rows_made_later_come_before_run_too(first_window):
    first_window.session.show_page("histogram")
    assert first_window.wait_until_idle(30_000)
    columns = first_window.session.state.read_data.columns
    first_window.controllers.data.choose(columns=columns[:1])
    assert first_window.wait_until_idle(30_000)
    before = stops_until_run(first_window)
    first_window.controllers.data.choose(columns=columns)
    assert first_window.wait_until_idle(30_000)
    first_window.body.column.release.tuning_button.click()
    after = stops_until_run(first_window)
    assert in_order(after), after
    assert len(after) > len(before)

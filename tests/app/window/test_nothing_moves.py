"""Nothing moves that the user did not move: controls keep their place through every change of state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.model.pages.registry import PAGES, places
from app.widgets.number_box import NumberBox

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)
WRONG = ("no number", "-1", "1e9")
DIALOGS = ("settings", "budget", "report", "save_figure", "suggest_bounds")

pytestmark = pytest.mark.usefixtures("undrawn")


def where(*areas: QWidget) -> dict[int, tuple[str, tuple[int, int]]]:
    """Return name and place of each visible control, by its identity."""
    return {
        id(one): (name, (point.x(), point.y()))
        for area in areas
        for one in area.findChildren(QWidget)
        if isinstance(one, CONTROLS) and not isinstance(one, QScrollBar)
        if one.isVisible() and not one.visibleRegion().isEmpty()
        for name in [one.accessibleName() or type(one).__name__]
        for point in [one.mapTo(one.window(), QPoint(0, 0))]
    }


@contextmanager
def still(
    window: Any, *areas: QWidget, wait: bool = True, when: Callable[[], bool] = lambda: True
) -> Iterator[None]:
    """Check that no control moves that is there before and after; one with another name is another one.

    `when` says afterwards whether to check.
    """
    before = where(*areas or (window,))
    yield
    if wait:
        assert window.wait_until_idle(60_000)
    if not when():
        return
    after = where(*areas or (window,))
    moved = {
        name: (place, after[key][1])
        for key, (name, place) in before.items()
        if key in after and after[key][0] == name
        if max(abs(a - b) for a, b in zip(place, after[key][1], strict=True)) > 1  # a rounded half
    }
    assert moved == {}


def around(window: Any) -> list[QWidget]:
    """Return what stands beside the pictures, and their tabs."""
    body = window.body
    return [body.navigation, window.page.card.heading, body.column, body.history.heading]


@pytest.fixture(params=PAGES)
def page(first_window: Any, request: Any) -> Any:
    """Lend a window with a page of pictures."""
    first_window.resize(1280, 800)
    first_window.session.show_page(request.param)
    assert first_window.wait_until_idle(60_000)
    return first_window


def agree(window: Any) -> None:
    """Answer the question about the budget, if there is one."""
    assert window.wait_until_idle(60_000)
    dialog = window.controllers.confirmation.dialog
    if dialog is not None:
        dialog.agree_button.click()


def test_results_come_and_go(page):
    with still(page, wait=False):
        page.controllers.run.start()
    with still(page):
        agree(page)
    with still(page, wait=False):
        page.session.edit("change epsilon", epsilon=0.7)
    with still(page):
        pass
    with still(page):
        page.session.undo_stack.undo()


@pytest.mark.parametrize("tuning", [False, True])
def test_what_is_wrong_moves_nothing(page, tuning):
    column = page.body.column
    column.release.tuning_button.setChecked(tuning)
    assert page.wait_until_idle(60_000)
    for row in column.rows:
        box = row.box
        if not isinstance(box, NumberBox) or not box.isVisible():
            continue
        before = box.text()
        for text in WRONG:
            with still(page, when=lambda row=row: bool(row.problem)):
                box.type_in(text)
            wrong = bool(row.problem)
            with still(page, when=lambda wrong=wrong: wrong):
                box.type_in(before)


@pytest.mark.parametrize("tabs", [2, pytest.param(99, marks=pytest.mark.slow)])
def test_tabs_and_views_move_nothing_around_the_pictures(page, tabs):
    card = page.page.card
    for tab in (*card.tabs.offered[:tabs], card.tab):
        with still(page, *around(page)):
            page.page.show_tab(tab)
    for view in ("release", "curator"):
        with still(page, *around(page)):
            page.session.show_view(view)


def test_fine_tuning_moves_nothing_but_run(page):
    column = page.body.column
    areas = [page.body.navigation, page.page, column._inside, page.body.history]
    for on in (True, False):
        with still(page, *areas):
            column.release.tuning_button.setChecked(on)


def choices(window: Any) -> Iterator[tuple[Any, str, Callable[[], object]]]:
    """Yield each choice of a method, a noise and other parts: its box, its text, and what chooses it."""
    form = window.body.column.release.form
    for row in form.rows:
        box = row.box
        if isinstance(box, QComboBox) and box.isVisible() and "query" not in row.fields:
            for index in range(box.count()):
                if box.itemData(index) and box.model().item(index).isEnabled():
                    yield (
                        box,
                        box.itemText(index),
                        lambda box=box, index=index: (
                            box.setCurrentIndex(index),
                            box.activated.emit(index),
                        ),
                    )


@pytest.mark.slow
@pytest.mark.parametrize("tuning", [False, True])
def test_other_methods_move_nothing_above_them(page, tuning):
    body = page.body
    body.column.release.tuning_button.setChecked(tuning)
    above = [body.navigation, page.page.card.heading, body.column.data, body.column.privacy]
    for box, text, choose in list(choices(page)):
        if not box.isVisible():
            continue
        with still(page, *above, box.parentWidget(), body.history.heading):
            choose()
        assert body.column.release.kinds.isVisible() == body.column.release.kinds.has_choice, text
        page.session.undo_stack.undo()
        assert page.wait_until_idle(60_000)


@pytest.mark.parametrize("view", [name for name in places() if name not in PAGES])
def test_what_is_wrong_moves_nothing_on_other_pages(first_window, view):
    first_window.resize(1280, 800)
    first_window.session.show_page(view)
    assert first_window.wait_until_idle(60_000)
    wrong_numbers(first_window, first_window)


def wrong_numbers(window: Any, area: QWidget) -> None:
    """Write what is wrong into each number of an area, and take it back."""
    for box in [one for one in area.findChildren(NumberBox) if one.isVisible() and one.isEnabled()]:
        before = box.text()
        for text in WRONG:
            with still(window, area):
                box.type_in(text)
            with still(window, area):
                box.type_in(before)


@pytest.mark.parametrize("name", DIALOGS)
def test_what_is_wrong_moves_nothing_in_dialogs(first_window, name):
    from PySide6.QtWidgets import QApplication, QDialog

    first_window.resize(1280, 800)
    first_window.actions_by_name[name].trigger()
    assert first_window.wait_until_idle(60_000)
    tops = QApplication.topLevelWidgets()
    (dialog,) = (one for one in tops if isinstance(one, QDialog) and one.isVisible())
    wrong_numbers(first_window, dialog)
    dialog.close()

"""Nothing moves that the user did not move: controls keep their place through every change of state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.model.pages.registry import PAGES, places
from app.model.wording.releases import SwitchOffer
from app.panels.reading_preview import ReadingPreviewDialog
from app.widgets.number_box import NumberBox

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)
USUAL, LOW = (1280, 800, 100), (1280, 720, 100)
"""Width, height and size of type in percent, of a usual window and of a low one."""
OTHERS = (LOW, (1440, 900, 100), (1920, 1080, 100), (1280, 800, 150), (1920, 1080, 200))
SIZES = (USUAL, *(pytest.param(size, marks=pytest.mark.slow) for size in OTHERS))
PATIENCE = 300_000
"""Milliseconds for the slowest picture: trees on nine kinds of histograms."""
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
        assert window.wait_until_idle(PATIENCE)
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # as before anything is painted
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


@contextmanager
def sized(window: Any, width: int, height: int, percent: int) -> Iterator[None]:
    """Give a window another size, and its type; where that folds the forms away, show them."""
    window.settings.change(size=str(percent))
    for _ in range(2):  # what it showed last may have needed more room
        window.resize(width, height)
        assert window.wait_until_idle(PATIENCE)
    assert (window.width(), window.height()) == (width, height)
    folded = not window.body.column.isVisible()
    window.body.show_controls(True)
    assert window.wait_until_idle(PATIENCE)
    yield
    window.body.show_controls(not folded)
    window.settings.change(size="100")
    window.resize(1280, 800)


@pytest.fixture(params=SIZES, ids=lambda size: "x".join(map(str, size)))
def size(kept_first_window: Any, request: Any) -> Iterator[Any]:
    """Give the window of the module a size, and yield it."""
    with sized(kept_first_window, *request.param):
        yield request.param


@pytest.fixture(params=PAGES)
def page(size: Any, first_window: Any, request: Any) -> Any:
    """Lend a window with a page of pictures."""
    first_window.session.show_page(request.param)
    assert first_window.wait_until_idle(PATIENCE)
    return first_window


def agree(window: Any) -> None:
    """Answer the question about the budget, if there is one."""
    assert window.wait_until_idle(PATIENCE)
    dialog = window.controllers.confirmation.dialog
    if dialog is not None:
        dialog.agree_button.click()


def release(window: Any) -> None:
    """Release, and then change what the result depends on, and change it back."""
    with still(window, wait=False):
        window.controllers.run.start()
    with still(window):
        agree(window)
    with still(window, wait=False):
        window.session.edit("change epsilon", epsilon=0.7)
    with still(window):
        pass
    with still(window):
        window.session.undo_stack.undo()


def test_results_come_and_go(page):
    release(page)


@pytest.mark.slow
@pytest.mark.parametrize("size", [size for size in OTHERS if size[2] > 100], indirect=True)
def test_results_come_and_go_while_the_forms_are_folded(page):
    page.body.show_controls(False)
    assert page.wait_until_idle(PATIENCE)
    assert page.page.isVisible()
    release(page)
    page.body.show_controls(True)


def test_results_come_and_go_where_two_pictures_leave_no_room_for_them(first_window):
    with sized(first_window, *LOW):
        first_window.session.show_page("spanning-tree")
        assert first_window.wait_until_idle(PATIENCE)
        assert not first_window.body.middle.verticalScrollBar().maximum()
        release(first_window)
        assert not first_window.body.middle.verticalScrollBar().maximum()


def test_the_forms_are_equally_wide_on_all_pages(first_window):
    column = first_window.body.column
    widths = set()
    for name in PAGES:
        first_window.session.show_page(name)
        assert first_window.wait_until_idle(PATIENCE)
        for tuning in (True, False):
            column.release.tuning_button.setChecked(tuning)
            assert first_window.wait_until_idle(PATIENCE)
            widths.add((column.width(), column.data.width(), column.release.width()))
    assert len(widths) == 1


def test_tabs_are_as_far_from_the_top_on_pages_with_a_card_below_them(first_window):
    heights = set()
    for name in ("one-cluster", "clustering"):
        first_window.session.show_page(name)
        assert first_window.wait_until_idle(PATIENCE)
        tabs = first_window.page.card.tabs
        heights.add(tabs.mapTo(first_window, tabs.rect().topLeft()).y())
    assert max(heights) - min(heights) <= 1


@pytest.mark.parametrize("tuning", [False, True])
def test_what_is_wrong_moves_nothing(page, tuning):
    column = page.body.column
    column.release.tuning_button.setChecked(tuning)
    assert page.wait_until_idle(PATIENCE)
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


@pytest.mark.parametrize("page", [name for name in PAGES if name != "one-cluster"], indirect=True)
def test_an_offer_comes_and_goes(page):
    button = page.page.card.alternative
    button.show_offer(None)
    page.body.show_controls(False)
    page.page.show_tab(page.page.card.tab)
    assert page.wait_until_idle(PATIENCE)
    with still(page):
        button.show_offer(SwitchOffer("Try another histogram: 1.4 × better here", {}))
    assert button.isVisible()
    with still(page):
        button.show_offer(None)
    page.body.show_controls(True)


def test_fine_tuning_moves_nothing(page):
    for on in (True, False):
        with still(page):
            page.body.column.release.tuning_button.setChecked(on)


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
def test_other_methods_move_nothing_but_their_fields(page, tuning):
    body = page.body
    body.column.release.tuning_button.setChecked(tuning)
    assert page.wait_until_idle(PATIENCE)
    data, privacy, footer = body.column.data, body.column.privacy, body.column.release.footer
    fixed = [body.navigation, page.page.card.heading, data, privacy, footer, body.history.heading]
    for box, text, choose in list(choices(page)):
        if not box.isVisible():
            continue
        with still(page, *fixed, box.parentWidget()):
            choose()
        assert body.column.release.kinds.isVisible() == body.column.release.kinds.has_choice, text
        page.session.undo_stack.undo()
        assert page.wait_until_idle(PATIENCE)


@pytest.mark.parametrize("view", [name for name in places() if name not in PAGES])
def test_what_is_wrong_moves_nothing_on_other_pages(first_window, view):
    first_window.resize(1280, 800)
    first_window.session.show_page(view)
    assert first_window.wait_until_idle(PATIENCE)
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


def test_what_is_wrong_moves_nothing_among_the_options_of_an_audit(first_window):
    first_window.resize(1280, 800)
    first_window.session.show_page("median")
    first_window.page.show_tab("audit")
    first_window.page.card.audit.settings_button.click()
    assert first_window.wait_until_idle(PATIENCE)
    boxes = first_window.page.card.audit.findChildren(NumberBox)
    assert any(box.isVisible() and box.isEnabled() for box in boxes)
    wrong_numbers(first_window, first_window.page.card.audit)
    first_window.page.card.audit.settings_button.click()
    first_window.page.show_tab(first_window.page.card.tabs.offered[0])


def test_a_wrong_choice_moves_nothing_in_the_form_of_an_import(first_window, tmp_path):
    first_window.resize(1280, 800)
    (tmp_path / "pay.csv").write_text("name;pay\nAnna;1,5\nBert;2,5\n")
    first_window.controllers.data.open_table(tmp_path / "pay.csv")
    assert first_window.wait_until_idle(PATIENCE)
    first_window.controllers.data.ask_reading()
    assert first_window.wait_until_idle(PATIENCE)
    (dialog,) = (one for one in first_window.findChildren(ReadingPreviewDialog) if one.isVisible())
    dialog.reading_button.click()
    assert first_window.wait_until_idle(PATIENCE)
    row = dialog.reading.rows["header"]
    with still(first_window, dialog, when=lambda: bool(row.problem)):
        row.box.setEditText("first")
        row.box.lineEdit().editingFinished.emit()
    assert row.problem
    dialog.close()


@pytest.mark.parametrize("name", DIALOGS)
def test_what_is_wrong_moves_nothing_in_dialogs(first_window, name):
    from PySide6.QtWidgets import QDialog

    first_window.resize(1280, 800)
    first_window.actions_by_name[name].trigger()
    assert first_window.wait_until_idle(PATIENCE)
    tops = QApplication.topLevelWidgets()
    (dialog,) = (one for one in tops if isinstance(one, QDialog) and one.isVisible())
    wrong_numbers(first_window, dialog)
    dialog.close()

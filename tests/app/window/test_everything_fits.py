"""Nothing is clipped, overlaps, is too low or scrolls sideways, whatever the page, tab, theme or size."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from fitting import misfits

from app.actions import page_titles
from app.model.theme import PALETTES

pytestmark = pytest.mark.usefixtures("undrawn")

SIZES = ((1024, 768), (1280, 720), (1366, 768), (1280, 800), (1440, 900), (1920, 1080), (2560, 1440))
TYPES = (100, 125, 150, 200)

QUICK = (("histogram", ("cells", "tree"), (1024, 768), 200),)
"""Where room is scarcest; all the rest is looked at in the slow run."""

PATIENCE = 30_000
"""Milliseconds that a picture gets to be worked out; without it, its place is looked at all the same."""


@pytest.fixture
def fitted(first_window: Any) -> Iterator[Any]:
    """Lend a window, and give it back in its usual size."""
    yield first_window
    first_window.settings.change(size="100", theme="system")
    first_window.session.show_page("median")
    resize(first_window, (1280, 800))


@pytest.mark.parametrize(("page", "tabs", "size", "percent"), QUICK)
def test_a_page_fits_where_room_is_scarce(fitted, page, tabs, size, percent):
    fitted.settings.change(size=str(percent))
    assert looked_at(fitted, page, [size], tabs) == []


def test_the_controls_take_the_place_of_the_page_where_both_have_no_room(fitted):
    body = fitted.body
    fitted.settings.change(size="200")
    resize(fitted, (1024, 768))
    body.unfold.click()
    assert fitted.wait_until_idle(PATIENCE)
    assert body.column.isVisible()
    assert not body.stack.isVisible()
    assert misfits(fitted) == []
    body.unfold.click()
    assert fitted.wait_until_idle(PATIENCE)
    assert body.stack.isVisible()
    assert misfits(fitted) == []


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "percent"), list(product(PALETTES, TYPES)))
def test_every_page_fits(fitted, theme, percent):
    fitted.settings.change(size=str(percent), theme=theme)
    assert [wrong for page in page_titles() for wrong in looked_at(fitted, page, SIZES)] == []


@pytest.mark.slow
def test_every_page_fits_in_the_release_view_and_after_a_release(fitted):
    found = []
    for page in page_titles():
        fitted.session.show_page(page)
        fitted.wait_until_idle(PATIENCE)
        if fitted.session.state.workspace is None:
            fitted.controllers.run.start()
            fitted.wait_until_idle(PATIENCE)
        for view in ("release", "curator"):
            fitted.session.show_view(view)
            found += looked_at(fitted, page, SIZES)
    assert found == []


def resize(window, size):
    """Make a window that large; what it showed last may have needed more room."""
    for _ in range(2):
        window.resize(*size)
        window.wait_until_idle(PATIENCE)
    assert (window.width(), window.height()) == size


def looked_at(window, page, sizes, tabs=None):
    """Return what does not fit on a page: on these tabs, or on all."""
    window.session.show_page(page)
    window.wait_until_idle(PATIENCE)
    card = getattr(window.page, "card", None)
    found = []
    for tab in tabs or ([""] if card is None else card.shown):
        if tab:
            window.page.show_tab(tab)
        for size in sizes:
            resize(window, size)
            found += [(page, tab, size, wrong) for wrong in misfits(window)]
    return found

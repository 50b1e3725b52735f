"""Nothing is clipped, overlaps, is too low or scrolls sideways, whatever the page, tab, theme or size."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from fitting import misfits

from app.actions import page_titles
from app.theme import PALETTES

pytestmark = pytest.mark.usefixtures("undrawn")

SIZES = ((1024, 768), (1280, 720), (1366, 768), (1280, 800), (1920, 1080), (2560, 1440))
TYPES = (100, 150, 200)

QUICK = (
    ("median", (1280, 720), 150),
    ("spanning-tree", (1024, 768), 100),
    ("histogram", (1024, 768), 200),
    ("compare", (1280, 720), 125),
)
"""Where room is scarce, in different ways; all the rest is looked at in the slow run."""


@pytest.fixture
def fitted(first_window: Any) -> Iterator[Any]:
    """Lend a window, and give it back in its usual size."""
    yield first_window
    first_window.settings.change(size="100", theme="system")
    first_window.session.show_page("median")
    resize(first_window, (1280, 800))


@pytest.mark.parametrize(("page", "size", "percent"), QUICK)
def test_a_page_fits_where_room_is_scarce(fitted, page, size, percent):
    fitted.settings.change(size=str(percent))
    assert looked_at(fitted, page, size) == []


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "percent", "size"), list(product(PALETTES, TYPES, SIZES)))
def test_every_page_fits(fitted, theme, percent, size):
    fitted.settings.change(size=str(percent), theme=theme)
    assert [wrong for page in page_titles() for wrong in looked_at(fitted, page, size)] == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_every_page_fits_in_the_release_view_and_after_a_release(fitted, size):
    found = []
    for page in page_titles():
        fitted.session.show_page(page)
        assert fitted.wait_until_idle(30_000)
        if fitted.session.state.workspace is None:
            fitted.controllers.run.start()
            assert fitted.wait_until_idle(30_000)
        for view in ("release", "curator"):
            fitted.session.show_view(view)
            found += looked_at(fitted, page, size)
    assert found == []


def resize(window, size):
    """Make a window that large; what it showed last may have needed more room."""
    for _ in range(2):
        window.resize(*size)
        assert window.wait_until_idle(30_000)
    assert (window.width(), window.height()) == size


def looked_at(window, page, size):
    """Return what does not fit on the tabs of a page."""
    window.session.show_page(page)
    assert window.wait_until_idle(30_000)
    resize(window, size)
    card = getattr(window.page, "card", None)
    found = []
    for tab in () if card is None else card.shown:
        window.page.show_tab(tab)
        assert window.wait_until_idle(30_000)
        found += [(page, tab, wrong) for wrong in misfits(window)]
    return found or [(page, wrong) for wrong in misfits(window)]

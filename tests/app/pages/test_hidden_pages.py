"""Hidden pages keep no records in the Release view: no picture, no result, no word about them."""

import numpy as np
import pytest
from loading import clusters
from PySide6.QtWidgets import QLabel
from reachable import holds, reachable

from app.plots.base import Picture
from app.widgets.plot_canvas import PlotCanvas

pytestmark = pytest.mark.usefixtures("roughly_drawn")

PRIVATE = 31.25


def left(page, records):
    """Return what a page holds on to that may not be seen: arrays of records, and results."""
    found = list(reachable(page))
    canvases = [each for each in found if isinstance(each, PlotCanvas) and each.has_result]
    pictures = [each for each in found if isinstance(each, Picture) and each.result is not None]
    return [each for each in found if holds(each, records)], canvases, pictures


def leave(window, page):
    """Go to the page with a graph, which looks for no points; return the hidden one and its panel."""
    panel = window.body.column.data
    window.session.show_page("spanning-tree")
    assert window.wait_until_idle(30_000)
    return window.body.pages[page], panel


def test_a_hidden_page_keeps_nothing_of_a_sample(window):
    records = window.session.state.data.numbers.values[1:-1]
    page, panel = leave(window, "median")
    arrays, canvases, pictures = left(page, records)
    assert arrays
    assert canvases
    assert pictures
    assert "101" in panel.facts.text()
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert left(page, records) == ([], [], [])
    assert not any(canvas.accessibleDescription() for canvas in page.findChildren(PlotCanvas))
    assert not panel.badge.isVisibleTo(panel)
    assert not any(str(PRIVATE) in label.text() + label.toolTip() for label in page.findChildren(QLabel))
    # whoever comes back sees what the view shows
    window.session.show_page("median")
    assert window.wait_until_idle()
    assert left(page, records)[0] == []
    assert not page.parts[0].isVisible()
    window.session.show_view("curator")
    assert window.wait_until_idle()
    # hidden and back again in the view of before
    leave(window, "median")
    for view in ("release", "curator"):
        window.session.show_view(view)
    window.session.show_page("median")
    assert window.wait_until_idle()
    assert left(page, records)[0]
    assert page.parts[0].isVisible()
    assert page.canvas.private
    assert page.canvas.has_result


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clustering", "one-cluster", "histogram"])
def test_hidden_pages_keep_nothing_of_points(name, points_on):
    window = points_on(page=name, **clusters(300))
    records = np.ravel(window.session.state.data.points.values)
    page, _ = leave(window, name)
    assert left(page, records)[0]
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert left(page, records) == ([], [], [])

"""Controls keep their place when something else appears: only what a person moves may move."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QTabBar, QWidget

CONTROLS = (QAbstractButton, QComboBox, QTabBar, QAbstractSpinBox)


def fixed(window: QWidget) -> list[QWidget]:
    """Return the navigation, the head of the pictures, and the forms."""
    body = window.body
    return [body.navigation, window.page.card.heading, *body.column.data_panels, *body.column.releases]


def places(window):
    """Return where each visible control stands, by its identity, with its name."""
    return {
        id(one): ((point.x(), point.y()), one.accessibleName() or type(one).__name__)
        for area in fixed(window)
        for one in [*area.findChildren(QWidget), area]
        if isinstance(one, CONTROLS) and one.isVisible()
        for point in [one.mapTo(window, QPoint(0, 0))]
    }


def moved(window, act):
    """Do something, and return the controls that were and are visible, and stand elsewhere now."""
    before = places(window)
    act()
    assert window.wait_until_idle(60_000)
    after = places(window)
    return {
        name: (place, after[key][0])
        for key, (place, name) in before.items()
        if after.get(key, (place,))[0] != place
    }


@pytest.mark.parametrize(("page", "tabs"), [("median", 9), ("histogram", 2)])
def test_controls_keep_their_place(first_window, page, tabs):
    window = first_window
    window.resize(1280, 800)
    window.show()
    window.session.show_page(page)
    assert window.wait_until_idle(60_000)
    card = window.page.card
    for tab in (*card.tabs.offered[:tabs], card.tab):
        assert not moved(window, lambda tab=tab: window.page.show_tab(tab)), tab
    assert not moved(window, lambda: window.controllers.run.start())
    assert not moved(window, lambda: window.session.edit("change epsilon", epsilon=0.7))
    for view in ("release", "curator"):
        assert not moved(window, lambda view=view: window.session.show_view(view)), view

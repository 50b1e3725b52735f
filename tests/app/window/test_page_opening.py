"""Pages are made in several turns of the event loop; until then the one before is open."""

import pytest
from flashes import Flashes
from PySide6.QtWidgets import QApplication, QLabel

from app.model.pages.workspaces import COMPARE
from app.panels.data_panel import DataForm
from app.window import page_opening

pytestmark = pytest.mark.usefixtures("undrawn")


def choose(window, name):
    window.body.navigation.page_chosen.emit(name)


def test_a_page_is_opened_once_all_of_it_is_made(window):
    """Also the form of its data; what is made beforehand edits nothing."""
    opening, pages = window.controllers.opening, window.body.pages
    choose(window, "clustering")
    state = window.session.state
    column, seen, made = window.body.column, [], set()
    while opening.pending:
        seen.append((pages.has("clustering"), window.session.state.page))
        assert window.page.name == "median"
        assert window.session.state is state
        made = set(column.findChildren(DataForm))
        QApplication.processEvents()
    assert len(seen) > 1  # turns
    assert {page for _, page in seen} == {"median"}
    assert len(made) == 2
    assert set(column.findChildren(DataForm)) == made
    assert window.session.state.page == "clustering"
    data = window.body.column.data
    assert {window.page.styleSheet(), data.styleSheet()} == {window.body.navigation.styleSheet()}
    choose(window, "median")
    assert window.session.state.page == "median"  # at once
    choose(window, "clustering")
    assert window.session.state.page == "clustering"


def test_a_piece_waits_for_a_turn_that_a_picture_has(window, monkeypatch):
    opening = window.controllers.opening
    monkeypatch.setattr(page_opening, "take_frame_slot", lambda: False)
    choose(window, "one-cluster")
    made, pieces = [], opening._pieces
    opening._pieces = (made.append(piece) or piece for piece in pieces)
    for _ in range(20):
        QApplication.processEvents()
    assert opening.pending
    assert not made
    monkeypatch.undo()
    while opening.pending:
        QApplication.processEvents()
    assert made
    assert window.session.state.page == "one-cluster"


def test_the_newest_choice_is_opened(window):
    choose(window, "histogram")
    choose(window, COMPARE.name)
    while window.controllers.opening.pending:
        QApplication.processEvents()
    assert window.session.state.visible_view == COMPARE.name


def test_what_opens_another_page_meanwhile_stays(window):
    choose(window, "histogram")
    window.session.show_page("spanning-tree")
    assert not window.controllers.opening.pending
    QApplication.processEvents()
    assert window.session.state.page == "spanning-tree"


def test_a_window_that_closes_opens_no_page(window):
    choose(window, "histogram")
    window.close()
    for _ in range(20):
        QApplication.processEvents()
    assert window.session.state.page == "median"


@pytest.mark.parametrize(
    "pages",
    [
        ("histogram", "lessons"),
        pytest.param(("spanning-tree", "clustering", "one-cluster", COMPARE.name), marks=pytest.mark.slow),
    ],
    ids=lambda pages: pages[0],
)
def test_no_part_of_a_window_is_a_window_of_its_own_for_a_moment(qapp, window_on, pages):
    flashes = Flashes()
    window = window_on()
    for page in pages:
        window.session.show_page(page)
        assert window.wait_until_idle(30_000)
    assert flashes.seen == []
    lonely = QLabel("alone")
    lonely.show()
    flashes.end()
    lonely.deleteLater()
    assert len(flashes.seen) == 1

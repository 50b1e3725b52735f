"""A window in the view "Compare"."""

import numpy as np
import pytest
from compare_windows import FEW
from loading import load


@pytest.fixture(scope="module")
def shared(qapp, one_process):
    """A window that all tests here use, on 101 values."""
    from app.session import Session
    from app.window.main_window import MainWindow

    window = MainWindow(Session())
    window.show()
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def in_this_process(monkeypatch):
    """Compare without processes: each data's first takes a second to start."""
    from app.pages.compare.runner import ComparisonAnalysis

    monkeypatch.setattr(ComparisonAnalysis, "_for", lambda *_: None)


@pytest.fixture
def room(shared, qtbot, dataset):
    """The window in the room, with the same column as at first, and few runs."""
    session = shared.session
    session.show_page("median")
    if session.state.data.numbers is None or session.state.dataset.title != "column.csv":
        load(session, dataset("column.csv", x=np.linspace(0, 100, 101)), "x", 0.0, 100.0)
    session.show_view("curator")
    session.edit(
        "begin", comparison=FEW, noise="lcp", query="median", epsilon=1.0, delta=None, modified_values={}
    )
    session.show_page("compare")
    assert shared.wait_until_idle(30_000)
    session.undo_stack.clear()
    shared.body.messages.clear()
    shared.page.show_tab("errors")
    yield shared
    shared.session.show_page("compare")
    shared.wait_until_idle()

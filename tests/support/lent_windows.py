"""Windows that the tests of a module borrow from each other: each new one takes half a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from PySide6.QtWidgets import QDialog

from app.model.dataset import Dataset
from app.model.ledger import LazyLedger
from app.session import Session
from app.window.main_window import MainWindow
from engine.data import Table

NEXT: list[bool] = [True]
"""Whether another test of the module comes after the one that is torn down."""


@contextmanager
def kept(
    page: str,
    name: str,
    columns: dict[str, Any],
    opens: Callable[..., None],
    *known: Any,
    chosen: dict[str, dict[str, Any]] | None = None,
    query: str | None = None,
) -> Iterator[Any]:
    """Keep a shown, idle window for all tests of a module, which borrow it.

    What is `chosen` beforehand is told by kind and name, as for `points_on`.
    """
    session = Session()
    session.show_page(page)
    opens(session, Dataset(Table(name, pa.table(columns)), f"file:{name}"), *known)
    for place, parameters in (chosen or {}).items():
        session.edit("choose", parameters={place: parameters})
    if query is not None:
        session.edit("ask", query=query)
    session.undo_stack.clear()
    with started(session) as made:
        yield made


@contextmanager
def started(session: Session | None = None) -> Iterator[Any]:
    """Keep a shown, idle window on a session; without one, as a first start shows it."""
    made = MainWindow(session or Session())
    made.show()
    assert made.wait_until_idle(30_000)
    yield made
    if made.isVisible():
        made.close()
    made.deleteLater()


@contextmanager
def borrowed(window: Any) -> Iterator[Any]:
    """Lend a window to a test that changes its session and what is open on its page at most.

    What the test patches must be as before when the window comes back: it draws again what it showed.
    After the last test of a module it is closed as it is.
    """
    session, page, opened = window.session, window.page, window.page.view_state
    begun = vars(session.state).copy()
    window.activateWindow()  # another one may have been in front since; keys are for the active window
    yield window
    for dialog in window.findChildren(QDialog):
        dialog.close()
    session.ledger = LazyLedger()
    window.controllers.session_files._saved = None  # nothing asks whether to save it
    if not NEXT[0]:
        session.undo_stack.clear()
        window.close()
        return
    session._replace(begun)
    window.controllers.budget_watcher.refresh()
    session.undo_stack.clear()
    window.body.messages.clear()
    window.body.column.release.tuning_button.setChecked(False)
    page.restore_view_state(opened)
    assert window.wait_until_idle(30_000)

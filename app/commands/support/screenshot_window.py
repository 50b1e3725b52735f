"""The window of a screenshot: brought to a page, a picture, a lesson or a dialog, and waited for."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.support.data import DataReader
from app.commands.support.options import UsageError
from app.model.loaded import LocatedTable
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.workspaces import WORKSPACES
from app.model.view_states import AuditChoice
from app.model.wording.numbers import short
from engine.errors import SensiscopeError
from engine.mechanisms import PLANTED

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.lessons.lesson import Lesson
    from app.window.main_window import MainWindow

PATIENCE = 60_000
"""Milliseconds that a page gets to finish its curves."""
COMPARING = 600_000
"""Milliseconds that a comparison gets: thousands of releases of everything that fits."""


@contextlib.contextmanager
def hidden_window(page: str, ledger: Path | None) -> Iterator[MainWindow]:
    """Make a window on a page that is not seen, and delete it afterwards."""
    if sys.platform.startswith("linux"):
        # even where there is a display: Qt ends the process if it cannot be reached
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication(["sensiscope screenshot"])
    assert isinstance(application, QApplication)
    application.setStyle("Fusion")
    from app.model.ledger import LazyLedger
    from app.session import Session
    from app.window.main_window import MainWindow

    session = Session(ledger=LazyLedger(ledger))
    session.show_page(page)
    window = MainWindow(session)
    try:
        yield window
    finally:
        window.close()
        window.deleteLater()


def wait(window: MainWindow, patience: int = PATIENCE) -> None:
    """Wait until the window has nothing left to do."""
    if not window.wait_until_idle(patience):
        raise SensiscopeError(f"the page was not ready after {short(patience / 1000)} seconds")


def arrange_page(
    window: MainWindow, options: argparse.Namespace, query: DataReader, data: LocatedTable | None
) -> None:
    """Bring the window to where the picture is to be taken."""
    failures: list[str] = []
    window.controllers.data.failed.connect(lambda failure: failures.append(failure.message))
    if data is not None:
        _open(window, data, query, options.missing)
        wait(window)
    if failures:
        raise SensiscopeError(failures[0])
    window.session.edit("ask", query=query.name)
    window.session.show_view(options.view)
    window.controllers.appearance.set_presentation(options.presentation)
    if options.page in WORKSPACES:
        _run_in(window, options.page, options.tab)
    elif options.tab is not None:
        _show_tab(window, options, query)
    if options.beside is not None:
        wait(window)
        if window.page.second is not None:
            window.page.second.show("" if options.beside == "none" else options.beside)
        wait(window, COMPARING)  # of an audit, too, which may take as long
    if options.k is not None:
        wait(window)
        window.page.choose(k=options.k)


def arrange_lesson(
    window: MainWindow, options: argparse.Namespace, lesson: tuple[Lesson, int] | None
) -> None:
    """Bring the window to a step of a lesson, or to the list of all."""
    failures: list[str] = []
    window.controllers.lessons.player.failed.connect(lambda failure: failures.append(failure.message))
    window.controllers.appearance.set_presentation(options.presentation)
    if lesson is not None:
        window.controllers.lessons.player.start(*lesson)
        wait(window)
    if failures:
        raise SensiscopeError(failures[0])


def open_over(window: MainWindow, name: str) -> QWidget:
    """Open what has this name in the menus; return it, or the window if it is a part of that."""
    from PySide6.QtWidgets import QApplication

    before = set(QApplication.topLevelWidgets())
    window.actions_by_name[name].trigger()
    wait(window)
    fresh = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    QApplication.processEvents()  # what is drawn in it is drawn once it has its size
    wait(window)
    return fresh[-1] if fresh else window


def _show_tab(window: MainWindow, options: argparse.Namespace, query: DataReader) -> None:
    """Open a picture, if there is one of this query on these data."""
    from app.widgets.tabs import Tabs

    bar = window.page.findChild(Tabs)
    if bar is not None:
        there = bar.offered
        if options.tab not in there:
            raise UsageError(
                f"--tab: of these data {query.name} has no picture '{options.tab}' in the {options.view} "
                f"view; it has {', '.join(there)}"
            )
    if options.tab == AUDIT:
        low_bits = options.planted is not None and PLANTED[options.planted].shows_in_low_bits
        choice = AuditChoice(bug=options.planted or "")
        window.page.show_audit(choice, "low-bits" if low_bits else None)
    else:
        window.page.show_tab(options.tab)


def _run_in(window: MainWindow, workspace: str, tab: str | None) -> None:
    """Have done what Run does in a workspace: compare all that answer the same question."""
    wait(window)
    window.session.show_page(workspace)
    wait(window)
    if tab is not None:
        window.page.show_tab(tab)
    window.page.run()
    wait(window, COMPARING)


def _open(window: MainWindow, data: LocatedTable, query: DataReader, missing: str) -> None:
    """Open the data, with the fields of the state that the options declare."""
    from app.model.dataset import Dataset
    from engine.data import example_digest

    # the window, too, leaves out an example's records without a value
    fields = {**data.fields, "missing": "drop" if data.example else missing, "bounds_source": "known"}
    fields = {**window.session.state.data.with_part(query.reads, fields), "query": query.name}
    digest = example_digest(data.example) if data.example else f"file:{data.table.source}"
    window.controllers.data.open_fields(Dataset(data.table, digest, example=data.example), fields)

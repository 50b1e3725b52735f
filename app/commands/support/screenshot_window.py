"""The window of a screenshot: opens a page, a picture, a lesson or a dialog, and waits for it."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.support.data import DataReader, missing_of, reading_of
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

    from app.jobs.channels import Failure
    from app.jobs.tasks import JobProgress
    from app.lessons.lesson import Lesson
    from app.window.main_window import MainWindow

WAIT_MILLISECONDS = 60_000
"""Milliseconds that a page may work without reporting progress."""


@contextlib.contextmanager
def hidden_window(page: str, ledger: Path | None) -> Iterator[MainWindow]:
    """Make an invisible window on a page, and delete it afterwards."""
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


@contextlib.contextmanager
def collect_failures(window: MainWindow) -> Iterator[list[BaseException]]:
    """Yield the list of errors of jobs and pictures, which a window explains without ending."""
    errors: list[BaseException] = []
    window.controllers.status.failed.connect(lambda failure: errors.append(failure.error))
    before, sys.excepthook = sys.excepthook, lambda _, error, __: errors.append(error)
    try:
        yield errors
    finally:
        sys.excepthook = before


def wait(window: MainWindow) -> None:
    """Wait until the window is idle, as long as its work makes progress."""
    reports: list[JobProgress] = []
    window.jobs.progressed.connect(reports.append)
    while not window.wait_until_idle(WAIT_MILLISECONDS):
        if not reports:
            raise SensiscopeError(
                f"the page made no progress for {short(WAIT_MILLISECONDS / 1000)} seconds and is not ready"
            )
        reports.clear()
    window.jobs.progressed.disconnect(reports.append)


def arrange_page(
    window: MainWindow, options: argparse.Namespace, query: DataReader, data: LocatedTable | None
) -> None:
    """Open the data, the page and the picture in the window."""
    failures: list[Failure] = []
    window.controllers.data.failed.connect(failures.append)
    if data is not None:
        _open(window, data, query, options)
        wait(window)
    if failures:
        raise failures[0].error
    if options.query is not None:
        window.session.edit("change the query", query=query.name)
    window.session.show_view(options.view)
    window.controllers.appearance.set_presentation(bool(options.presentation))
    if options.page in WORKSPACES:
        _run_in(window, options.page, options.tab)
    elif options.tab is not None:
        _show_tab(window, options, query)
    if options.beside is not None:
        wait(window)
        if window.page.second is not None:
            window.page.second.show("" if options.beside == "none" else options.beside)
        wait(window)
    if options.k is not None:
        wait(window)
        window.page.choose(k=options.k)


def arrange_table(window: MainWindow, options: argparse.Namespace) -> None:
    """Open the table of the program in the window, if one is named, and the page."""
    failures: list[Failure] = []
    data = window.controllers.data
    data.failed.connect(failures.append)
    if options.example is not None:
        data.open_table_example(options.example, options.page)
    elif options.data is not None:
        data.open_table(options.data, reading_of(options))
    wait(window)
    if failures:
        raise failures[0].error
    window.session.show_page(options.page)
    window.session.show_view(options.view)
    window.controllers.appearance.set_presentation(bool(options.presentation))


def arrange_lesson(
    window: MainWindow, options: argparse.Namespace, lesson: tuple[Lesson, int] | None
) -> None:
    """Open a step of a lesson, or the list of lessons, in the window."""
    failures: list[Failure] = []
    window.controllers.lessons.player.failed.connect(failures.append)
    window.controllers.appearance.set_presentation(bool(options.presentation))
    if lesson is not None:
        window.controllers.lessons.player.start(*lesson)
        wait(window)
    if failures:
        raise failures[0].error


def open_over(window: MainWindow, name: str) -> QWidget:
    """Run the action of this name; return the dialog that it opens, or the window for an overlay."""
    from PySide6.QtWidgets import QApplication

    from app.widgets.plot_canvas import PlotCanvas

    before = set(QApplication.topLevelWidgets())
    window.actions_by_name[name].trigger()
    wait(window)
    fresh = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    seen = fresh[-1] if fresh else window
    QApplication.processEvents()  # its pictures wait for its size
    wait(window)
    while any(canvas.drawing for canvas in seen.findChildren(PlotCanvas)):
        QApplication.processEvents()
    return seen


def _show_tab(window: MainWindow, options: argparse.Namespace, query: DataReader) -> None:
    """Open a picture; `UsageError` if this query has none of this name on these data."""
    from app.widgets.tabs import Tabs

    bar = window.page.findChild(Tabs)
    if bar is not None:
        there = bar.offered
        if options.tab not in there:
            raise UsageError(
                f"--tab: {query.name} has no picture '{options.tab}' of these data in the {options.view} "
                f"view; it has {', '.join(there)}"
            )
    if options.tab == AUDIT:
        low_bits = options.planted is not None and PLANTED[options.planted].shows_in_low_bits
        choice = AuditChoice(bug=options.planted or "")
        window.page.show_audit(choice, "low-bits" if low_bits else None)
    else:
        window.page.show_tab(options.tab)


def _run_in(window: MainWindow, workspace: str, tab: str | None) -> None:
    """Run a workspace: compare all mechanisms that answer the same question."""
    wait(window)
    window.session.show_page(workspace)
    wait(window)
    if tab is not None:
        window.page.show_tab(tab)
    window.page.run()
    wait(window)


def _open(window: MainWindow, data: LocatedTable, query: DataReader, options: argparse.Namespace) -> None:
    """Open the data, with the state that the options describe."""
    from app.model.dataset import Dataset
    from engine.data import example_digest

    # the window, too, leaves out an example's records without a value
    fields = {
        **data.fields,
        "missing": "drop" if data.example else missing_of(options),
        "bounds_source": "known",
    }
    fields = dict(window.session.state.data.with_part(query.reads, fields))
    if options.query is not None:
        fields["query"] = query.name
    digest = example_digest(data.example) if data.example else f"file:{data.table.source}"
    window.controllers.data.open_fields(Dataset(data.table, digest, example=data.example), fields)

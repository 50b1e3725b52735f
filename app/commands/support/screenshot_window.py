"""The window of a screenshot: brought to a page, a picture, a lesson or a dialog, and waited for."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.console import remark
from app.commands.support.data import DataReader
from app.commands.support.hidden_window import wait
from app.commands.support.options import UsageError
from app.model.audit_choice import AuditChoice
from app.model.loaded import LocatedTable
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.workspaces import WORKSPACES
from engine.errors import SensiscopeError
from engine.mechanisms import PLANTED

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.lessons.lesson import Lesson
    from app.model.state import SessionState
    from app.window.main_window import MainWindow

COMPARING = 600_000
"""Milliseconds that a comparison gets: thousands of releases of everything that fits."""


def arrange_page(
    window: MainWindow, options: argparse.Namespace, query: DataReader, data: LocatedTable | None
) -> None:
    """Bring the window to where the picture is to be taken."""
    failures: list[str] = []
    window.controllers.data.failed.connect(lambda failure: failures.append(failure.message))
    _show(window, options)
    if data is not None:
        # the window, too, leaves out an example's records without a value
        missing = "drop" if data.example else options.missing
        _open(window, data, _declared(window.session.state, query, data, missing))
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
        _show_beside(window, options.beside)
        wait(window, COMPARING)  # of an audit, too, which may take as long
    if options.k is not None:
        wait(window)
        window.page.choose(k=options.k)
    _end(window, options)


def arrange_lesson(
    window: MainWindow, options: argparse.Namespace, lesson: tuple[Lesson, int] | None
) -> None:
    """Bring the window to a step of a lesson, or to the list of all."""
    failures: list[str] = []
    window.controllers.lessons.player.failed.connect(lambda failure: failures.append(failure.message))
    _show(window, options)
    window.controllers.appearance.set_presentation(options.presentation)
    if lesson is not None:
        window.controllers.lessons.player.start(*lesson)
        wait(window)
    if failures:
        raise SensiscopeError(failures[0])
    _end(window, options)


def _show(window: MainWindow, options: argparse.Namespace) -> None:
    """Open the window as large as it is to be."""
    window.controllers.appearance.set_theme(options.theme)
    window.setFixedSize(*options.size)
    window.show()
    wait(window)


def _end(window: MainWindow, options: argparse.Namespace) -> None:
    """Wait for everything to be drawn, and say what there is no room for."""
    wait(window)
    least = window.minimumSizeHint()
    if least.width() > options.size[0] or least.height() > options.size[1]:
        remark("note", f"the page needs {least.width()}x{least.height()} pixels to show everything")


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


def _show_beside(window: MainWindow, tab: str) -> None:
    """Show a second picture, or none."""
    if window.page.second is not None:
        window.page.second.show("" if tab == "none" else tab)


def _run_in(window: MainWindow, workspace: str, tab: str | None) -> None:
    """Have done what Run does in a workspace: compare all that answer the same question."""
    wait(window)
    window.session.show_page(workspace)
    wait(window)
    if tab is not None:
        window.page.show_tab(tab)
    window.page.run()
    wait(window, COMPARING)


def _declared(state: SessionState, query: DataReader, data: LocatedTable, missing: str) -> dict[str, Any]:
    """Return the fields of the state that the options declare."""
    fields = {**data.fields, "missing": missing, "bounds_source": "known"}
    return {**state.data.with_part(query.reads, fields), "query": query.name}


def _open(window: MainWindow, data: LocatedTable, fields: dict[str, Any]) -> None:
    from app.model.dataset import Dataset
    from engine.data import example_digest

    digest = example_digest(data.example) if data.example else f"file:{data.table.source}"
    dataset = Dataset(data.table, digest, example=data.example)
    window.controllers.data.open_fields(dataset, fields)

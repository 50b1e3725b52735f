"""Puts a script together: data, mechanism, and the numbers of the page or workspace that is open."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from app.export.script import auditing, comparing, declared, released
from app.export.script.cell import ScriptCell
from app.export.script.data import data
from app.export.script.expressions import written
from app.export.script.mechanism import mechanism
from app.export.script.page_script import NOT_WRITTEN
from app.export.script.subject import Subject
from app.model.pages.registry import PAGES
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.pages.audit.tabs import TAB as AUDIT
from app.pages.compare.request import Alternatives, request_of
from engine import __version__
from engine.aggregation.black_box import BlackBox
from engine.errors import ParameterError

CURATOR = (
    'What is marked "private" is computed from the raw data and must not leave the room: '
    "neither must a file with these numbers."
)
RELEASE = "It holds only what may leave the room: public facts, and what was released."


def script_of(state: SessionState, view_state: ViewState) -> list[ScriptCell]:
    """Return the sections of a script that finds the numbers of the open page or workspace again.

    In the release view nothing in it is computed from raw data.

    Raises
    ------
    ParameterError
        If something is missing, or makes no sense.
    """
    cells = _sections(state, view_state)
    return cells if state.view == "curator" else _without_folders(cells, state)


def _sections(state: SessionState, view_state: ViewState) -> list[ScriptCell]:
    if state.workspace == "compare":
        request = request_of(state, Alternatives())
        if request.wrong:
            raise ParameterError(request.choice.sweep, request.wrong)
        subject = Subject(state, view_state, request)
        room = comparing.SCRIPT
        return [_title("Comparison", subject), *room.cells(subject), *room.picture(subject)]
    subject = Subject.of(state, view_state)
    page = PAGES[state.page]
    cells, audit = [*declared.page_cells(page, subject)], auditing.cells(subject)
    if view_state.tab != AUDIT:
        cells += declared.picture_cells(page, subject)
    elif not audit:
        audit = [NOT_WRITTEN]
    # pictures are for the end of a notebook
    sections = [*cells, *audit]
    pictures = [cell for cell in sections if cell.picture]
    rest = [cell for cell in sections if not cell.picture]
    found = [data(subject), mechanism(subject), *rest, *released.cells(subject)]
    return [_title(page.subject, subject), *found, *pictures]


def _without_folders(cells: list[ScriptCell], state: SessionState) -> list[ScriptCell]:
    """Return sections in which functions from files have no folders, which may name people."""
    functions = (
        state.file_function,
        *(getattr(one, "function", None) for one in state.comparison.mechanisms or ()),
    )
    paths = {one.path for one in functions if isinstance(one, BlackBox)}
    for path in paths:
        short = written(Path(path).name)
        cells = [dataclasses.replace(cell, code=cell.code.replace(written(path), short)) for cell in cells]
    return cells


def _title(name: str, subject: Subject) -> ScriptCell:
    words = f"Written by Sensiscope {__version__}. {CURATOR if subject.curator else RELEASE}"
    return ScriptCell(f"{name}: numbers on the engine alone.", words=words)

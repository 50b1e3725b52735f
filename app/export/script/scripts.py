"""Puts a script together: data, mechanism, and the numbers of the page or workspace that is open."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from app.export.script import auditing, declared, released
from app.export.script.cell import ScriptCell
from app.export.script.data import data
from app.export.script.expressions import written
from app.export.script.subject import Subject
from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT
from app.model.pages.registry import PAGES, places
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine import __version__
from engine.catalog import FAMILIES
from engine.components import files_of

CURATOR = (
    'What is marked "confidential" is computed from the raw data and must not be shared: '
    "neither must a file with these numbers."
)
RELEASE = "It holds only what can be shared: public facts, and what was released."


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
    position = places()[state.visible_view]
    page = position if position.pictures else PAGES[state.page]
    subject = Subject.of(page, state, view_state)
    results = [*declared.page_cells(page, subject)]
    if view_state.tab != AUDIT.name:
        results += declared.picture_cells(page, subject)
    if page.data is not None:
        results += auditing.cells(subject)
    asked: ScriptCell = page.stated(subject)
    # pictures are for the end of a notebook
    pictures = [cell for cell in results if cell.picture]
    rest = [cell for cell in results if not cell.picture]
    return [_title(page, subject), data(subject), asked, *rest, *released.cells(subject), *pictures]


def _without_folders(cells: list[ScriptCell], state: SessionState) -> list[ScriptCell]:
    """Return sections in which functions from files have no folders, which may hold users' names."""
    chosen = *filter(None, map(state.from_file, FAMILIES)), *(state.comparison.mechanisms or ())
    for path in {file.path for one in chosen for file in files_of(one)}:
        short = written(Path(path).name)
        cells = [dataclasses.replace(cell, code=cell.code.replace(written(path), short)) for cell in cells]
    return cells


def _title(page: PageSpec, subject: Subject) -> ScriptCell:
    text = f"Written by Sensiscope {__version__}. {CURATOR if subject.curator else RELEASE}"
    return ScriptCell(f"{page.subject}: numbers on the engine alone.", words=text)

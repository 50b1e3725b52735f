"""The pages of a window."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs.channels import Jobs
from app.model.dataset import PointedRecord
from app.model.page_spec import PageSpec
from app.model.pages.registry import PAGES, places
from app.model.pages.workspaces import LESSONS, WORKSPACES
from app.model.references import Loader
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.view_states import ViewState
from app.pages.base.picture_panel import groups_of
from app.pages.base.view import View
from app.session import Session

if TYPE_CHECKING:
    from app.lessons.lessons_page import LessonsPage


class Pages(QObject):
    """All pages of a window by name, each made when it is opened, or asked for, for the first time."""

    made = Signal(object)  # View: a page was made; it does not follow the session yet

    def __init__(self, parent: QObject, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._palette = palette
        self.names = tuple(places())  # in the order of the menu
        self._views: dict[str, View] = {}
        self._wanted: dict[str, ViewState] = {}
        session.pointer.moved.connect(self._point_at)

    def __getitem__(self, name: str) -> View:
        """Return a page by its name."""
        if name not in self._views:
            self._make(name)
        return self._views[name]

    def _make(self, name: str) -> None:
        spec, widget = PAGES.get(name), _spec(name).widget()
        if spec is not None:
            view: View = widget(spec, self._session, self._jobs, self._palette)
        else:
            view = widget(self._session, self._jobs, self._palette)
        self._views[name] = view
        self.made.emit(view)
        if name in self._wanted:
            view.restore_view_state(self._wanted.pop(name))
        else:
            view.refresh()
        gc.freeze()  # pages stay until the end: no collection looks at them again, which would take 0.1 s

    def parts(self, name: str) -> tuple[Loader, ...]:
        """Return what loads all that it takes to make a page."""
        return _spec(name).parts

    def has(self, name: str) -> bool:
        """Tell whether a page is made already."""
        return name in self._views

    @property
    def there(self) -> tuple[View, ...]:
        """The pages that are made already."""
        return tuple(self._views.values())

    @property
    def lessons(self) -> LessonsPage:
        """The list of lessons."""
        page: LessonsPage = self[LESSONS.name]  # type: ignore[assignment]  # its widget is declared by name
        return page

    @property
    def shown(self) -> View:
        """The page that is open."""
        return self[self._session.state.visible_view]

    @property
    def pictured(self) -> View:
        """The page that is open, or the one with the data where that has no pictures."""
        shown = self.shown
        return shown if shown.card is not None else self[self._session.state.page]

    @property
    def view_states(self) -> dict[str, ViewState]:
        """How all pages look, or will once they are opened."""
        return {name: self._view_state(name) for name in self.names}

    def restore(self, view_states: Mapping[str, ViewState]) -> None:
        """Open what was open in each page, at once or once the page is opened; `ViewState()` by default."""
        for name in self.names:
            wanted = view_states.get(name, ViewState())
            if name in self._views:
                self._views[name].restore_view_state(wanted)
            else:
                self._wanted[name] = wanted

    def settled(self, state: SessionState) -> SessionState:
        """Return a state that says by itself all that is seen."""
        return self.shown.settled(state)

    def _point_at(self, pointed: PointedRecord | None) -> None:
        """Mark the record that is pointed at in all pictures of the open page that show it."""
        for canvas in self.shown.canvases:
            if canvas is not None and canvas.surface is not None:
                canvas.surface.point_at(pointed)

    def _view_state(self, name: str) -> ViewState:
        if name in self._views:
            return self._views[name].view_state
        return self._wanted[name] if name in self._wanted else first_look(name)


def first_look(name: str) -> ViewState:
    """Return how a page looks that has just been made: as it is declared."""
    spec = _spec(name)
    groups = sorted(groups_of(spec.pictures), key=lambda group: group.line)
    options = {declared.name: declared.default for group in groups for declared in group.parameters()}
    return ViewState(
        tab=spec.opened or next((picture.name for picture in spec.pictures), ""), options=options
    )


def _spec(name: str) -> PageSpec:
    return PAGES.get(name) or WORKSPACES[name]

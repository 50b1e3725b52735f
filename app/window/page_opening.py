"""Pages that users choose: what was never seen is made first, a piece of it in each turn of the loop."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.pages.registry import PAGE_KINDS, queries_of
from app.model.references import Loader
from app.panels.release_panel import kinds_of
from app.session import Session
from app.widgets.deferred import deferred_call, take_frame_slot
from app.window.appearance import Appearance
from app.window.layout import WindowLayout


class PageOpening(QObject):
    """Opens pages without holding the window up.

    Until all of a page is made, the one before stays open, whole and in use.

    `appearance` styles what is made.
    """

    def __init__(self, session: Session, jobs: Jobs, body: WindowLayout, appearance: Appearance) -> None:
        super().__init__(body)
        self._session, self._body, self._appearance = session, body, appearance
        self._wanted = ""
        self._pieces: Iterator[bool] = iter(())
        self._turn = deferred_call(self, self._take_turn)
        # what fails to load fails in the same way, in sight, once it is shown
        self._loading: Channel = jobs.channel("page", self._take_turn, self._show)
        body.navigation.page_chosen.connect(self.open)
        session.watch({"page", "workspace", "lesson"}, self, self.end)

    @property
    def pending(self) -> bool:
        """Whether a page is made that is to be opened."""
        return bool(self._wanted)

    def open(self, name: str) -> None:
        """Open a page: at once if it is made already."""
        self.end()
        self._wanted = name
        self._pieces = self._missing(name)
        self._go_on()

    def end(self, _: object = None) -> None:
        """Open nothing any more."""
        self._wanted = ""
        self._turn.stop()
        self._loading.cancel()

    def _take_turn(self, _: object = None) -> None:
        """Go on, unless something else has this turn: a picture of the page before, which is still drawn."""
        if take_frame_slot():
            self._go_on()
        else:
            self._turn.start()

    def _go_on(self) -> None:
        """Make the next piece; after the last one, the page is opened."""
        made = next(self._pieces, None)
        if made is None:
            self._show()
        elif made:
            self._turn.start()

    def _show(self, _: object = None) -> None:
        wanted, self._wanted = self._wanted, ""
        self._session.show_page(wanted)

    def _missing(self, name: str) -> Iterator[bool]:
        """Make what a page and its forms lack, a piece at a time; say of each whether it is there already."""
        pages, column = self._body.pages, self._body.column
        if not pages.has(name):
            self._loading.request(partial(_load, name, pages.parts(name)))
            yield False
            _ = pages[name]
            yield True
        parts: list[QWidget] = [pages[name]]
        if name in PAGE_KINDS:
            made = len(column.data_panels)
            parts.append(column.data_for(self._session.state.at(name)))
            if len(column.data_panels) > made:
                yield True
        for part in parts:
            if self._appearance.style(part):
                yield True


def _load(page: str, parts: tuple[Loader, ...], _: JobTask) -> bool:
    """Import what a page is made of and offers (in a worker: it takes a moment)."""
    for load in parts:
        load()
    if page in PAGE_KINDS:
        kinds_of(queries_of(page), ())
    return True

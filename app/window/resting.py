"""Pages that were not seen for a while let go what they show; it is found again when they are."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.session import Session
from app.window.pages import Pages
from engine.free_memory import give_back

AWAY = 600.0
"""Seconds without being seen, after which a page rests: its pictures, what was found out for them, and the
databases that no other page asks for are dropped.  Choices and files stay, and what is shown follows from
them: whoever comes back waits as long as when the page was first opened.  Comparisons do not rest, since
nothing is compared unasked."""

LOOKS_MS = 60_000
"""Between two looks at the clock."""


class Resting(QObject):
    """Lets pages rest, by the clock.

    Attributes
    ----------
    names : set of str
        The pages that rest.
    """

    def __init__(self, session: Session, pages: Pages, jobs: Jobs) -> None:
        super().__init__(session)
        self._session, self._pages = session, pages
        self._memory = jobs.channel("memory")
        self._shown = session.state.visible_view
        self._seen: dict[str, float] = {}
        self.names: set[str] = set()
        self._clock = QTimer(self, interval=LOOKS_MS)
        self._clock.timeout.connect(self._look)
        self._clock.start()
        session.watch({"page", "workspace"}, self, self._follow)

    def _follow(self) -> None:
        """Note when a page is left, and that the one which is opened rests no more."""
        self._seen[self._shown] = time.monotonic()
        self._shown = self._session.state.visible_view
        self.names.discard(self._shown)

    def _look(self) -> None:
        """Let pages rest that were left long enough ago."""
        now = time.monotonic()
        rested = [
            page.name
            for page in self._pages.there
            if page.name != self._shown
            and page.name not in self.names
            and now - self._seen.setdefault(page.name, now) >= AWAY
            and page.rest()
        ]
        if not rested:
            return
        self.names.update(rested)
        state = self._session.state
        asleep = self.names - {state.page}  # a comparison is about the data of a page
        awake = list(state.builders(asleep))
        self._session.databases.rest(
            source
            for source in state.builders()
            if not any(type(one) is type(source) and source.same(one) for one in awake)
        )
        self._memory.request(_give_back)


def _give_back(_: JobTask) -> None:
    """Hand memory back to the system (in a worker: it takes a moment)."""
    give_back()

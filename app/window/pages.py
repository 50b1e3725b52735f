"""The pages of a window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.jobs.channels import Channel, Jobs
from app.lessons.lessons_page import LessonsPage
from app.model.pages.registry import PAGES
from app.model.pages.workspaces import LESSONS, WORKSPACES
from app.model.references import resolve
from app.model.state import SessionState
from app.pages.base.page import Page
from app.pages.base.picture_view import PictureView
from app.pages.base.view import View
from app.session import Session
from app.theme import Palette


class Pages(Mapping[str, View]):
    """All pages of a window by name, in the order of the menu."""

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        self._session = session
        self.with_data: tuple[Page, ...] = tuple(
            resolve(spec.widget)(spec, session, jobs, palette) for spec in PAGES.values()
        )
        others: list[View] = [resolve(spec.widget)(session, jobs, palette) for spec in WORKSPACES.values()]
        self._by_name: dict[str, View] = {page.name: page for page in (*self.with_data, *others)}

    def __getitem__(self, name: str) -> View:
        """Return a page by its name."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._by_name)

    def __len__(self) -> int:
        """Return how many pages there are."""
        return len(self._by_name)

    @property
    def lessons(self) -> LessonsPage:
        """The list of lessons."""
        page = self[LESSONS.name]
        assert isinstance(page, LessonsPage)
        return page

    @property
    def with_pictures(self) -> tuple[PictureView, ...]:
        """The pages that show pictures."""
        return tuple(page for page in self.values() if isinstance(page, PictureView))

    @property
    def imports(self) -> tuple[Channel, ...]:
        """What imports the pictures of each page."""
        return tuple(page.pictures for page in self.with_pictures)

    @property
    def shown(self) -> View:
        """The page that is open."""
        return self[self._session.state.visible_view]

    @property
    def pictured(self) -> View:
        """The page that is open, or the one with the data where that has no pictures."""
        shown = self.shown
        return shown if isinstance(shown, PictureView) else self[self._session.state.page]

    def settled(self, state: SessionState) -> SessionState:
        """Return a state that says by itself all that is seen."""
        return self.shown.settled(state)

"""The pages of a window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.jobs.channels import Channel, Jobs
from app.lessons.lessons_page import LessonsPage
from app.model.pages.registry import PAGES
from app.model.references import resolve
from app.pages.base.page import Page
from app.pages.base.view import View
from app.pages.compare.page import ComparePage
from app.session import Session
from app.theme import Palette


class Pages(Mapping[str, View]):
    """All pages of a window by name, in the order of the menu."""

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        self._session = session
        self.with_data: tuple[Page, ...] = tuple(
            resolve(spec.widget)(spec, session, jobs, palette) for spec in PAGES.values()
        )
        self.compare = ComparePage(session, jobs, palette)
        self.lessons = LessonsPage(session, jobs, palette)
        self._by_name: dict[str, View] = {
            page.name: page for page in (*self.with_data, self.compare, self.lessons)
        }

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
    def imports(self) -> tuple[Channel, ...]:
        """What imports the pictures of each page."""
        return (*(page.pictures for page in self.with_data), self.compare.pictures)

    @property
    def shown(self) -> View:
        """The page that is open."""
        return self[self._session.state.visible_view]

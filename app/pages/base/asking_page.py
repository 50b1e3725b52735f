"""A page that asks for its declared pictures: what a worker is asked for each, and why there is none."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, ClassVar

from app.jobs.tasks import JobTask
from app.model.picture_spec import PictureSpec, Seeded
from app.model.selection import Selection
from app.pages.base.answering import PictureRequest, PictureWork
from app.pages.base.page import Page
from app.pages.base.picture_panel import PicturePanel
from app.session import Session
from engine.components import part_of, release_parameters
from engine.mechanisms import Release

NOTHING = "Nothing has been released yet. Run makes the first release; what it gives will stand here."
DEMONSTRATION = "A demonstration, not your data:"


class AskingPage(Page):
    """Knows what is asked of a worker for each picture.

    Attributes
    ----------
    unreleased : str
        What stands in the release view in the place of a release that has found nothing.
    """

    unreleased: ClassVar[str] = NOTHING
    card: PicturePanel

    @property
    def is_ready_to_show(self) -> bool:
        """Whether pictures can be made, and are looked at."""
        return self._made and self.is_open

    @property
    def _curator(self) -> bool:
        return self._session.state.view == "curator"

    def _may_see(self, tab: str) -> bool:
        return self._curator or self.declared.picture(tab).is_public

    def why_not(self, setup: Selection, spec: PictureSpec) -> str:
        """Say why a picture of a setup cannot be shown; "" if it can."""
        return spec.why_absent(setup) or self._problem(setup, spec)

    def request_for(self, setup: Selection, spec: PictureSpec) -> PictureRequest | None:
        """Return what a worker is asked for a picture; None where there is no release to show."""
        if spec.is_demonstration:
            return PictureRequest(setup, spec, self.card.arguments_of(spec), public=True)
        released = self._released_for(setup, spec)
        if not self._curator and spec.takes_release and (released is None or released.value is None):
            return None
        return self._requested(setup, spec, released)

    def _released_for(self, setup: Selection, spec: PictureSpec) -> Release | None:
        """Return the release that is to be seen in a picture; None for none, or for a simulated one."""
        draws = self.card.draws if Seeded in spec.options else None
        if not spec.takes_release or (self._curator and draws is not None and draws.simulated):
            return None
        # in the place of a simulated release there may only be one of the very same mechanism
        return self._newest(setup, exactly=self._curator and draws is not None)

    def _ask_about(self, setup: Any) -> None:
        spec, card = self.card.spec, self.card
        assert spec is not None
        problem = "" if spec.is_demonstration else self._problem(setup, spec)
        if problem:
            self._refuse(setup, problem)
            return
        request = self.request_for(setup, spec)
        if spec.is_demonstration:
            why = card.titles[spec.name].why
            card.tell(f"{DEMONSTRATION} {why[0].lower()}{why[1:]}")
        elif request is None:
            nothing = self._released_for(setup, spec) is None
            card.show_waiting(NOTHING if nothing else self.unreleased)
            return
        else:
            if card.draws is not None and Seeded in spec.options:
                card.draws.say_source(request.released is not None)
            self._ask_beside(setup)
        assert request is not None
        absent = spec.why_absent(setup)
        if absent:  # what stands beside it is there all the same
            card.show_waiting(absent)
            request = dataclasses.replace(request, picture=None)
        self._request(request)

    def _problem(self, setup: Selection, spec: PictureSpec) -> str:
        """Say why there is no such picture of a setup; "" if there is."""
        mechanism, source = setup.mechanism, setup.source
        if not spec.runs and part_of(mechanism, "query"):  # there is more to see than its releases
            return ""
        problems = mechanism.problems(setup.privacy, source.domain, source.n)
        return problems[0].message if problems else ""

    def _refuse(self, setup: Selection, problem: str) -> None:
        """Say why there is no picture."""
        self._explain(problem)

    def _requested(self, setup: Selection, spec: PictureSpec, released: Release | None) -> PictureRequest:
        """Return what a worker is asked for a picture."""
        value = None if released is None else released.value
        more = spec.arguments_of(self._session.state, self._view_state())
        return PictureRequest(setup, spec, self.card.arguments_of(spec), value, not self._curator, more)

    def _request(self, request: PictureRequest) -> None:
        if request.picture is not None:
            canvas = self.card.open()
            canvas.private = canvas.private and not request.public
        self._put(request, self._job(request), live=not request.public)

    def _put(self, request: PictureRequest, work: Callable[[JobTask], Any], *, live: bool) -> None:
        """Let a worker answer a request; what it answers is about the choices of now."""
        self.card.freshness.newest = request
        self.curves.request(work, live=live)

    def _job(self, request: PictureRequest) -> Callable[[JobTask], Any]:
        """Return what a worker does, who must not ask the page for anything."""
        return partial(self._work.answer, request, self._session.databases)

    @property
    def _work(self) -> PictureWork:
        return PictureWork(self.declared.estimate)

    def _newest(self, setup: Selection, *, exactly: bool) -> Release | None:
        """Return the newest release of what is asked; with `exactly`, by this very mechanism."""
        return newest_release(self._session, setup, self._fits, exactly=exactly)

    def _fits(self, setup: Selection, release: Release) -> bool:
        """Tell whether what was released can be shown where the mechanism's own releases are."""
        return True

    def why_nothing(self, result: Any) -> str:
        """Say why there is nothing to be drawn of a result; "" if there is."""
        return ""

    def is_alike(self, one: Selection, other: Selection) -> bool:
        """Tell whether a picture of a setup can stand for that of another one, until that is there."""
        return self._identity(one) == self._identity(other)

    def _identity(self, setup: Selection) -> Hashable:
        """Return what makes a picture of a setup one that cannot stand for that of another."""
        return setup.mechanism.name, getattr(setup.source, "columns", ())


def newest_release(
    session: Session, setup: Selection, fits: Callable[[Selection, Release], bool], *, exactly: bool
) -> Release | None:
    """Return the newest release of what is asked that `fits`; with `exactly`, by this very mechanism."""
    state = session.state
    for record in reversed(state.releases):
        release = record.release
        same = session.is_here(record) and release.query == state.query
        if not same or not fits(setup, release):
            continue
        stated = release_parameters(setup.mechanism).items() if exactly else ()
        matches = all(release.parameters.get(name) == value for name, value in stated)
        if not exactly or (matches and release.privacy == setup.mechanism.cost(setup.privacy)):
            return release
    return None

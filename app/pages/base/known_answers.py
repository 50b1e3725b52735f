"""What a page was told last of each of its pictures, so that coming back to one asks nobody again."""

from __future__ import annotations

import dataclasses
from collections.abc import Set as AbstractSet
from typing import Any

from app.jobs.channels import JobTask
from app.model.state import SessionState
from app.pages.base.answering import ANSWERED, PictureRequest, PictureWork
from app.pages.base.results import PictureResult

Told = PictureResult[PictureRequest]


@dataclasses.dataclass(frozen=True)
class KnownAnswer:
    """All that was published of one request, of each thing the newest."""

    request: PictureRequest
    work: PictureWork
    told: tuple[Told, ...]

    def fits(self, request: PictureRequest, work: PictureWork) -> bool:
        """Tell whether another request of the same state asks for the same."""
        mine, other = (
            (one.picture, one.options, one.public, one.arguments) for one in (self.request, request)
        )
        return mine == other and self.work == work and self.request.released is request.released

    def repeat(self, request: PictureRequest, task: JobTask) -> Told:
        """Publish all of it as the answer to another request; return the end."""
        for one in self.told:
            task.publish(dataclasses.replace(one, request=request))
        return PictureResult(ANSWERED, self.work, request, request.public)


class KnownAnswers:
    """The newest whole answer for each picture of a page.

    Parameters
    ----------
    followed : set of str
        The fields of the state on which answers depend.
    """

    def __init__(self, followed: AbstractSet[str]) -> None:
        self._followed = followed
        self._known: dict[str, tuple[SessionState, KnownAnswer]] = {}
        self._state = SessionState()
        self._request: PictureRequest | None = None
        self._told: dict[str, Told] = {}

    def ask(self, state: SessionState, request: PictureRequest, work: PictureWork) -> KnownAnswer | None:
        """Return what is known; None if it has to be worked out, to be heard once it is."""
        seen, answer = self._known.get(_name(request), (state, None))
        self._state, self._request, self._told = state, request, {}
        if answer is None or self._followed & state.differences(seen) or not answer.fits(request, work):
            return None
        return answer

    def hear(self, told: Any) -> None:
        """Take a part of an answer, or its end."""
        request = self._request
        if request is None or told.request is not request:  # of an older one, which is not kept
            return
        if told.picture != ANSWERED:
            self._told[told.picture] = told
            return
        answer = KnownAnswer(request, told.result, tuple(self._told.values()))
        self._known[_name(request)] = self._state, answer

    def forget(self) -> None:
        """Keep nothing of other data, or of another view."""
        self._known.clear()
        self._state = SessionState()
        self._request = None
        self._told = {}


def _name(request: PictureRequest) -> str:
    return request.picture.name if request.picture is not None else ""

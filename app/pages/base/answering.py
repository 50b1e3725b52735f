"""What a worker does for the picture that is open: data, analysis, and what can be expected."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from app.jobs.channels import JobTask
from app.model.kinds.base import DatasetBuilder
from app.model.kinds.databases import DatabaseCache
from app.model.picture_spec import PictureSpec, called
from app.model.selection import Selection
from app.pages.base.results import PictureResult
from engine.data.public_facts import PublicFacts

ESTIMATE, CLAMPED, ANSWERED = "estimate", "clamped", "answered"
"""What is announced besides pictures: what can be expected, how many records the bounds move, and the end."""


def public_facts(source: DatasetBuilder) -> PublicFacts:
    """Return all that an analysis is told of the data of a page beside ``data``."""
    columns, units = (tuple(getattr(source, name, ())) for name in ("columns", "units"))
    return PublicFacts(getattr(source, "domain", None), source.n, columns, units)


@dataclasses.dataclass(frozen=True, eq=False)
class PictureRequest:
    """A picture of a selection.

    Attributes
    ----------
    setup : Selection
    picture : PictureSpec or None
        None where only what stands beside pictures is wanted.
    options : mapping of str to object
    released : object
        The newest release that is to be marked, if any.
    public : bool
        Whether nothing may be shown but what follows from public facts and releases.
    arguments : mapping of str to object
        What else the analysis takes.
    """

    setup: Selection
    picture: PictureSpec | None
    options: Mapping[str, Any]
    released: Any = None
    public: bool = False
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def known(self, data: Any, task: JobTask) -> dict[str, Any]:
        """Return what analyses may ask for, by name."""
        source = public_facts(self.setup.source)
        return {
            **self.options,
            **(self.picture.settings(self.options) if self.picture else {}),
            "mechanism": self.setup.mechanism,
            "privacy": self.setup.privacy,
            "source": source,
            "domain": source.domain,
            "n": source.n,
            "released": self.released,
            "progress": task,
            "data": source if self.public else data,
            **self.arguments,
        }


Step = Callable[[PictureRequest, Any, JobTask], None]
"""Publishes something beside the picture, of a request and the data; None where these must not be seen."""


@dataclasses.dataclass(frozen=True)
class PictureWork:
    """What a worker does for a page, in the order in which people look at it.

    Attributes
    ----------
    estimate : str
        Reference to the analysis that tells what can be expected; "" for none.
    before, after : tuple of Step
        What else is worked out before the picture, and after it.
    public : tuple of Step
        What of it follows from public facts.
    """

    estimate: str = ""
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    public: tuple[Step, ...] = ()

    def answer(
        self, request: PictureRequest, databases: DatabaseCache, task: JobTask
    ) -> PictureResult[PictureRequest]:
        """Publish the picture, how many records the bounds move, and what can be expected; return the end."""
        if request.public:
            for publish in (*self.public, publish_picture):
                publish(request, None, task)
        else:
            self._answer(request, databases, task)
        return PictureResult(ANSWERED, self, request, request.public)

    def _answer(self, request: PictureRequest, databases: DatabaseCache, task: JobTask) -> None:
        data = databases.get(request.setup.source)
        if hasattr(data, "outside"):  # nothing bounds categories
            task.publish(PictureResult(CLAMPED, data.outside, request))
        for publish in (*self.before, publish_picture, *self.after):
            publish(request, data, task)
        if self.estimate and not (request.picture and request.picture.is_slow):
            # of the options of all pictures, so that it stays the same whichever is open
            estimate = called(self.estimate, request.known(data, task))
            task.publish(PictureResult(ESTIMATE, estimate, request))


def publish_picture(request: PictureRequest, data: Any, task: JobTask) -> None:
    """Publish each result of the analysis of the picture."""
    picture = request.picture
    if picture is None or (request.public and not picture.is_public):
        return

    def publish(result: Any) -> None:
        task.publish(PictureResult(picture.name, result, request, request.public))

    publish(picture.compute({**request.known(data, task), "publish": publish}, public=request.public))

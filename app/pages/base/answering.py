"""What a worker does for the picture that is open: data, analysis, and what can be expected."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol

from app.model.kinds.base import DatasetBuilder
from app.model.kinds.databases import DatabaseCache
from app.model.picture_spec import PictureSpec
from app.model.references import Analysis
from app.model.selection import Selection
from app.pages.base.results import PictureResult
from engine.analysis.memory import remembered
from engine.analysis.noise import certify_noise
from engine.components import files_of
from engine.data.database import PublicFacts

ESTIMATE, CLAMPED = "estimate", "clamped"
"""What is announced besides pictures: what can be expected, and how many records the bounds move."""


class Publisher(Protocol):
    """What a worker reports to: a `JobTask`, or what listens on the way there."""

    def __call__(self, fraction: float, message: str = "") -> None:
        """Report how far the work is."""

    def publish(self, result: Any) -> None:
        """Show a part of the answer."""


class _Heard:
    """What was published in the end of an answer, of each thing the newest."""

    def __init__(self, task: Publisher) -> None:
        self._task = task
        self.told: dict[str, PictureResult[PictureRequest]] = {}

    def __call__(self, fraction: float, message: str = "") -> None:
        self._task(fraction, message)

    def publish(self, result: PictureResult[PictureRequest]) -> None:
        self.told[result.picture] = result
        self._task.publish(result)


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

    @property
    def name(self) -> str:
        """What its answer is called; that of another request of the same name takes its place."""
        return "" if self.picture is None else self.picture.name

    @property
    def decisive(self) -> tuple[Hashable, ...]:
        """All on which its answer depends besides the data."""
        setup = self.setup
        files = tuple(file.version for file in files_of(setup.mechanism))
        chosen = frozenset(self.options.items()), frozenset(self.arguments.items())
        return self.picture, setup.mechanism, setup.privacy, files, chosen, id(self.released), self.public

    def known(self, data: Any, task: Publisher) -> dict[str, Any]:
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


Step = Callable[[PictureRequest, Any, Publisher], None]
"""Publishes something beside the picture, of a request and the data; None where these must not be seen."""


@dataclasses.dataclass(frozen=True)
class PictureWork:
    """What a worker does for a page, in the order in which users look at it.

    Attributes
    ----------
    estimate : Analysis or None
        Tells what can be expected.
    before, after, late : tuple of Step
        What else is worked out before the picture, after it, and when all else is known.
    public : tuple of Step
        What of it follows from public facts.
    """

    estimate: Analysis | None = None
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    late: tuple[Step, ...] = ()
    public: tuple[Step, ...] = ()

    def answer(self, request: PictureRequest, databases: DatabaseCache, task: Publisher) -> None:
        """Publish the picture, how many records the bounds move, and what can be expected.

        The newest answer of each name is remembered beside the data, so that coming back to a picture
        works out nothing again; in the release view it is remembered beside what is public of them.
        """
        source, heard = request.setup.source, _Heard(task)
        data = databases.newest(source) if request.public else databases.get(source)

        def work() -> tuple[Any, Any]:
            self._work_out(request, None if request.public else data, heard)
            return heard.told, request.released  # which stays alive, and so the only one with its id

        key = ("answer", request.name), self, *request.decisive
        shown, _ = remembered(data, key, work, most=1)
        if shown is not heard.told:
            for one in shown.values():
                task.publish(dataclasses.replace(one, request=request))

    def _work_out(self, request: PictureRequest, data: Any, task: Publisher) -> None:
        if hasattr(data, "outside"):  # nothing bounds categories
            task.publish(PictureResult(CLAMPED, data.outside, request))
        steps = (
            (*self.public, publish_picture)
            if request.public
            else (*self.before, publish_picture, *self.after)
        )
        for publish in steps:
            publish(request, data, task)
        if self.estimate and not request.public and not (request.picture and request.picture.is_slow):
            # of the options of all pictures, so that it stays the same whichever is open
            estimate = self.estimate.call(request.known(data, task))
            task.publish(PictureResult(ESTIMATE, estimate, request))
        for publish in () if request.public else self.late:
            publish(request, data, task)


def publish_picture(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish each result of the analysis of the picture."""
    picture = request.picture
    if picture is None or (request.public and not picture.is_public):
        return

    def publish(result: Any) -> None:
        task.publish(PictureResult(picture.name, result, request, request.public))

    publish(picture.compute({**request.known(data, task), "publish": publish}, public=request.public))


def publish_certificates(setup: Any, task: Publisher) -> None:
    """Publish what the noise was found to give, then what the pairs in print give (public)."""
    task.publish(certify_noise(setup.mechanism, setup.privacy, publish=task.publish, progress=task))

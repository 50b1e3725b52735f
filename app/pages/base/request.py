"""A picture on its way from the click to the canvas.

A page makes a `PictureRequest` and sends it (`PictureRequester.send`); a worker computes it
(`PictureRequest.compute`) and publishes `PictureResult` objects, which come back to the page by the
signal `PictureRequester.result`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from app.jobs.channels import Jobs
from app.model.kept_data import DatabaseCache
from app.model.kinds.base import DatasetBuilder
from app.model.picture_spec import PictureSpec
from app.model.references import Analysis
from app.model.selection import Selection
from app.pages.base.picture_stack import StaleState
from app.widgets.deferred import deferred_call
from engine.analysis.memory import remembered
from engine.components import files_of
from engine.data.database import PublicFacts

ESTIMATE, CLAMPED = "estimate", "clamped"
"""Results besides pictures: the expected error, and the number of records that the bounds move."""


class Publisher(Protocol):
    """Receives progress and results of a worker, such as a `JobTask`."""

    def __call__(self, fraction: float, message: str = "") -> None:
        """Report progress."""

    def publish(self, result: Any) -> None:
        """Show a part of the results."""


Step = Callable[["PictureRequest", Any, Publisher], None]
"""Computes and publishes one result, from a request and the data (None if hidden)."""


@dataclasses.dataclass(frozen=True)
class PictureResult:
    """A result for one picture, or for a name of its own such as `ESTIMATE`.

    `public`: it depends on public facts only.
    """

    picture: str
    result: Any
    request: PictureRequest
    public: bool = False


def publish_picture(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish each result of the analysis of the picture."""
    picture = request.picture
    if picture is None or (request.public and not picture.is_public):
        return

    def publish(result: Any) -> None:
        task.publish(PictureResult(picture.name, result, request, request.public))

    publish(picture.compute({**request.known(data, task), "publish": publish}, public=request.public))


@dataclasses.dataclass(frozen=True)
class PublishEstimate:
    """Publishes the result of an analysis of the mechanism, for any open picture."""

    analysis: Analysis

    def __call__(self, request: PictureRequest, data: Any, task: Publisher) -> None:
        """Publish it for a request, unless its picture alone is slow."""
        if not (request.picture and request.picture.is_slow):
            # uses the options of all pictures, so that it does not depend on the open one
            result = self.analysis.call(request.known(data, task))
            task.publish(PictureResult(ESTIMATE, result, request))


@dataclasses.dataclass(frozen=True, eq=False)
class PictureRequest:
    """A picture of a selection."""

    setup: Selection
    picture: PictureSpec | None  # None if only other results are wanted
    options: Mapping[str, Any]  # chosen values
    released: Any = None  # the released value to mark
    public: bool = False  # whether the results depend on public facts and releases only
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # other arguments of the analysis
    steps: tuple[Step, ...] = (publish_picture,)  # the work, in reading order of the results

    @property
    def name(self) -> str:
        """The name of the picture; the results of a newer request replace those of the same name."""
        return "" if self.picture is None else self.picture.name

    def compute(self, databases: DatabaseCache, task: Publisher) -> None:
        """Publish all results (in a worker).

        The newest results of each name are cached with the data, and public ones with the public facts. So
        nothing is computed again when the user comes back.
        """
        source, newest = self.setup.source, _Newest(task)
        data = databases.newest(source) if self.public else databases.get(source)

        def work() -> tuple[Any, Any]:
            for step in (_publish_clamped, *self.steps):
                step(self, None if self.public else data, newest)
            return newest.results, self.released  # the cache keeps it alive, so its id is unique

        key = ("answer", self.name), *self._decisive
        results, _ = remembered(data, key, work, most=1)
        if results is not newest.results:
            for one in results.values():
                task.publish(dataclasses.replace(one, request=self))

    @property
    def _decisive(self) -> tuple[Hashable, ...]:
        """All that determines the results besides the data."""
        setup = self.setup
        files = tuple(file.version for file in files_of(setup.mechanism))
        chosen = frozenset(self.options.items()), frozenset(self.arguments.items())
        asked = self.picture, setup.mechanism, setup.privacy, files, chosen, id(self.released), self.public
        return (*asked, self.steps)

    def known(self, data: Any, task: Publisher) -> dict[str, Any]:
        """Return all arguments that analyses may take, by name."""
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


class PictureRequester(QObject):
    """Sends requests to a worker; the newest replaces those before."""

    due = Signal()  # make a request: `ask` was called in an earlier turn of the event loop
    result = Signal(object)  # a result of the newest request, or of the last one during a drag
    ended = Signal()  # all work has ended

    def __init__(
        self, purpose: str, jobs: Jobs, databases: DatabaseCache, stale: StaleState, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._databases = databases
        self._stale = stale
        self._soon = deferred_call(self, self.due.emit)
        self.channel = jobs.channel(purpose, self.result)
        self.channel.progressed.connect(stale.show_progress)
        self.channel.busy_changed.connect(self._on_busy)

    @property
    def pending(self) -> bool:
        """Whether a request is about to be made."""
        return self._soon.isActive()

    @property
    def busy(self) -> bool:
        """Whether a request is about to be made, or is running."""
        return self.pending or self.channel.busy

    def ask(self) -> None:
        """Schedule a request for the next turn of the event loop."""
        self._soon.start()

    def send(self, request: PictureRequest) -> None:
        """Send a request for the current choices to a worker."""
        self._stale.newest = request
        self.channel.request(partial(request.compute, self._databases), live=not request.public)

    def cancel(self) -> None:
        """Drop scheduled and running requests."""
        self._soon.stop()
        self.channel.cancel()

    def _on_busy(self, busy: bool) -> None:
        if not busy:
            self.ended.emit()


class _Newest:
    """Passes results on, and keeps the newest of each name."""

    def __init__(self, task: Publisher) -> None:
        self._task = task
        self.results: dict[str, PictureResult] = {}

    def __call__(self, fraction: float, message: str = "") -> None:
        self._task(fraction, message)

    def publish(self, result: PictureResult) -> None:
        self.results[result.picture] = result
        self._task.publish(result)


def _publish_clamped(request: PictureRequest, data: Any, task: Publisher) -> None:
    if hasattr(data, "outside"):  # categories have no bounds
        task.publish(PictureResult(CLAMPED, data.outside, request))


def public_facts(source: DatasetBuilder) -> PublicFacts:
    """Return the public facts about data."""
    columns, units = (tuple(getattr(source, name, ())) for name in ("columns", "units"))
    return PublicFacts(getattr(source, "domain", None), source.n, columns, units)

"""What a job of the page about histograms is to answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

from app.jobs.channels import JobTask
from app.model.kinds.points import PointsBuilder
from app.model.pages.histogram import HistogramPicture
from app.pages.base.answering import PictureRequest, public_facts
from engine.analysis.histogram_maps import GRIDS
from engine.analysis.shared.shown_histograms import ShownHistogram, show_histogram, show_released_histogram
from engine.domain import Box, Interval
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.progress import Progress, part


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramRequest(PictureRequest):
    """A picture of the page, and what is known of the query point.

    Attributes
    ----------
    query : tuple of d float, or None
        Where somebody guesses; None for where nobody has put it.
    attack : tuple of (str, int), or None
        Which attack is to guess, and its seed, instead.
    window : tuple of Interval, or None
        What is in view while the query point is dragged.
    alternatives : tuple of HistogramMechanism
        What is compared.
    """

    query: tuple[float, ...] | None = None
    attack: tuple[str, int] | None = None
    window: tuple[Interval, ...] | None = None
    alternatives: tuple[HistogramMechanism, ...] = ()

    @property
    def spec(self) -> HistogramPicture:
        """The picture."""
        assert isinstance(self.picture, HistogramPicture)
        return self.picture

    @property
    def source(self) -> Any:
        """What the data are within the bounds of what is shown: a release keeps its own."""
        source = self.setup.source
        if self.released is None or not isinstance(source, PointsBuilder):
            return source
        facts = self.released.parameters
        return dataclasses.replace(source, domain=Box.of(facts["lower"], facts["upper"]))

    def known(self, data: Any, task: JobTask) -> dict[str, Any]:
        """Return what analyses may ask for, by name."""
        options: Mapping[str, Any] = self.options
        attack, seed = self.attack or (None, 1)
        known = super().known(data, task) | {
            "source": public_facts(self.source),
            "axes": (options["across"], options["up"]),
            "records": options["records"] and not self.public,
            "grid": options["grid"] if isinstance(self.setup.mechanism, ShiftedHistogram) else GRIDS[0],
            "query": self.query,
            "attack": attack,
            "attack_seed": seed,
            "window": self.window,
            "alternatives": self.alternatives,
        }
        if self.spec.shows_release and isinstance(self.setup.mechanism, HistogramMechanism):
            shown = self.shown(data, part(task, 0.0, 0.4))
            known |= {"shown": shown, "histogram": shown.histogram, "progress": part(task, 0.4, 0.9)}
        return known

    def shown(self, data: Any, progress: Progress) -> ShownHistogram:
        """Return the histogram that is looked at: a release, or simulated."""
        setup, axes = self.setup, (self.options["across"], self.options["up"])
        if data is None:
            return show_released_histogram(setup.source, self.released, axes=axes)
        assert isinstance(setup.mechanism, HistogramMechanism)
        show = partial(show_histogram, setup.mechanism, data, setup.privacy, axes=axes)
        return show(
            seed=self.options["seed"],
            released=self.released,
            records=self.options["records"],
            progress=progress,
        )

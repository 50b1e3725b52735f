"""What a job of the page about histograms is to answer."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from app.jobs.channels import JobTask
from app.model.kinds.points import PointsBuilder
from app.pages.base.answering import PictureRequest, public_facts
from engine.analysis.shared.shown_histograms import ShownHistogram, show_histogram, show_released_histogram
from engine.domain import Box
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.progress import Progress, part


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramRequest(PictureRequest):
    """A picture of the page, which may show a histogram that was released.

    Attributes
    ----------
    alternatives : tuple of HistogramMechanism
        What is compared.
    """

    alternatives: tuple[HistogramMechanism, ...] = ()

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
        known = super().known(data, task) | {
            "source": public_facts(self.source),
            "axes": (self.options["across"], self.options["up"]),
            "alternatives": self.alternatives,
        }
        if self.picture is not None and not self.picture.takes.isdisjoint({"shown", "histogram"}):
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

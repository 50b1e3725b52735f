"""A shape of released value, and a mechanism that releases such."""

import dataclasses
from typing import ClassVar

import engine
from app.releases.geometry import recorded_coordinates
from app.releases.labels import title_words
from app.releases.registry import register
from app.releases.shape import Shape
from engine import NoisyAverage


@engine.register
@dataclasses.dataclass(frozen=True)
class MeanWithin(NoisyAverage, shape="region"):
    """The mean, and how far from it the true one lies with probability 95 %."""

    name: ClassVar[str] = "mean-within"
    label: ClassVar[str] = "Mean within"
    summary: ClassVar[str] = "the mean, and how far off it may be"

    def _released(self, value, domain):
        """Return the point, and half the width of its region in each coordinate."""
        return {"middle": value.tolist(), "within": (domain.width / 100).tolist()}

    def _points_of(self, value):
        return super()._points_of(value["middle"])


class RegionShape(Shape):
    """A point with a margin in each coordinate."""

    name = "region"

    def summary(self, record):
        return "around " + ", ".join(f"{one:.3g}" for one in record.release.value["middle"])

    def table(self, record, limit=None):
        value = record.release.value
        return ["", *record.coordinates], [["middle", *value["middle"]], ["within", *value["within"]]]

    def panel(self, record, progress=None):
        from app.releases.points import cloud, cloud_panel

        coordinates, release = recorded_coordinates(record), record.release
        view = cloud(coordinates, release.value["middle"], "region", release.simulated)
        return cloud_panel(title_words(record), view)


register(RegionShape())

"""A picture with an option of its own, on the page of the median."""

import dataclasses

import numpy as np
from sensiscope import parameter
from sensiscope.app.model.pages.registry import add_picture
from sensiscope.app.model.picture_spec import OptionGroup, PictureSpec, TabTitle
from sensiscope.app.plots.base import Picture
from sensiscope.engine.findings import Finding


@dataclasses.dataclass(frozen=True)
class Lags:
    """How far records are behind those before them (private)."""

    lags: np.ndarray

    def findings(self):
        """Yield what tables and scripts tell."""
        yield Finding("largest lag", float(self.lags.max()))


@dataclasses.dataclass(frozen=True)
class LagOptions(OptionGroup):
    """How many are seen."""

    most: int = parameter(default=20, lower=1, upper=50, label="At most", help="Lags that are drawn.")


def lags(mechanism, data, *, most=20, progress=None):
    """Return the largest gaps between neighbouring records."""
    gaps = np.diff(data.ranks(1, data.n))
    return Lags(np.sort(gaps)[::-1][:most])


class LagPicture(Picture[Lags]):
    """Lags as a line."""

    title = "Lags"

    def __init__(self, axes, *style):
        super().__init__(axes, *style)
        self._line = self.line("local")

    def show(self, result):
        """Draw what was found."""
        self._line.set_data(np.arange(result.lags.size), result.lags)
        self.axes.set_xlim(0, max(1, result.lags.size - 1))
        self.axes.set_ylim(0, 1.05 * max(float(result.lags.max()), 1e-9))

    def table_of(self, result):
        """Return the numbers behind the picture."""
        return ["place", "lag"], [[place, lag] for place, lag in enumerate(result.lags.tolist())]

    def alt_text_of(self, result):
        """Return what a screen reader says."""
        return f"The {result.lags.size} largest gaps between neighboring records"


add_picture(
    "median",
    PictureSpec(
        "lags",
        TabTitle("Lags", "Gaps between {records}", "Where records are far apart, ranks move far."),
        drawn_by=LagPicture,
        analysis=lags,
        options=(LagOptions,),
    ),
)

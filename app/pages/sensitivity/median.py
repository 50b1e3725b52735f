"""The page "Median & quantiles": dots that can be dragged, and what they do to sensitivity."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from app.jobs.channels import Jobs
from app.model.kinds.column import ColumnBuilder
from app.pages.sensitivity.analysis import Keep, SensitivityAnalysis, SensitivityRequest
from app.pages.sensitivity.page import SensitivityPage
from app.pages.sensitivity.strip_panel import StripPanel
from app.session import Session
from app.theme import Palette
from engine.data.order_statistics import Sample
from engine.progress import Progress

if TYPE_CHECKING:
    from app.plots.sensitivity.dot_strip import StripView


class MedianPage(SensitivityPage):
    """Shows the numbers of a column, their sensitivities and their noise."""

    name: ClassVar[str] = "median"

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.strip = StripPanel(session)
        # the curves go before the dots: they are what a person looks at while dragging one
        super().__init__(
            session, jobs, palette, self.strip, SensitivityAnalysis(session.databases, after=[strip_view])
        )


def strip_view(request: SensitivityRequest, sample: Sample, progress: Progress, keep: Keep) -> StripView:
    """Return the dots to show, with those that were moved where they are now (in a worker)."""
    return keep("strip", (sample, request.setup.mechanism.query), lambda: _strip(request, sample))


def _strip(request: SensitivityRequest, sample: Sample) -> StripView:
    from app.plots.sensitivity.dot_strip import StripView, shown

    source = request.setup.source
    assert isinstance(source, ColumnBuilder)
    indices = shown(sample.n)
    values = source.values[indices]
    for record, value in source.modified_values.items():
        values[indices == record] = value
    domain = sample.domain
    return StripView(
        values=domain.clamp(values),
        indices=indices,
        outside=(values < domain.lower) | (values > domain.upper),
        n=sample.n,
        clamped=sample.outside,
        domain=domain,
        true_value=request.setup.mechanism.query.value(sample),
        label=request.setup.mechanism.query.label.lower(),
    )

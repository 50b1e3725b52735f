"""The page "Median & quantiles": dots that can be dragged, and what they do to sensitivity."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from app.jobs.channels import Jobs
from app.model.kinds.column import ColumnBuilder
from app.model.page_spec import PageSpec
from app.model.selection import Selection
from app.model.theme import Palette
from app.pages.sensitivity.page import SensitivityPage
from app.pages.sensitivity.strip_panel import StripPanel
from app.session import Session
from engine.analysis.memory import remembered
from engine.data.order_statistics import Sample
from engine.mechanisms.release import Release
from engine.progress import Progress

if TYPE_CHECKING:
    from app.plots.sensitivity.dot_strip import StripView


class MedianPage(SensitivityPage):
    """Shows the numbers of a column, their sensitivities and their noise."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.strip = StripPanel(session)
        # the curves go before the dots: they are what the user looks at while dragging one
        super().__init__(declared, session, jobs, palette, self.strip, after=[strip_view])

    def _show_setup(self, setup: Selection) -> None:
        super()._show_setup(setup)
        release = self._newest(setup, exactly=False)
        self.strip.mark(release.value if release is not None and is_of(release, setup) else None)

    def _show_no_setup(self) -> None:
        super()._show_no_setup()
        self.strip.mark(None)


def is_of(release: Release, setup: Selection) -> bool:
    """Tell whether a release was made by this very mechanism, at this very cost."""
    mechanism = setup.mechanism
    chosen = {**mechanism.query.settings(), **mechanism.settings()}
    same = all(release.parameters.get(name) == value for name, value in chosen.items())
    return same and release.mechanism == mechanism.name and release.privacy == mechanism.cost(setup.privacy)


def strip_view(setup: Selection, sample: Sample, choice: Hashable, progress: Progress) -> StripView:
    """Return the dots to show, with those that were moved where they are now (in a worker)."""
    query = setup.mechanism.query
    return remembered(sample, ("strip", query), lambda: _strip(setup.source, query, sample))


def _strip(source: Any, query: Any, sample: Sample) -> StripView:
    import numpy as np

    from app.plots.sensitivity.dot_strip import StripView, shown_indices

    assert isinstance(source, ColumnBuilder)
    indices = shown_indices(sample.n)
    if isinstance(source.values, np.ndarray):
        values = source.values[indices]
    else:  # they stay in their file
        indices, values = source.values.some(indices.size)
    for record, value in source.modified_values.items():
        values[indices == record] = value
    domain, span = sample.domain, query.span(sample)
    is_place = span is not None or query.value_range(domain, sample.n) == domain
    return StripView(
        values=domain.clamp(values),
        indices=indices,
        outside=(values < domain.lower) | (values > domain.upper),
        n=sample.n,
        clamped=sample.outside,
        domain=domain,
        true_value=query.value(sample) if is_place else None,
        label=query.label.lower(),
        span=span,
    )

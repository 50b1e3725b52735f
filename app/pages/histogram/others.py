"""What mechanisms release that are no histograms of points, as pictures show it; made in a worker.

Without data, what was released is shown alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.releases.categories import CategoriesShape
from app.releases.counts import TableShape
from app.releases.matrix import matrix_view
from app.releases.registry import SHAPES
from engine.analysis.clouds import Cloud
from engine.analysis.preparing import SimulatedAnswer, simulated_answer
from engine.analysis.shared.projections import Axes, along_columns, distinct_axes
from engine.analysis.shared.shown_histograms import some_records_along
from engine.data.points import Points
from engine.mechanisms.categories.base import CategoriesMechanism
from engine.mechanisms.release import Release
from engine.mechanisms.sanitizer import Sanitizer
from engine.privacy import Privacy
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.plots.histogram.category_bars import CategoryBarsView
    from app.plots.histogram.chart_view import MatrixView
    from app.plots.histogram.contingency import ContingencyView


def show_matrix(
    mechanism: Sanitizer[Points],
    privacy: Privacy,
    source: Any,
    *,
    data: Points | None = None,
    released: Release | None = None,
    seed: int = 1,
    progress: Progress = silent,
) -> MatrixView:
    """Show a matrix."""
    answer, value = _answer(mechanism, privacy, data, released, seed, progress)
    truth = None if answer is None else answer.true_answer
    about = str(mechanism.settings().get("about", "mean"))
    return matrix_view(source.columns, value, truth, about, released is None)


def show_points(
    mechanism: Sanitizer[Points],
    privacy: Privacy,
    source: Any,
    *,
    data: Points | None = None,
    released: Release | None = None,
    axes: Axes = (0, 1),
    records: bool = True,
    seed: int = 1,
    progress: Progress = silent,
) -> Cloud:
    """Show synthetic points, among the records if these are to be seen."""
    _, value = _answer(mechanism, privacy, data, released, seed, progress)
    seen = along_columns(source, distinct_axes(axes, source.domain.dimension))
    return Cloud(
        seen.directions,
        noun="synthetic point",
        records=some_records_along(data, seen) if data is not None and records else None,
        released=np.atleast_2d(seen.points(value)),
        simulated=released is None,
    )


def show_table(
    mechanism: CategoriesMechanism,
    privacy: Privacy,
    source: Any,
    *,
    data: Any = None,
    released: Release | None = None,
    axes: Axes = (0, 1),
    records: bool = True,
    seed: int = 1,
    progress: Progress = silent,
) -> ContingencyView | None:
    """Show how many records have each pair of categories; None where the release holds no such table."""
    answer, value = _answer(mechanism, privacy, data, released, seed, progress)
    second, first = distinct_axes(axes, len(source.domain.columns))  # rows go up
    shape, truth = _shape(mechanism), _truth(mechanism, answer if records else None, source)
    assert isinstance(shape, TableShape)
    return shape.crossed(source.domain, (first, second), value, truth, released is None)


def show_bars(
    mechanism: CategoriesMechanism,
    privacy: Privacy,
    source: Any,
    *,
    data: Any = None,
    released: Release | None = None,
    records: bool = True,
    seed: int = 1,
    progress: Progress = silent,
) -> CategoryBarsView:
    """Show how often each category occurs."""
    answer, value = _answer(mechanism, privacy, data, released, seed, progress)
    truth = _truth(mechanism, answer if records else None, source)
    return _shape(mechanism).bars(source.domain, value, truth, released is None)


def _shape(mechanism: Sanitizer[Any]) -> CategoriesShape:
    shape = SHAPES[mechanism.shape]
    assert isinstance(shape, CategoriesShape)
    return shape


def _truth(mechanism: CategoriesMechanism, answer: SimulatedAnswer | None, source: Any) -> Any:
    return None if answer is None else _shape(mechanism).truth(mechanism, answer.true_value, source.domain)


def _answer(
    mechanism: Sanitizer[Any],
    privacy: Privacy,
    data: Any,
    released: Release | None,
    seed: int,
    progress: Progress,
) -> tuple[SimulatedAnswer | None, Any]:
    """Return a simulated answer where the data are known, and what is shown: that, or what was released."""
    answer = None
    if data is not None:
        answer = simulated_answer(mechanism, data, privacy, seed=seed, progress=progress)
    if released is not None:
        return answer, released.value
    assert answer is not None
    return answer, answer.value

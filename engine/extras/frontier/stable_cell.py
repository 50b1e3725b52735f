"""The stability histogram: the fullest cell of a grid with more cells than can be listed."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.one_cluster.grid import failure_probability
from engine.mechanisms.points import PointsMechanism, Vectors
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import as_replaced, relation_parameter
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.primitives.stable_argmax import stability_needed, stability_threshold, stable_argmax
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import COUNTED


@dataclasses.dataclass(frozen=True)
class StableCell(PointsMechanism, is_one_choice=True, topic="balls", hides="Laplace"):
    """Release the center of the cell with the most records, if its lead is clear: (epsilon, delta)-private.

    The grid has so many cells that most are empty; in many dimensions they cannot be listed.  Only cells
    with records get noise, Lap(2/epsilon).  The largest noisy count must pass a threshold, which a cell
    with a single record passes with probability delta.

    Source: the stability histogram of Nissim, Stemmer, Vadhan 2016, Theorem 2.5, with the exact threshold
    (`engine.primitives.stable_argmax`).

    Examples
    --------
    Of 1,000 records, 900 are in one cell of a grid of 64 by 64:

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, StableCell, reproducible
    >>> rng = np.random.default_rng(1)
    >>> values = np.concatenate([rng.uniform(0.50, 0.51, (900, 2)), rng.uniform(0, 1, (100, 2))])
    >>> data = Points(values, Box.of([0, 0], [1, 1]))
    >>> StableCell().run(data, Privacy(1.0, 1e-6), reproducible(1)).value
    [0.5078125, 0.5078125]
    """

    name: ClassVar[str] = "stable-cell"
    label: ClassVar[str] = "Stable cell"
    summary: ClassVar[str] = "the center of the cell that clearly has the most records, or no answer"
    source: ClassVar[str] = "Nissim, Stemmer, Vadhan 2016, Theorem 2.5"
    exact_because: ClassVar[str] = COUNTED
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_points:pairs_of_cells"

    cells: int = parameter(
        default=64,
        lower=2,
        upper=1 << 20,
        label="Cells a side",
        help="Parts of each side (public).",
        asks=True,
    )
    beta: float = failure_probability()
    relation: str = relation_parameter()

    vectors: ClassVar[Vectors] = Vectors("center")

    @property
    def estimand(self) -> tuple[str, int]:
        return self.name, self.cells

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return the threshold, and the count that gives an answer with probability 1 - beta (public)."""
        return {
            "threshold": stability_threshold(as_replaced(privacy, self.relation)),
            "needed": stability_needed(n, as_replaced(privacy, self.relation), self.beta),
        }

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        """Return half the side of a cell: centers are odd multiples of it, from the lower corner."""
        steps: list[float] = (domain.width / self.cells / 2).tolist()
        return steps

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        impossible = problems_of(check_bounds, privacy, domain.dimension)
        return impossible or problems_of(stability_threshold, as_replaced(privacy, self.relation))

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> StablePrepared:
        box, cells = data.domain, self.cells
        held, counts = _held(data, cells, progress=progress)
        middles = np.minimum(box.lower + (held + 0.5) / cells * box.width, box.upper)
        return StablePrepared(
            middles=middles,
            counts=counts.astype(np.float64),
            privacy=as_replaced(privacy, self.relation),
            diagnostics=Private({"true_value": middles[int(np.argmax(counts))]}),
        )


def _held(data: Points, cells: int, *, progress: Progress) -> tuple[Ints, Ints]:
    """Return the cells with records: their positions in order, shape (m, d), and their counts.

    Positions along several axes are packed into one integer where they fit: sorting integers takes a fifth
    of the time of sorting rows.
    """
    d, together = data.domain.dimension, int(62 / math.log2(cells))
    groups = [range(first, min(first + together, d)) for first in range(0, d, together)]
    codes = np.zeros((data.n, len(groups)), dtype=np.int64, order="F")
    for number, axes in enumerate(groups):
        for axis in axes:
            progress(axis / (d + 1))
            side = data.domain.sides[axis]
            index = (data.values[:, axis] - side.lower) / (side.width or 1.0)
            index = np.clip(index * cells, 0, cells - 1)
            codes[:, number] *= cells
            codes[:, number] += index.astype(np.int64)  # rounds down, since none is negative
    progress(d / (d + 1))
    if len(groups) == 1:
        cells_found, counts = np.unique(codes[:, 0], return_counts=True)
        cells_found = cells_found[:, None]
    else:
        cells_found, counts = np.unique(codes, axis=0, return_counts=True)
    parts = [
        np.column_stack(np.unravel_index(cells_found[:, number], (cells,) * len(axes)))
        for number, axes in enumerate(groups)
    ]
    return np.hstack(parts), counts


@dataclasses.dataclass(frozen=True, repr=False)
class StablePrepared(PreparedFields):
    """The cells with records, and their counts (private)."""

    middles: Floats  # shape (m, d)
    counts: Floats  # shape (m,)
    privacy: Privacy  # of the choice, converted to replaced records

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, 10**6 // (100 + len(self.counts))))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        cells_found = np.full((size, self.middles.shape[1]), np.nan)
        for row, _ in zip(cells_found, each(size, progress), strict=True):
            index = stable_argmax(self.counts, self.privacy, rng)
            if index >= 0:
                row[:] = self.middles[index]
        return cells_found

"""Released counts, tables and matrices, with the true ones."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from engine.analysis.preparing import SimulatedAnswer, simulated_answer
from engine.analysis.shared.projections import distinct_axes
from engine.array_types import Floats
from engine.components import release_parameters
from engine.data.categories import Categories
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.categories.numbers import CategoryNumbers, CrossTable, Numbered
from engine.mechanisms.release import Release
from engine.primitives.counts import AddedNoise
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


def show_answer(
    mechanism: Mechanism[Any],
    data: Any,
    privacy: PrivacyLike,
    *,
    seed: int,
    released: Release | None,
    records: bool,
    progress: Progress,
) -> tuple[Any, SimulatedAnswer | None]:
    """Return a released or simulated answer, and the truth if `records` may be shown.

    For a release without the truth, no data are read.
    """
    answer = None
    if records or released is None:
        answer = simulated_answer(mechanism, data, as_privacy(privacy), seed=seed, progress=progress)
    value = answer.value if released is None and answer is not None else released and released.value
    return value, answer if records else None


def category_estimates(
    mechanism: Mechanism[Any],
    data: Categories | Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CategoryNumbers:
    """Return the estimate for each category, condition, quantile or candidate, and the true value."""
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    true = None if answer is None else answer.true_value
    numbers = cast(Numbered, mechanism).numbers(value, data.columns, data.domain)
    return numbers.compared(true, simulated=released is None)


def cross_table(
    mechanism: ContingencyTable,
    data: Categories,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CrossTable | None:
    """Return the number of records for each pair of categories, with the true numbers."""
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    domain = data.domain
    second, first = distinct_axes((across, up), len(domain.columns))  # rows are on the vertical axis
    true = None if answer is None else answer.true_answer
    table = CrossTable.of(domain, (first, second), value, true, simulated=released is None)
    if table is None:
        return None
    noise = AddedNoise(**released.noise) if released else mechanism.added(domain, as_privacy(privacy))
    if "cells" in value and table.summed:
        known = released.parameters if released else release_parameters(mechanism)
        if known.get("post") != "none":
            return table  # fitting moves all counts of a sum by about as much, which depends on the data
        # a sum of independent draws has lighter tails than one draw of its variance
        noise = dataclasses.replace(noise, scale=noise.scale * math.sqrt(domain.size / table.counts.size))
    return dataclasses.replace(table, half_width=noise.half_width)


@dataclasses.dataclass(frozen=True, eq=False)
class ReleasedMatrix:
    """A covariance matrix or another symmetric matrix, from `show_matrix`."""

    names: tuple[str, ...]  # of rows and columns
    released: Floats  # shape (d, d); released, or one simulated release
    truth: Floats | None = None  # shape (d, d); the true matrix (private)
    simulated: bool = False  # whether `released` is simulated, and so private
    noun: str = "covariance"  # kind of matrix: "covariance", "second moments"

    @classmethod
    def of(
        cls, names: Sequence[str], value: Any, truth: Any, about: str, *, simulated: bool
    ) -> ReleasedMatrix:
        """Return a released or simulated matrix, with the true one if given."""
        true = None if truth is None else np.array(truth["matrix"])
        return cls(tuple(names), np.array(value["matrix"]), true, simulated, cls.named(about))

    @staticmethod
    def named(about: str) -> str:
        """Name a matrix by its center: the mean, or the middle of the bounds."""
        return "covariance" if about == "mean" else "second moments"

    def findings(self) -> Iterator[Finding]:
        """Yield the matrix, and the true one."""
        kind = "one simulated release" if self.simulated else "released"
        yield Finding(f"{kind}: {self.noun}", self.released, public=not self.simulated)
        if self.truth is not None:
            yield Finding(f"true {self.noun}", self.truth)


def show_matrix(
    mechanism: Mechanism[Points],
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> ReleasedMatrix:
    """Return the matrix that a mechanism releases, with the true one."""
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    truth = None if answer is None else answer.true_answer
    about = str(mechanism.settings().get("about", "mean"))
    return ReleasedMatrix.of(data.columns, value, truth, about, simulated=released is None)

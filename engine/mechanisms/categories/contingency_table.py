"""Noisy counts of the records with each combination of categories."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.categories.base import CategoriesMechanism, CountsPrepared
from engine.mechanisms.categories.numbers import CategoryNumbers, counts_of, tables_of
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.noisy import PostProcesses, noise_parameter, post_parameter
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import relation_parameter
from engine.mechanisms.release import Private
from engine.parameters import parameter
from engine.primitives.counts import AddedNoise, check_delta, count_noise
from engine.primitives.margins import Axes, consistent_margins
from engine.primitives.simplex import onto_simplex, whole_on_simplex
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import COUNTED
from engine.sampling.public_grid import PublicGrid

WAYS = {"singles": 1, "pairs": 2}
"""Number of columns in each margin."""

ROUNDS = 300
AGREED = 1e-6
"""Counts at most this far below 0, in records, are set to 0."""


@dataclasses.dataclass(frozen=True)
class ContingencyTable(PostProcesses, AddsNoise, CategoriesMechanism, shape="table", on_step=True):
    """Release the count of every combination of categories, or all margins of one size, with noise on each.

    Replacing a record moves 1 from one count to another in each of J margins.  The L1 sensitivity is 2 J, so
    Lap(2 J/epsilon) is epsilon-DP.  The L2 sensitivity is sqrt(2 J), for Gaussian noise with its exact
    condition.  Margins share columns; least squares makes them agree on these.

    Source: Barak, Chaudhuri, Dwork, Kale, McSherry, Talwar 2007 (margins); Dwork, McSherry,
    Nissim, Smith 2006 (noise).  There, a record is added or removed and half of the noise suffices, as it
    does here for a record left empty (zero-out).

    Examples
    --------
    60 answer no, 40 yes; replacing a record changes two counts, so the scale is 2/epsilon.

    >>> from engine import Categories, CategoryDomain, Privacy, reproducible
    >>> answers = CategoryDomain(["answer"], [["no", "yes"]])
    >>> data = Categories([[0]] * 60 + [[1]] * 40, answers)
    >>> simulated = ContingencyTable().run(data, Privacy(1.0), reproducible(1))
    >>> simulated.noise, sum(cell["count"] for cell in simulated.value["cells"])
    ({'family': 'laplace', 'scale': 2.0}, 100.0)
    """

    name: ClassVar[str] = "contingency-table"
    label: ClassVar[str] = "Contingency table"
    summary: ClassVar[str] = "counts of all combinations of categories, with noise on each"
    source: ClassVar[str] = "Barak, Chaudhuri, Dwork, Kale, McSherry, Talwar 2007"
    exact_because: ClassVar[str] = COUNTED

    noise: str = noise_parameter()
    post: str = post_parameter()
    relation: str = relation_parameter()
    margins: str = parameter(
        default="full",
        choices=("full", *WAYS),
        label="Counts",
        help="full: every combination; pairs, singles: every pair of columns, or every column alone, which "
        "needs less noise if there are many combinations.",
    )

    @property
    def question(self) -> Hashable:
        return self.name, self.margins

    def problems(self, privacy: Privacy, domain: CategoryDomain, n: int) -> tuple[Problem, ...]:
        wrong = super().problems(privacy, domain, n) or problems_of(check_delta, self.noise, privacy)
        if not wrong and len(domain.columns) < WAYS.get(self.margins, 1):
            return (Problem("margins", "pairs need at least two columns; choose full, or add a column"),)
        return wrong

    def axes(self, domain: CategoryDomain) -> tuple[Axes, ...]:
        """Return the column indices of each released table."""
        k = len(domain.columns)
        return tuple(itertools.combinations(range(k), WAYS.get(self.margins, k)))

    def _number_grid(self, data: Categories, privacy: Privacy) -> PublicGrid | None:
        """Return the grid of all counts; None for margins, which are on no grid after they agree."""
        return super()._number_grid(data, privacy) if self.margins == "full" else None

    def added(self, domain: CategoryDomain, privacy: Privacy) -> AddedNoise:
        return count_noise(self.noise, privacy, self.relation, len(self.axes(domain)))

    def step(self, domain: CategoryDomain, n: int, privacy: Privacy) -> float:
        return self.added(domain, privacy).step

    def prepare(self, data: Categories, privacy: Privacy, progress: Progress = silent) -> TablePrepared:
        tables = {axes: sum_margin(data.table, axes) for axes in self.axes(data.domain)}
        added = self.added(data.domain, privacy)
        counts = np.concatenate([table.ravel() for table in tables.values()])
        untouched = self.post == "none" and len(tables) == 1
        return TablePrepared(
            counts=counts,
            n=data.n,
            noise=added.facts,
            error=added.half_width if untouched else None,
            diagnostics=Private({"true_value": counts}),
            shapes={axes: table.shape for axes, table in tables.items()},
            added=added,
            post=self.post,
        )

    def _draw_value(
        self,
        prepared: Prepared,
        domain: CategoryDomain,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Any:
        """Draw a table; each cell has the 95 % interval of its noisy count."""
        if not isinstance(prepared, TablePrepared):
            return super()._draw_value(prepared, domain, rng, progress)
        noisy = prepared.added.added(prepared.counts, rng)
        fitted = prepared.fitted(noisy)
        value = self._released(fitted, domain)
        ends = prepared.added.intervals(noisy, fitted, prepared.n).tolist()
        cells = [cell for table in value.get("margins", [value]) for cell in table["cells"]]
        for cell, interval in zip(cells, ends, strict=True):
            cell["interval"] = interval
        return value

    def _released(self, value: Floats, domain: CategoryDomain) -> dict[str, Any]:
        """Return the counts with their categories, the last column fastest; one table per margin."""
        tables, start = [], 0
        for axes in self.axes(domain):
            labels = [domain.labels[axis] for axis in axes]
            size = math.prod(map(len, labels))
            counts = value[start : start + size].tolist()
            cells = [
                {"categories": list(named), "count": count}
                for named, count in zip(itertools.product(*labels), counts, strict=True)
            ]
            tables.append({"columns": [domain.columns[axis] for axis in axes], "cells": cells})
            start += size
        return {"cells": tables[0]["cells"]} if self.margins == "full" else {"margins": tables}

    @classmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: CategoryDomain) -> CategoryNumbers:
        names = tables_of(value, domain.columns)[0]["columns"]
        lists = [domain.labels[domain.columns.index(name)] for name in names]
        labels = tuple(", ".join(named) for named in itertools.product(*lists))
        return CategoryNumbers(" and ".join(names), labels, counts_of(value)[0])


@dataclasses.dataclass(frozen=True, repr=False)
class TablePrepared(CountsPrepared):
    """The counts of one or several tables, one after the other."""

    shapes: dict[Axes, tuple[int, ...]]  # shape of each table, by its columns

    @property
    def batch_size(self) -> int:
        """Small for several margins: making them agree takes 10 ms."""
        return super().batch_size if len(self.shapes) == 1 else min(20, super().batch_size)

    def _draw_once(self, rng: np.random.Generator) -> Floats:
        return self.fitted(self.added.added(self.counts, rng))

    def fitted(self, noisy: Floats) -> Floats:
        """Return noisy counts after the post-processing."""
        if len(self.shapes) == 1:
            return whole_on_simplex(noisy, self.n) if self.post == "simplex" else noisy
        ends = np.cumsum([math.prod(shape) for shape in self.shapes.values()])
        parts = np.split(noisy, ends[:-1])
        tables = {
            axes: part.reshape(self.shapes[axes]) for axes, part in zip(self.shapes, parts, strict=True)
        }
        if self.post == "none":
            fitted = consistent_margins(tables, dict.fromkeys(tables, 1.0))
        else:
            fitted = make_agree(tables, self.n)
            if all(len(axes) == 1 for axes in fitted):  # rounding makes no sums disagree
                fitted = {axes: whole_on_simplex(table, self.n) for axes, table in fitted.items()}
        return np.concatenate([table.ravel() for table in fitted.values()])


def sum_margin(table: Ints, axes: Axes) -> Floats:
    """Return the margin of a table on these axes."""
    others = tuple(axis for axis in range(table.ndim) if axis not in axes)
    return np.asarray(table.sum(axis=others), dtype=np.float64)


def make_agree(tables: dict[Axes, Floats], n: int) -> dict[Axes, Floats]:
    """Return margins near the noisy ones that agree, sum to n and are not negative.

    Margins that agree form a convex set, and so do margins that are not negative.  Alternating projections
    onto both converge to a point of both.  No projection moves away from the true margins, which are in both
    sets.  Finally, negative counts are set to 0.  If the rounds suffice, this changes a count by at most
    10^-6 records, and margins disagree by no more than such changes.

    Source: von Neumann 1950 (alternating projections); Bregman 1965 for convex sets.
    """
    known: dict[Axes, float] = {**dict.fromkeys(tables, 1.0), (): 0.0}
    for _ in range(ROUNDS):
        fitted = consistent_margins({**tables, (): np.asarray(float(n))}, known)
        del fitted[()]
        if min(float(table.min()) for table in fitted.values()) >= -AGREED:
            break
        tables = {axes: onto_simplex(table, n) for axes, table in fitted.items()}
    return {axes: np.maximum(table, 0.0) for axes, table in fitted.items()}

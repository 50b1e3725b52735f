"""Released numbers for each category, or for each pair of categories."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.categories import CategoryDomain
from engine.findings import Finding


@dataclasses.dataclass(frozen=True, eq=False)
class CategoryNumbers:
    """A number for each category, from `category_estimates`."""

    name: str  # the column, or another word for the categories
    labels: tuple[str, ...]  # (m,), the categories
    values: Floats  # (m,), released numbers; NaN if none was released, as for the mode
    noun: str = "records"  # what the numbers count: "records", "share of the records"
    # (m,) or None, standard errors (public); only for shares, which are not rounded
    errors: Floats | None = None
    intervals: Floats | None = None  # (m, 2) or None, public 95 % intervals; NaN where there is none
    truth: Floats | None = None  # (m,) or None, true values (private)
    chosen: int | None = None  # index of the released category, for the mode
    simulated: bool = False  # True if it was drawn with a seed and is not a release

    def compared(self, true_value: ArrayLike | None, *, simulated: bool) -> CategoryNumbers:
        """Return a copy with the true value of the mechanism, whose first entries belong to the labels."""
        truth = None if true_value is None else np.ravel(true_value).astype(np.float64)[: len(self.labels)]
        return dataclasses.replace(self, truth=truth, simulated=simulated)

    @property
    def whiskers(self) -> Floats:
        """Both ends of the interval, or of the standard error, of each value; the value without either."""
        if self.intervals is not None:
            return np.where(np.isnan(self.intervals), self.values[:, None], self.intervals)
        errors = np.zeros(len(self.values)) if self.errors is None else self.errors
        return np.stack([self.values - errors, self.values + errors], axis=1)

    def first(self, most: int) -> CategoryNumbers:
        """Return the first `most` categories; `chosen` is None if the chosen one is not among them."""
        if len(self.labels) <= most:
            return self
        listed = {name: getattr(self, name) for name in ("labels", "values", "errors", "intervals", "truth")}
        known: dict[str, Any] = {name: one[:most] for name, one in listed.items() if one is not None}
        chosen = self.chosen if self.chosen is not None and self.chosen < most else None
        return dataclasses.replace(self, **known, chosen=chosen)

    def findings(self) -> Iterator[Finding]:
        """Yield the released or simulated numbers, then the true ones."""
        kind = "one simulated release" if self.simulated else "released"
        value = self.values if self.chosen is None else self.labels[self.chosen]
        yield Finding(kind, value, public=not self.simulated)
        if self.truth is not None:
            yield Finding(f"true {self.noun}", self.truth)


@dataclasses.dataclass(frozen=True, eq=False)
class CrossTable:
    """Counts of pairs of categories, from `cross_table`."""

    names: tuple[str, str]  # the two columns
    labels: tuple[tuple[str, ...], tuple[str, ...]]  # categories of the first and of the second column
    counts: Floats  # (r, c), released
    truth: Floats | None = None  # (r, c) or None, true counts (private)
    simulated: bool = False  # True if it was drawn with a seed and is not a release
    half_width: float = 0.0  # of 95 % intervals of the noise in each count (public); 0 if unknown
    summed: tuple[str, ...] = ()  # the other columns, over whose categories the counts are added up

    @classmethod
    def of(
        cls, domain: CategoryDomain, axes: tuple[int, int], value: Any, truth: Any = None, *, simulated: bool
    ) -> CrossTable | None:
        """Return the counts of two columns from a released table that holds both; None if there is none."""
        counts = _cross_counts(domain, axes, value)
        if counts is None:
            return None
        (first, second), columns = axes, domain.columns
        labels = domain.labels[first], domain.labels[second]
        truth = None if truth is None else _cross_counts(domain, axes, truth)
        summed = tuple(name for axis, name in enumerate(columns) if axis not in axes)
        return cls((columns[first], columns[second]), labels, counts, truth, simulated, summed=summed)

    def first(self, most: int) -> CrossTable:
        """Return the first `most` rows and columns."""
        if max(self.counts.shape) <= most:
            return self
        labels = self.labels[0][:most], self.labels[1][:most]
        truth = None if self.truth is None else self.truth[:most, :most]
        return dataclasses.replace(self, labels=labels, counts=self.counts[:most, :most], truth=truth)

    def findings(self) -> Iterator[Finding]:
        """Yield the released or simulated counts, then the true ones."""
        kind = "one simulated release" if self.simulated else "released"
        yield Finding(f"{kind}: {' by '.join(self.names)}", self.counts, public=not self.simulated)
        if self.truth is not None:
            yield Finding("true counts", self.truth)


def tables_of(value: Mapping[str, Any], columns: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the released tables: the margins, or one table of all `columns`."""
    return value.get("margins") or [{"columns": list(columns), "cells": value["cells"]}]


def counts_of(value: Mapping[str, Any]) -> list[Floats]:
    """Return the counts of each table in a value, in the order of the categories."""
    return [np.array([cell["count"] for cell in table["cells"]], float) for table in tables_of(value, ())]


def _cross_counts(domain: CategoryDomain, axes: tuple[int, int], value: Any) -> Floats | None:
    """Return the counts of two columns, summed over all others."""
    names = [domain.columns[axis] for axis in axes]
    for table, counts in zip(tables_of(value, domain.columns), counts_of(value), strict=True):
        if not set(names) <= set(table["columns"]):
            continue
        kept = [domain.columns.index(name) for name in table["columns"]]
        shaped = counts.reshape([len(domain.labels[axis]) for axis in kept])
        pairs = np.moveaxis(shaped, [kept.index(axis) for axis in axes], (0, 1))
        return np.asarray(pairs.sum(axis=tuple(range(2, pairs.ndim))))
    return None


class Numbered(Protocol):
    """A mechanism that releases a number for each of several items, such as categories or conditions."""

    def numbers(self, value: Any, columns: Sequence[str], domain: Any, /) -> CategoryNumbers:
        """Return the released numbers with the names of their items."""
        ...

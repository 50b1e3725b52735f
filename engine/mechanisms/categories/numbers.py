"""What is released of categories, as numbers: one for each category, or for each pair of them."""

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
    """A number for each category, from `category_estimates`.

    Attributes
    ----------
    name : str
        The column, or what else the categories are.
    labels : tuple of str
        The categories, shape (m,).
    values : ndarray, shape (m,)
        What was released; NaN where nothing was, as for all but the mode.
    noun : str
        What is counted: "records", "share of the records".
    errors : ndarray, shape (m,), or None
        Standard errors (public); only of shares, which are not rounded.
    truth : ndarray, shape (m,), or None
        The true values (private).
    chosen : int or None
        The category that was released, if it is one.
    simulated : bool
        Whether it was drawn with a seed, and is no release.
    """

    name: str
    labels: tuple[str, ...]
    values: Floats
    noun: str = "records"
    errors: Floats | None = None
    truth: Floats | None = None
    chosen: int | None = None
    simulated: bool = False

    def compared(self, true_value: ArrayLike | None, *, simulated: bool) -> CategoryNumbers:
        """Return the same beside the true value of the mechanism, of which the first numbers are meant."""
        truth = None if true_value is None else np.ravel(true_value).astype(np.float64)[: len(self.labels)]
        return dataclasses.replace(self, truth=truth, simulated=simulated)

    def first(self, most: int) -> CategoryNumbers:
        """Return the first so many categories; the chosen one is among them, or none is."""
        if len(self.labels) <= most:
            return self
        return dataclasses.replace(
            self,
            labels=self.labels[:most],
            values=self.values[:most],
            errors=None if self.errors is None else self.errors[:most],
            truth=None if self.truth is None else self.truth[:most],
            chosen=self.chosen if self.chosen is not None and self.chosen < most else None,
        )

    def findings(self) -> Iterator[Finding]:
        """Yield what was released, or could be, and what is true."""
        kind = "one simulated release" if self.simulated else "released"
        value = self.values if self.chosen is None else self.labels[self.chosen]
        yield Finding(kind, value, public=not self.simulated)
        if self.truth is not None:
            yield Finding(f"true {self.noun}", self.truth)


@dataclasses.dataclass(frozen=True, eq=False)
class CrossTable:
    """Counts of pairs of categories, from `cross_table`.

    Attributes
    ----------
    names : tuple of str
        The two columns.
    labels : tuple of tuple of str
        The categories of the first column, and of the second.
    counts : ndarray, shape (r, c)
        What was released.
    truth : ndarray, shape (r, c), or None
        The true counts (private).
    simulated : bool
        Whether it was drawn with a seed, and is no release.
    """

    names: tuple[str, str]
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    counts: Floats
    truth: Floats | None = None
    simulated: bool = False

    @classmethod
    def of(
        cls, domain: CategoryDomain, axes: tuple[int, int], value: Any, truth: Any = None, *, simulated: bool
    ) -> CrossTable | None:
        """Return the counts of two columns, from whatever released table holds both; None if none does.

        Parameters
        ----------
        value, truth : mapping
            What was released, and would be without noise (None: not to be seen).
        """
        counts = _cross_counts(domain, axes, value)
        if counts is None:
            return None
        first, second = axes
        return cls(
            (domain.columns[first], domain.columns[second]),
            (domain.labels[first], domain.labels[second]),
            counts,
            None if truth is None else _cross_counts(domain, axes, truth),
            simulated,
        )

    def first(self, most: int) -> CrossTable:
        """Return the first so many rows and columns."""
        if max(self.counts.shape) <= most:
            return self
        labels = self.labels[0][:most], self.labels[1][:most]
        truth = None if self.truth is None else self.truth[:most, :most]
        return dataclasses.replace(self, labels=labels, counts=self.counts[:most, :most], truth=truth)

    def findings(self) -> Iterator[Finding]:
        """Yield the counts, and the true ones."""
        kind = "one simulated release" if self.simulated else "released"
        yield Finding(f"{kind}: {' by '.join(self.names)}", self.counts, public=not self.simulated)
        if self.truth is not None:
            yield Finding("true counts", self.truth)


def tables_of(value: Mapping[str, Any], columns: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the tables that were released: the margins, or all `columns` in one."""
    return value.get("margins") or [{"columns": list(columns), "cells": value["cells"]}]


def counts_of(value: Mapping[str, Any]) -> list[Floats]:
    """Return the counts of each table that a value holds, in the order of the categories."""
    return [np.array([cell["count"] for cell in table["cells"]], float) for table in tables_of(value, ())]


def _cross_counts(domain: CategoryDomain, axes: tuple[int, int], value: Any) -> Floats | None:
    """Return the counts of two columns, added up over all others."""
    names = [domain.columns[axis] for axis in axes]
    for table, counts in zip(tables_of(value, domain.columns), counts_of(value), strict=True):
        if not set(names) <= set(table["columns"]):
            continue
        kept = [domain.columns.index(name) for name in table["columns"]]
        shaped = counts.reshape([len(domain.labels[axis]) for axis in kept])
        others = tuple(position for position, axis in enumerate(kept) if axis not in axes)
        summed: Floats = shaped.sum(axis=others)
        return summed if kept.index(axes[0]) < kept.index(axes[1]) else summed.T
    return None


class Numbered(Protocol):
    """A mechanism whose value is a number for each of several things, such as categories or conditions."""

    def numbers(self, value: Any, columns: Sequence[str], domain: Any, /) -> CategoryNumbers:
        """Return a value with the names of what it is about."""
        ...

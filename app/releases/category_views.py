"""Matrices, and counts and shares of categories, as pictures show them; made in a worker."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.data.categories import CategoryDomain

if TYPE_CHECKING:
    from app.plots.histogram.category_bars import CategoryBarsView
    from app.plots.histogram.contingency import ContingencyView

Floats = NDArray[np.float64]

NO_TABLE = "The released margins hold no table of these two columns; choose others."


def table_view(
    domain: CategoryDomain, axes: tuple[int, int], value: Any, truth: Any, simulated: bool
) -> ContingencyView | None:
    """Show the counts of two columns, from whatever released table holds both; None if none does.

    Parameters
    ----------
    value, truth : mapping
        What a contingency table releases, and would release without noise (None: not to be seen).
    """
    from app.plots.histogram.contingency import ContingencyView

    counts = _pair(domain, axes, value)
    if counts is None:
        return None
    first, second = axes
    return ContingencyView(
        (domain.columns[first], domain.columns[second]),
        (domain.labels[first], domain.labels[second]),
        counts,
        None if truth is None else _pair(domain, axes, truth),
        simulated,
    )


def bars_view(name: str, domain: CategoryDomain, value: Any, truth: Any, simulated: bool) -> CategoryBarsView:
    """Show what a mechanism on categories releases, as bars.

    Parameters
    ----------
    name : str
        The mechanism.
    truth : object
        What it would release without noise; of the mode, all counts; None: not to be seen.
    """
    from app.plots.histogram.category_bars import CategoryBarsView

    labels = tuple(", ".join(named) for named in itertools.product(*domain.labels))
    title = " and ".join(domain.columns)
    known = None if truth is None else np.ravel(np.asarray(_numbers(truth), dtype=np.float64))
    if name == "mode":
        chosen = labels.index(value if isinstance(value, str) else ", ".join(value))
        blank = np.full(len(labels), np.nan)
        return CategoryBarsView(title, labels, blank, truth=known, chosen=chosen, simulated=simulated)
    if name == "sorted-histogram":
        values = np.array(_numbers(value), dtype=np.float64)
        ranks = tuple(f"{place}." for place in range(1, len(values) + 1))
        return CategoryBarsView(
            f"{title}, the most frequent first", ranks, values, truth=known, simulated=simulated
        )
    if name == "randomized-response":
        shares, errors = (np.array([value[key][label] for label in labels]) for key in _SHARES)
        return CategoryBarsView(
            title, labels, shares, "share of the records", errors, truth=known, simulated=simulated
        )
    return CategoryBarsView(
        title, labels, np.array(_numbers(value), dtype=np.float64), truth=known, simulated=simulated
    )


_SHARES = ("shares", "standard_errors")


def _numbers(value: Any) -> Any:
    """Return the counts or shares of what was released, in the order of the categories."""
    if not isinstance(value, dict):
        return value
    if "counts" in value:
        return value["counts"]
    if "cells" in value:
        return [cell["count"] for cell in value["cells"]]
    if "margins" in value:  # of one column
        return [cell["count"] for cell in value["margins"][0]["cells"]]
    return list(value.get("shares", value).values())


def _pair(domain: CategoryDomain, axes: tuple[int, int], value: Any) -> Floats | None:
    """Return the counts of two columns, added up over all others."""
    names = [domain.columns[axis] for axis in axes]
    tables = value.get("margins", [{"columns": list(domain.columns), "cells": value.get("cells")}])
    for table in tables:
        if not set(names) <= set(table["columns"]):
            continue
        kept = [domain.columns.index(name) for name in table["columns"]]
        counts = np.array([cell["count"] for cell in table["cells"]], dtype=np.float64)
        counts = counts.reshape([len(domain.labels[axis]) for axis in kept])
        others = tuple(place for place, axis in enumerate(kept) if axis not in axes)
        summed: Floats = counts.sum(axis=others)
        return summed if kept.index(axes[0]) < kept.index(axes[1]) else summed.T
    return None

"""Releases of categories as figures: a heat map of two columns, or bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from app.plots.histogram.category_bars import CategoryBars, CategoryBarsView
from app.plots.histogram.contingency import ContingencyMap, ContingencyView
from app.releases.figures import FigurePanel

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.data.categories import Categories, CategoryDomain
    from engine.mechanisms import CategoriesMechanism
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release


def categories_panel(
    mechanism: CategoriesMechanism,
    release: Release,
    prepared: Prepared,
    data: LoadedRecords[Categories],
    *,
    show_private: bool,
) -> FigurePanel:
    """Show a release, for the curator beside the truth."""
    label = mechanism.label
    kind = "simulated, not a release" if release.simulated else "released"
    title = label if show_private else f"{label}: {kind}"
    domain, true = data.database.domain, prepared.diagnostics["true_value"] if show_private else None
    true_release = None if true is None else mechanism.true_answer(true, domain)
    return categories_view(title, release.value, true_release, true, domain, {"simulated": release.simulated})


def categories_view(
    title: str, value: Any, true_release: Any, true: Any, domain: CategoryDomain, facts: Mapping[str, Any]
) -> FigurePanel:
    """Show what was released.

    Parameters
    ----------
    true_release, true : object or None
        The true answer as it would be released, and as the mechanism knows it (private); None
        leaves both out.
    facts : mapping
        What else the picture is to say.
    """
    if isinstance(value, Mapping) and {"cells", "margins"} & set(value):
        return _table(title, value, true_release, domain, facts)
    return FigurePanel(
        title, CategoryBars, _bars(value, true_release, true, domain, facts), private=true_release is not None
    )


def _table(
    title: str,
    value: Mapping[str, Any],
    true_release: Mapping[str, Any] | None,
    domain: CategoryDomain,
    facts: Any,
) -> FigurePanel:
    """Show a table of one column or two: of more, their first two, over all others."""
    columns, counts = _first(value, domain)
    truth = None if true_release is None else _first(true_release, domain)[1]
    labels = [domain.labels[domain.columns.index(name)] for name in columns]
    if len(columns) == 1:
        view = CategoryBarsView(columns[0], labels[0], counts, truth=truth, **facts)
        return FigurePanel(title, CategoryBars, view, private=true_release is not None)
    return FigurePanel(
        title,
        ContingencyMap,
        ContingencyView((columns[0], columns[1]), (labels[0], labels[1]), counts, truth, **facts),
        private=true_release is not None,
    )


def _first(value: Mapping[str, Any], domain: CategoryDomain) -> tuple[tuple[str, ...], np.ndarray]:
    """Return one or two columns, and the counts of what they hold."""
    table = (
        value["margins"][0] if "margins" in value else {"columns": domain.columns, "cells": value["cells"]}
    )
    shape = [len(domain.labels[domain.columns.index(name)]) for name in table["columns"]]
    counts = np.array([cell["count"] for cell in table["cells"]], dtype=np.float64).reshape(shape)
    return tuple(table["columns"][:2]), counts.sum(axis=tuple(range(2, len(shape))))


def _bars(value: Any, true_release: Any, true: Any, domain: CategoryDomain, facts: Any) -> CategoryBarsView:
    """Show shares with their errors, sorted counts, or the mode among all combinations."""
    name = ", ".join(domain.columns)
    if isinstance(value, Mapping) and "shares" in value:
        return CategoryBarsView(
            name,
            tuple(value["shares"]),
            np.array(list(value["shares"].values())),
            noun="share of the records",
            errors=np.array(list(value["standard_errors"].values())),
            truth=None if true_release is None else np.array(list(true_release.values())),
            **facts,
        )
    if isinstance(value, Mapping):
        places = tuple(f"{place}." for place in range(1, len(value["counts"]) + 1))
        truth = None if true_release is None else np.array(true_release["counts"])
        return CategoryBarsView("in falling order", places, np.array(value["counts"]), truth=truth, **facts)
    named = [", ".join(domain.named(cell)) for cell in range(domain.size)]
    chosen = named.index(value if isinstance(value, str) else ", ".join(value))
    return CategoryBarsView(
        name, tuple(named), np.full(domain.size, np.nan), truth=true, chosen=chosen, **facts
    )

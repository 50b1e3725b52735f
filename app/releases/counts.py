"""Counts of categories: in falling order without their names, or as tables with them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.formatting import format_count
from app.model.wording.numbers import number
from app.releases.categories import CategoriesShape, domain_title, first_words, shortened
from app.releases.shape import Table

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.plots.histogram.category_bars import CategoryBarsView
    from app.plots.histogram.contingency import ContingencyView
    from app.releases.run import Run
    from engine.data.categories import CategoryDomain
    from engine.mechanisms.release import Release

FEW, BRIEF = 3, 40
"""How many counts are written out on a line of the history, and of the console."""

NO_TABLE = "The released margins hold no table of these two columns; choose others."

LISTED = 8
"""Labels side by side of a cross table."""

Cell = Mapping[str, Any]


class CountsShape(CategoriesShape):
    """Counts in falling order, without the names of what was counted."""

    name = "counts"
    ranks = True

    def words(self, record: ReleaseRecord) -> str:
        """Write the first counts."""
        counts = [number(one) for one in record.release.value["counts"]]
        return f"{_many(len(counts), 'count')}: {first_words(counts, FEW)}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return a row for each count."""
        return ["count"], [[one] for one in record.release.value["counts"][:most]]

    def headline(self, run: Run, release: Release) -> str:
        """Say how many counts there are."""
        return f"{counted(len(release.value['counts']), 'count')}, in falling order"

    def listing(self, run: Run, release: Release) -> str:
        """Return the counts by their ranks."""
        counts = enumerate(release.value["counts"], 1)
        return shortened(["", "count"], [[f"{rank}.", console_number(count)] for rank, count in counts])

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        """Yield that noise is larger than what is counted, as far as public facts tell."""
        scale = release.noise.get("scale", 0.0)
        average = run.data.database.n / max(map(len, self.counts_of(release.value)))
        if scale > average:
            yield (
                f"the noise (scale {console_number(scale, 3)}) is larger than the average count "
                f"({console_number(average, 3)}): the counts say little; take fewer columns, coarser "
                "categories or a larger epsilon"
            )

    def counts_of(self, value: Any) -> list[list[float]]:
        """Return the counts of each table that a value holds, in the order of the categories."""
        return [value["counts"]]

    def brief(self, truth: Any) -> str:
        """Write the first counts."""
        counts = [console_number(count) for table in self.counts_of(truth) for count in table]
        return first_words(counts, BRIEF)

    def bars(self, domain: CategoryDomain, value: Any, truth: Any, simulated: bool) -> CategoryBarsView:
        """Show the counts by their ranks."""
        ranks = tuple(f"{rank}." for rank in range(1, len(value["counts"]) + 1))
        return self._bars(f"{domain_title(domain)}, the most frequent first", ranks, value, truth, simulated)

    def _bars(
        self, title: str, labels: tuple[str, ...], value: Any, truth: Any, simulated: bool
    ) -> CategoryBarsView:
        from app.plots.histogram.category_bars import CategoryBarsView

        counts = [
            None if one is None else np.array(self.counts_of(one)[0], dtype=np.float64)
            for one in (value, truth)
        ]
        assert counts[0] is not None
        return CategoryBarsView(title, labels, counts[0], truth=counts[1], simulated=simulated)


class TableShape(CountsShape):
    """A count for each combination of categories, or several tables of fewer columns."""

    name = "table"

    def words(self, record: ReleaseRecord) -> str:
        """Write the first cell, and how many there are."""
        value = record.release.value
        if "margins" in value:
            size = sum(len(table["cells"]) for table in value["margins"])
            return f"{format_count(size)} cells in {_many(len(value['margins']), 'table')}"
        cells = [f"{', '.join(cell['categories'])} {number(cell['count'])}" for cell in value["cells"]]
        return f"{_many(len(cells), 'cell')}: {first_words(cells, 1, '; ')}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return a row for each cell; a margin leaves blank what it does not tell."""
        tables = tables_of(record.release.value, record.coordinates)
        names = list(dict.fromkeys(name for table in tables for name in table["columns"]))
        rows = [
            [*(labels.get(name, "") for name in names), cell["count"]]
            for table in tables
            for cell in table["cells"][:most]
            for labels in [dict(zip(table["columns"], cell["categories"], strict=True))]
        ]
        return [*names, "count"], rows[:most]

    def lines(self, record: ReleaseRecord, most: int) -> list[str]:
        """Write each cell by its categories; of a margin with their columns."""
        value = record.release.value
        if "margins" in value:
            return super().lines(record, most)
        return [f"{', '.join(cell['categories'])}: {number(cell['count'])}" for cell in value["cells"][:most]]

    def headline(self, run: Run, release: Release) -> str:
        """Say how many counts or margins there are."""
        value = release.value
        if "margins" in value:
            return (
                f"{counted(len(value['margins']), 'margin')} of a table of {run.data.database.domain.size:,}"
            )
        return counted(len(value["cells"]), "count")

    def listing(self, run: Run, release: Release) -> str:
        """Return two columns as a cross table, one or many row by row."""
        tables = tables_of(release.value, run.data.columns)
        return "\n\n".join(_listed(table["columns"], table["cells"]) for table in tables)

    def counts_of(self, value: Any) -> list[list[float]]:
        """Return the counts of each table."""
        return [[cell["count"] for cell in table["cells"]] for table in tables_of(value, ())]

    def picture(
        self, title: str, domain: CategoryDomain, value: Any, truth: Any, simulated: bool
    ) -> FigurePanel:
        """Return a table of one column or two: of more, their first two, over all others."""
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.contingency import ContingencyMap

        columns = tables_of(value, domain.columns)[0]["columns"][:2]
        if len(columns) == 1:
            return super().picture(title, domain, value, truth, simulated)
        first, second = (domain.columns.index(name) for name in columns)
        view = self.crossed(domain, (first, second), value, truth, simulated)
        return FigurePanel(title, ContingencyMap, view, private=truth is not None)

    def bars(self, domain: CategoryDomain, value: Any, truth: Any, simulated: bool) -> CategoryBarsView:
        """Show the counts of all combinations, or of the first margin."""
        names = tables_of(value, domain.columns)[0]["columns"]
        lists = [domain.labels[domain.columns.index(name)] for name in names]
        labels = tuple(", ".join(named) for named in itertools.product(*lists))
        return self._bars(" and ".join(names), labels, value, truth, simulated)

    def crossed(
        self, domain: CategoryDomain, axes: tuple[int, int], value: Any, truth: Any, simulated: bool
    ) -> ContingencyView | None:
        """Show the counts of two columns, from whatever released table holds both; None if none does.

        Parameters
        ----------
        value, truth : mapping
            What was released, and would be without noise (None: not to be seen).
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


def tables_of(value: Mapping[str, Any], columns: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the tables that were released: the margins, or all `columns` in one."""
    return value.get("margins") or [{"columns": list(columns), "cells": value["cells"]}]


def _pair(domain: CategoryDomain, axes: tuple[int, int], value: Any) -> NDArray[np.float64] | None:
    """Return the counts of two columns, added up over all others."""
    names = [domain.columns[axis] for axis in axes]
    for table in tables_of(value, domain.columns):
        if not set(names) <= set(table["columns"]):
            continue
        kept = [domain.columns.index(name) for name in table["columns"]]
        counts = np.array([cell["count"] for cell in table["cells"]], dtype=np.float64)
        counts = counts.reshape([len(domain.labels[axis]) for axis in kept])
        others = tuple(place for place, axis in enumerate(kept) if axis not in axes)
        summed: NDArray[np.float64] = counts.sum(axis=others)
        return summed if kept.index(axes[0]) < kept.index(axes[1]) else summed.T
    return None


def _listed(names: Sequence[str], cells: Sequence[Cell]) -> str:
    """Return counts as a cross table of two columns, else row by row."""
    if len(names) != 2:
        rows = [[*cell["categories"], console_number(cell["count"])] for cell in cells]
        return shortened([*names, "count"], rows)
    counts = {tuple(cell["categories"]): console_number(cell["count"]) for cell in cells}
    down, across = (list(dict.fromkeys(key[place] for key in counts)) for place in (0, 1))
    if len(across) > LISTED:
        return shortened([*names, "count"], [[*key, count] for key, count in counts.items()])
    header = [f"{names[0]} \\ {names[1]}", *across]
    return shortened(header, [[row, *(counts[row, label] for label in across)] for row in down])


def _many(size: int, noun: str) -> str:
    return f"{format_count(size)} {noun}{'s' * (size != 1)}"

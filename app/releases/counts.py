"""Counts of categories: in falling order without their names, or as tables with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.formatting import format_count
from app.model.wording.number_format import grouped
from app.model.wording.numbers import number
from app.releases.categories import CategoriesShape, first_words, shortened
from app.releases.shape import Table
from engine.mechanisms.categories.numbers import CrossTable, tables_of

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.data.categories import CategoryDomain
    from engine.mechanisms.release import Release

MAX_LISTED, BRIEF = 3, 40
"""How many counts are written out on a line of the history, and of the console."""

NO_TABLE = "The released margins hold no table of these two columns; choose others."

LISTED = 8
"""Labels side by side of a cross table."""

Cell = Mapping[str, Any]


class CountsShape(CategoriesShape):
    """Counts in falling order, without the names of what was counted."""

    name = "counts"
    heading = "Tables of categories"
    short = "Tables"
    ranks = True

    def words(self, record: ReleaseRecord) -> str:
        counts = [number(one) for one in record.release.value["counts"]]
        return f"{_many(len(counts), 'count')}: {first_words(counts, MAX_LISTED)}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        return ["count"], [[one] for one in record.release.value["counts"][:most]]

    def headline(self, run: Run, release: Release) -> str:
        return f"{counted(len(release.value['counts']), 'count')}, in falling order"

    def listing(self, run: Run, release: Release) -> str:
        counts = enumerate(release.value["counts"], 1)
        return shortened(["", "count"], [[f"{rank}.", console_number(count)] for rank, count in counts])

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
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
        counts = [console_number(count) for table in self.counts_of(truth) for count in table]
        return first_words(counts, BRIEF)


class TableShape(CountsShape):
    """A count for each combination of categories, or several tables of fewer columns."""

    name = "table"

    def words(self, record: ReleaseRecord) -> str:
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
        value = release.value
        if "margins" in value:
            cells = grouped(run.data.database.domain.size)
            return f"{counted(len(value['margins']), 'margin')} of a table of {cells}"
        return counted(len(value["cells"]), "count")

    def listing(self, run: Run, release: Release) -> str:
        tables = tables_of(release.value, run.data.columns)
        return "\n\n".join(_listed(table["columns"], table["cells"]) for table in tables)

    def counts_of(self, value: Any) -> list[list[float]]:
        return [[cell["count"] for cell in table["cells"]] for table in tables_of(value, ())]

    def picture(
        self, title: str, made_by: Any, domain: CategoryDomain, release: Release, true_value: Any = None
    ) -> FigurePanel:
        """Return a table of one column or two: of more, their first two, over all others."""
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.matrix import ContingencyMap

        columns = tables_of(release.value, domain.columns)[0]["columns"][:2]
        if len(columns) == 1:
            return super().picture(title, made_by, domain, release, true_value)
        first, second = (domain.columns.index(name) for name in columns)
        truth = None if true_value is None else made_by.output.true_answer(true_value, domain)
        view = CrossTable.of(domain, (first, second), release.value, truth, simulated=release.simulated)
        return FigurePanel(title, ContingencyMap, view, private=truth is not None)


def _listed(names: Sequence[str], cells: Sequence[Cell]) -> str:
    """Return counts as a cross table of two columns, else row by row."""
    if len(names) != 2:
        rows = [[*cell["categories"], console_number(cell["count"])] for cell in cells]
        return shortened([*names, "count"], rows)
    counts = {tuple(cell["categories"]): console_number(cell["count"]) for cell in cells}
    down, across = (list(dict.fromkeys(key[index] for key in counts)) for index in (0, 1))
    if len(across) > LISTED:
        return shortened([*names, "count"], [[*key, count] for key, count in counts.items()])
    header = [f"{names[0]} \\ {names[1]}", *across]
    return shortened(header, [[row, *(counts[row, label] for label in across)] for row in down])


def _many(size: int, noun: str) -> str:
    return f"{format_count(size)} {noun}{'s' * (size != 1)}"

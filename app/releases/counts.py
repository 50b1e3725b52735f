"""Categories: a frequent one, a chosen candidate, shares of randomized answers, and counts of any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.numbers import format_count, grouped, number, share
from app.releases.labels import mechanism_class, query_words, title_words
from app.releases.run import Rows, RunRecord, truth_of
from app.releases.shape import (
    MAX_PARTS,
    NO_INTERVAL,
    ReleasedAnswer,
    Shape,
    Table,
    bars,
    console_table,
    end_words,
    error_words,
    first_lines,
    first_words,
    with_ends,
    within_words,
)
from engine.aggregation.functions import FUNCTIONS
from engine.data.categories import CategoryDomain
from engine.mechanisms.categories.numbers import CrossTable, tables_of
from engine.mechanisms.histograms.counting import with_name
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared

MAX_ROWS = 40
"""How many rows a table has on the console."""

MAX_SHARES = 3
"""How many shares are written out on a line."""

PARTS = ("shares", "standard_errors", "answers")


class CategoriesShape(Shape):
    """A value about records with one category in each column, of public lists."""

    each = "count"
    error_unit = "records"
    explanations: ClassVar[Mapping[str, str]] = {"unseen": "records counted as 'other'"}

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return super().answer(record).with_note(error_words(record, "count"))

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        made_by: Any = mechanism_class(record.release)
        domain = domain_of(record)
        return bars(record, made_by.numbers(record.release.value, domain.columns, domain))

    def fits(self, record: ReleaseRecord) -> bool:
        return True  # labels are not numbers; a wrong one shows when it is described

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        truth = run.mechanism.output.true_answer(prepared.diagnostics["true_value"], run.data.database.domain)
        return {"true_value": truth, "unseen": run.data.clamped, "dropped": run.data.dropped}


def domain_of(record: ReleaseRecord) -> CategoryDomain:
    """Return the public lists of categories."""
    known = record.release.parameters
    return CategoryDomain(known["columns"], known["categories"])


class CategoryShape(CategoriesShape):
    """One label, or one for each column."""

    name = "category"
    heading = "Single answers about categories"
    short = "Tables"

    def summary(self, record: ReleaseRecord) -> str:
        return self.truth_words(record.release.value)

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        return list(record.coordinates), [_labels(record.release.value)]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return ReleasedAnswer(self.summary(record), notes=(NO_INTERVAL,))

    def truth_words(self, truth: Any) -> str:
        return ", ".join(_labels(truth))

    def listing(self, record: RunRecord) -> str:
        return ""


def _labels(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


class SharesShape(CategoriesShape):
    """A share for each category, with its standard error, and the randomized answers that it is made of."""

    name = "shares"
    heading = "Local model"
    short = "Tables"

    def summary(self, record: ReleaseRecord) -> str:
        shares = [f"{label} {share(part)}" for label, part in record.release.value["shares"].items()]
        return f"shares: {first_words(shares, MAX_SHARES)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        value = record.release.value
        rows = [[label, *(value[part][label] for part in PARTS)] for label in value["shares"]]
        first = record.coordinates[0] if record.coordinates else "category"
        return [first, "share", "standard error", "answers"], rows[:limit]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        rows = self.table(record)[1]
        lines = (f"{label} {share(part)} ± {share(error)}" for label, part, error, _ in rows)
        return ReleasedAnswer(counted(len(rows), "share"), parts=first_lines(lines, MAX_PARTS))

    def truth_table(self, record: ReleaseRecord) -> Table:
        first = record.coordinates[0] if record.coordinates else "category"
        return [first, "share"], [[label, part] for label, part in record.release.value.items()]

    def truth_words(self, truth: Any) -> str:
        return ", ".join(f"{label} {console_number(part, 4)}" for label, part in truth.items())

    def headline(self, record: RunRecord) -> str:
        return f"{counted(len(record.release.value['shares']), 'share')} of {record.coordinates[0]}"

    def listing(self, record: RunRecord) -> str:
        header, rows = self.table(record)
        texts = [
            [label, console_number(part, 4), f"± {console_number(error, 2)}", grouped(answers)]
            for label, part, error, answers in rows
        ]
        return console_table(header, texts, MAX_ROWS)

    def rows(self, run: Run) -> Rows:
        database = run.data.database
        public = run.mechanism.public_facts(database.domain, database.n, run.privacy)
        local = (
            f"true with probability {console_number(public['true_answer'], 4)}; each is private by "
            "itself, before it is collected (local model)"
        )
        return [("answers", local)]

    def remarks(self, record: RunRecord) -> Iterator[str]:
        size = record.run.data.database.domain.size
        error = max(record.release.value["standard_errors"].values())
        if error > 1 / size:
            yield (
                f"the standard error ({console_number(error, 3)}) is larger than the average share "
                f"({console_number(1 / size, 3)}): the shares are useless; collect more answers, or "
                "take a larger epsilon"
            )


class CandidateShape(Shape):
    """The number of a candidate chosen by scores; its name where columns are the candidates."""

    name = "candidate"
    heading = "Choices"
    short = "Tables"

    def summary(self, record: ReleaseRecord) -> str:
        value, scores = record.release.value, str(record.release.parameters.get("scores"))
        are_columns = scores in FUNCTIONS and FUNCTIONS[scores].among_data
        named = are_columns and value <= len(record.coordinates)
        return record.coordinates[value - 1] if named else f"candidate {value}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        return [query_words(record.release)], [[self.summary(record)]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        slack = record.release.parameters.get("slack")
        line = (
            f"In 95 % of releases no candidate's mean score is more than {console_number(slack or 0.0, 3)} "
            "higher."
        )
        return ReleasedAnswer(self.summary(record), notes=() if slack is None else (line,))

    def exact(self, record: ReleaseRecord) -> str:
        return str(record.release.value)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        # only of a run: a record does not hold the names of the other candidates
        return bars(record, self._numbers(record)) if isinstance(record, RunRecord) else None

    def headline(self, record: RunRecord) -> str:
        numbers = self._numbers(record)
        return str(numbers.labels[numbers.chosen])

    def _numbers(self, record: RunRecord) -> Any:
        data = record.run.data
        return record.run.mechanism.numbers(record.release.value, data.columns, data.database.domain)

    def listing(self, record: RunRecord) -> str:
        return ""

    def error(self, record: RunRecord) -> str:
        slack = console_number(record.release.parameters["slack"], 4)
        return f"in 95 % of releases no mean score is {slack} higher"


MAX_LISTED, MAX_TRUE = 3, 40
"""Most counts on a line of the history, and on the console."""

MAX_ACROSS = 8
"""Most labels side by side in a cross table."""

NO_TABLE = "No released margin has both of these columns; choose others."


class CountsShape(CategoriesShape):
    """Counts in falling order, without names."""

    name = "counts"
    heading = "Tables of categories"
    short = "Tables"
    ranks = True

    def summary(self, record: ReleaseRecord) -> str:
        counts = [number(one) for one in record.release.value["counts"]]
        return f"{_many(len(counts), 'count')}: {first_words(counts, MAX_LISTED)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        return with_ends(record, ["count"], [[one] for one in record.release.value["counts"][:limit]])

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        counts = zip(record.release.value["counts"], end_words(record, limit), strict=False)
        return [f"{number(count)}{ends}" for count, ends in counts]

    def headline(self, record: RunRecord) -> str:
        return f"{counted(len(record.release.value['counts']), 'count')}, in falling order"

    def listing(self, record: RunRecord) -> str:
        header, rows = self.table(record)
        ranked = [[f"{rank}.", *row] for rank, row in enumerate(rows, 1)]
        return console_table(["", *header], ranked, MAX_ROWS)

    def remarks(self, record: RunRecord) -> Iterator[str]:
        scale = record.release.noise.get("scale", 0.0)
        average = record.run.data.database.n / max(map(len, self.counts_of(record.release.value)))
        if scale > average:
            yield (
                f"the noise (scale {console_number(scale, 3)}) is larger than the average count "
                f"({console_number(average, 3)}): the counts are useless; take fewer columns, coarser "
                "categories or a larger epsilon"
            )

    def counts_of(self, value: Any) -> list[list[float]]:
        """Return the counts of each table that a value holds, in the order of the categories."""
        return [value["counts"]]

    def truth_words(self, truth: Any) -> str:
        counts = [console_number(count) for table in self.counts_of(truth) for count in table]
        return first_words(counts, MAX_TRUE)


class TableShape(CountsShape):
    """A count for each combination of categories, or several tables of fewer columns."""

    name = "table"

    def summary(self, record: ReleaseRecord) -> str:
        value = record.release.value
        if "margins" in value:
            size = sum(len(table["cells"]) for table in value["margins"])
            return f"{format_count(size)} cells in {_many(len(value['margins']), 'table')}"
        cells = [f"{', '.join(cell['categories'])} {number(cell['count'])}" for cell in value["cells"]]
        return f"{_many(len(cells), 'cell')}: {first_words(cells, 1, '; ')}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        """Return a row for each cell; a margin leaves its missing columns blank."""
        tables = tables_of(record.release.value, record.coordinates)
        names = list(dict.fromkeys(name for table in tables for name in table["columns"]))
        rows = [
            [*(labels.get(name, "") for name in names), cell["count"]]
            for table in tables
            for cell in table["cells"][:limit]
            for labels in [dict(zip(table["columns"], cell["categories"], strict=True))]
        ]
        return with_ends(record, [*names, "count"], rows[:limit])

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        """Write each cell by its categories; of a margin with their columns."""
        value = record.release.value
        if "margins" in value:
            return Shape.lines(self, record, limit)
        return [
            f"{', '.join(cell['categories'])}: {number(cell['count'])}{ends}"
            for cell, ends in zip(value["cells"], end_words(record, limit), strict=False)
        ]

    def headline(self, record: RunRecord) -> str:
        value = record.release.value
        if "margins" in value:
            cells = grouped(record.run.data.database.domain.size)
            return f"{counted(len(value['margins']), 'margin')} of a table of {cells}"
        return counted(len(value["cells"]), "count")

    def interval(self, record: RunRecord) -> str:
        return "" if record.release.error is not None else within_words(record)

    def listing(self, record: RunRecord) -> str:
        tables = tables_of(record.release.value, record.coordinates)
        return "\n\n".join(_listed(table["columns"], table["cells"]) for table in tables)

    def counts_of(self, value: Any) -> list[list[float]]:
        return [[cell["count"] for cell in table["cells"]] for table in tables_of(value, ())]

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        """Return a table of one or two columns: the first two of several, summed over the others."""
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.matrix import ContingencyMap

        release, domain, truth = record.release, domain_of(record), truth_of(record)
        columns = tables_of(release.value, domain.columns)[0]["columns"][:2]
        if len(columns) == 1:
            return super().panel(record, progress)
        if truth is not None:
            assert isinstance(record, RunRecord)
            truth = record.run.mechanism.output.true_answer(truth, domain)
        first, second = (domain.columns.index(name) for name in columns)
        view = CrossTable.of(domain, (first, second), release.value, truth, simulated=release.simulated)
        return FigurePanel(title_words(record), ContingencyMap, view, private=truth is not None)


class ConditionsShape(Shape):
    """The number of records that satisfy each of several conditions."""

    name = "conditions"
    each = "count"
    error_unit = "records"
    heading = "Counts of conditions"
    short = "Counts"

    def summary(self, record: ReleaseRecord) -> str:
        size = len(record.release.value["counts"])
        return f"{_many(size, 'count')}: {first_words(self.lines(record, 2), 1, '; ')}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        rows = record.release.value["counts"][:limit]
        counts = [[with_name(row["condition"], record.coordinates), row["count"]] for row in rows]
        return with_ends(record, ["condition", "count"], counts)

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        return [f"{condition}: {number(count)}" for condition, count, *_ in self.table(record, limit)[1]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return super().answer(record).with_note(error_words(record, "count"))

    def fits(self, record: ReleaseRecord) -> bool:
        value = record.release.value
        rows = value.get("counts") if isinstance(value, dict) else None
        return isinstance(rows, list) and all(
            isinstance(row, dict)
            and isinstance(row.get("condition"), str)
            and isinstance(row.get("count"), int | float)
            for row in rows
        )

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        made_by: Any = mechanism_class(record.release)
        return bars(record, made_by.numbers(record.release.value, record.coordinates))

    def headline(self, record: RunRecord) -> str:
        return _many(len(record.release.value["counts"]), "count")

    def truth_words(self, truth: Any) -> str:
        return ", ".join(console_number(row["count"]) for row in truth["counts"])


def _listed(names: Sequence[str], cells: Sequence[Mapping[str, Any]]) -> str:
    """Return counts as a cross table of two columns, else row by row."""
    counts = {tuple(cell["categories"]): cell["count"] for cell in cells}
    down, across = (list(dict.fromkeys(key[index] for key in counts)) for index in (0, -1))
    if len(names) != 2 or len(across) > MAX_ACROSS:
        rows = [[*cell["categories"], cell["count"], *cell.get("interval", ())] for cell in cells]
        header = [*names, "count", "95 % from", "to"]
        return console_table(header[: len(rows[0])] if rows else header, rows, MAX_ROWS)
    header = [f"{names[0]} \\ {names[1]}", *across]
    return console_table(header, [[row, *(counts[row, label] for label in across)] for row in down], MAX_ROWS)


def _many(size: int, noun: str) -> str:
    return f"{format_count(size)} {noun}{'s' * (size != 1)}"

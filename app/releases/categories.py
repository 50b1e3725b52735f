"""Categories: the most frequent one, a chosen candidate, and shares of randomized answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.numbers import grouped, share
from app.releases.labels import mechanism_class, query_words
from app.releases.run import Rows, RunRecord
from app.releases.shape import (
    MAX_PARTS,
    NO_INTERVAL,
    ReleasedAnswer,
    Shape,
    Table,
    bars,
    console_table,
    error_words,
    first_lines,
    first_words,
)
from engine.aggregation.functions import FUNCTIONS
from engine.data.categories import CategoryDomain
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

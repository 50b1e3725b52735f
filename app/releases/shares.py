"""Shares of categories with their standard errors, and the randomized answers that they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.number_format import grouped
from app.model.wording.numbers import share
from app.releases.answer import ReleasedAnswer, first_lines
from app.releases.categories import CategoriesShape, first_words, shortened
from app.releases.public_rows import Rows
from app.releases.shape import Table

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.releases.run import Run
    from engine.mechanisms.release import Release

MAX_LISTED = 3
"""How many shares are written out on a line."""

PARTS = ("shares", "standard_errors", "answers")


class SharesShape(CategoriesShape):
    """A share for each category."""

    name = "shares"
    heading = "Local model"
    short = "Local model"

    def words(self, record: ReleaseRecord) -> str:
        shares = [f"{label} {share(part)}" for label, part in record.release.value["shares"].items()]
        return f"shares: {first_words(shares, MAX_LISTED)}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        value = record.release.value
        rows = [[label, *(value[part][label] for part in PARTS)] for label in value["shares"]]
        return self.table_header(record), rows[:most]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        value = record.release.value
        lines = (
            f"{label} {share(part)} ± {share(value['standard_errors'][label])}"
            for label, part in value["shares"].items()
        )
        return ReleasedAnswer(counted(len(value["shares"]), "share"), lines=first_lines(lines))

    def table_header(self, record: ReleaseRecord) -> list[str]:
        """Return the names of the columns."""
        first = record.coordinates[0] if record.coordinates else "category"
        return [first, "share", "standard error", "answers"]

    def truth_table(self, record: ReleaseRecord) -> Table:
        header, shares = self.table_header(record)[:2], record.release.value.items()
        return header, [[label, part] for label, part in shares]

    def headline(self, run: Run, release: Release) -> str:
        return f"{counted(len(release.value['shares']), 'share')} of {run.data.columns[0]}"

    def listing(self, run: Run, release: Release) -> str:
        value = release.value
        rows = [
            [
                label,
                console_number(part, 4),
                f"± {console_number(value['standard_errors'][label], 2)}",
                grouped(value["answers"][label]),
            ]
            for label, part in value["shares"].items()
        ]
        return shortened([run.data.columns[0], "share", "standard error", "answers"], rows)

    def rows(self, run: Run) -> Rows:
        database = run.data.database
        public = run.mechanism.public_facts(database.domain, database.n, run.privacy)
        local = (
            f"true with probability {console_number(public['true_answer'], 4)}; each is private by itself, "
            "before it is collected (local model)"
        )
        return [("answers", local)]

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        domain, error = run.data.database.domain, max(release.value["standard_errors"].values())
        if error > 1 / domain.size:
            yield (
                f"the standard error ({console_number(error, 3)}) is larger than the average share "
                f"({console_number(1 / domain.size, 3)}): the shares say little; collect more answers, or "
                "take a larger epsilon"
            )

    def brief(self, truth: Any) -> str:
        return ", ".join(f"{label} {console_number(part, 4)}" for label, part in truth.items())

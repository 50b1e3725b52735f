"""Parts of a table: a column of numbers where a condition holds, or by group."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Literal

from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, Fields, IntervalChoice
from app.model.kinds.categories import categories_of
from app.model.kinds.category_choice import list_of
from app.model.kinds.column import ColumnKind
from app.model.kinds.kind import DROP, FILL, DataKind, check_fills
from app.model.kinds.options import (
    BY,
    CATEGORIES,
    COLUMN,
    LOWER,
    MEMBERSHIP,
    UNSEEN,
    UPPER,
    WHERE,
    OptionError,
    offered,
    values_in,
)
from app.model.loaded import LoadedRecords
from engine.data import Example, Table
from engine.data.categories import OTHER, CategoryDomain
from engine.data.look_only import REFUSE
from engine.data.parts import IN_NO_PART, Parts, PartsDomain
from engine.data.reading_parts import TRUTH, read_parts
from engine.data.rows import all_hold, read_row_condition
from engine.domain import Interval
from engine.errors import DataError
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True, eq=False)
class PartsChoice(IntervalChoice):
    """The choice of a column and of the rows that count."""

    missing: Any = DROP
    column: str = ""  # the column of numbers; "" to count rows
    by: tuple[str, ...] = ()  # the columns of groups; none for a single part
    # the public list of each; without "other", rows of other groups are left out
    groups: tuple[tuple[str, ...], ...] = ()
    where: tuple[str, ...] = ()  # conditions on rows; all must hold
    # whether it is public who belongs to which group
    membership: Literal["confidential", "public"] = "confidential"
    # the records; None until they are read
    parts: Parts | None = dataclasses.field(default=None, repr=False, metadata=FOUND)

    @property
    def n(self) -> int | None:
        return None if self.parts is None else self.parts.n

    def domain(self) -> Interval:
        return super().domain() if self.column else TRUTH

    @property
    def list_of_groups(self) -> CategoryDomain | None:
        """The columns of groups and their public lists; None without groups."""
        return CategoryDomain(self.by, list(map(list_of, self.by, self.groups))) if self.by else None

    @property
    def statements(self) -> dict[str, Any]:
        """The public statements about which rows count."""
        stated: dict[str, Any] = {"column": self.column} if self.column else {}
        if self.where:
            stated["where"] = list(self.where)
        if self.by:
            stated |= {"by": self.by[0] if len(self.by) == 1 else list(self.by)}
            stated |= {"membership": self.membership}
            stated |= {} if all(OTHER in labels for labels in self.groups) else {"unlisted": DROP}
        if self.missing == FILL:
            return stated | {"missing": FILL, "fill": dict(self.fills)}
        return stated | ({"missing": self.missing} if self.column or self.by else {})


class PartsKind(DataKind[PartsChoice]):
    """A column of numbers in parts of a table; only the command line reads it."""

    name = "parts"
    description = "a column of numbers, with a condition or groups"
    holds = "holds columns of numbers"
    examples = ("table", "points", "categories")
    choice = PartsChoice
    fields = ()
    options = (COLUMN, LOWER, UPPER, WHERE, BY, CATEGORIES, UNSEEN, MEMBERSHIP)
    unnamed = ("column", "is empty; it must name a column")
    drop_tells = False

    def fits(self, card: Example) -> bool:
        return card.kind in self.examples

    def columns_of(self, choice: PartsChoice) -> tuple[str, ...]:
        named = [name for text in choice.where for name in read_row_condition(text).columns]
        return tuple(dict.fromkeys(name for name in (choice.column, *choice.by, *named) if name))

    def filled_columns(self, choice: PartsChoice) -> tuple[str, ...]:
        return (choice.column,) if choice.column else ()

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        progress(0.0, "reading the parts")
        choice, table = self.choice(**fields), dataset.table
        check_fills(self, choice)
        if choice.column:
            table.complete([choice.column], choice.missing)
        holds = all_hold(map(read_row_condition, choice.where), table)
        fill = choice.fills[choice.column] if choice.missing == FILL and choice.column else None
        by = choice.list_of_groups
        parts = read_parts(table, choice.column, choice.domain(), by=by, holds=holds, fill=fill)
        return {**fields, "parts": parts}

    def load(self, table: Table, fields: Fields) -> LoadedRecords[Parts]:
        dataset = Dataset(table, "")
        choice = self.choice(**self.read(dataset, fields, silent))
        assert choice.parts is not None
        return LoadedRecords(choice.parts, self.title(choice, table), self.unit(choice, dataset), None, 0)

    def title(self, choice: PartsChoice, table: Table) -> str:
        by = f" by {' and '.join(choice.by)}" if choice.by else ""
        where = f" where {' and '.join(choice.where)}" if choice.where else ""
        return f"{choice.column or 'rows'}{by}{where} ({table.source})"

    def unit(self, choice: PartsChoice, dataset: Dataset | None) -> str:
        return choice.unit_of(choice.column, dataset)

    def value_of(self, texts: Sequence[str], domain: PartsDomain) -> tuple[float, int]:
        names = domain.groups
        if not names:
            return values_in(texts, 1)[0], 0
        group = texts[-1] if len(texts) == 2 else ""
        if group and group not in names:
            raise OptionError("neighbour", f"'{group}' is no group; choose one of {', '.join(names)}")
        return values_in(texts[:1], 1)[0], names.index(group) if group else IN_NO_PART

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        where = tuple(options.where or ())
        for text in where:
            read_row_condition(text)  # mistakes come before the file is read
        fields: Fields = {"where": where}
        if options.by:
            fields |= {"by": tuple(options.by), "groups": _groups(options, card)}
            fields["membership"] = options.membership or "confidential"
        elif options.categories is not None:
            raise OptionError("categories", "the groups belong to a column; name it with --by")
        if options.column or not options.counts_rows:
            table, declared = ColumnKind().locate(options, card, read_table)
            if not options.column and card is None and len(table.columns) > 1:  # types may be private
                names = offered([column.name for column in table.columns])
                raise DataError(f"choose the column of numbers with --column: {names}", source=table.source)
            return table, {**fields, **declared}
        for name in ("lower", "upper"):
            if getattr(options, name) is not None:
                raise OptionError(name, "bounds belong to a column of numbers; name it with --column")
        return read_table(), fields


def _groups(options: argparse.Namespace, card: Example | None) -> tuple[tuple[str, ...], ...]:
    """Return the public lists of groups on the command line, or the whole ones on the card of an example."""
    domain = categories_of(options.by, options.categories, card)
    unseen = options.unseen or (DROP if options.categories is None else OTHER)
    if unseen == REFUSE:
        raise OptionError("unseen", "with --by the groups are confidential; choose other or drop")
    return (domain.with_other() if unseen == OTHER else domain).labels

"""Kinds of data: each is declared once, and every part of the program reads that declaration."""

from __future__ import annotations

import abc
import argparse
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from app.model.dataset import Dataset
from app.model.kinds.base import (
    BY_HAND,
    DataChoice,
    DataFacts,
    DatasetBuilder,
    Fields,
    IntervalChoice,
    numbers_of,
    parts_of,
    private_facts,
)
from app.model.kinds.fields import BoundsField, ColumnField, FormField
from app.model.kinds.options import DataOption, OptionError, bounds_of, values_in
from app.model.loaded import LoadedRecords
from app.model.wording.numbers import format_count, format_exact, number
from engine.data.formats.registry import suffixes
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example, Table
    from engine.questions.declarations import Declarations


ChoiceT = TypeVar("ChoiceT", bound=DataChoice)

Write = Callable[[Any], str]
"""Writes a value as the expression that makes it again."""


class DataKind(abc.ABC, Generic[ChoiceT]):
    """One kind of data that queries and mechanisms read.

    The side panel, import dialog, command line, session file, lessons, script and report all use it.

    Attributes
    ----------
    name : str
        Its name in `Query.reads` and `Mechanism.reads`.
    description : str
        Noun phrase for such data.
    holds : str
        Verb phrase for an example with such data.
    examples : tuple of str
        Kinds of examples that hold it; the first kind is made for it.
    part : str
        Entry that the card of an example must declare, besides its kind.
    choice : type of DataChoice
    fields : tuple of FormField
        Fields of side panel and import dialog, in this order.
    file, files : str
        Noun phrase for a file with such data, and the filter of the file dialog.
    options : tuple of DataOption
        Command-line options for its location in the file and its public facts.
    unused : tuple of str
        Options of other kinds that are ignored here.
    unnamed : (str, str)
        Field and problem when a session file names no columns.
    counted : str
        Plural noun for the units that n counts.
    declared, public : str
        Public facts besides n that must be known without the data: short name, and full name.
    of_numbers : bool
        Whether its columns must hold numbers.
    reads_edges : bool
        Whether a file of numbers without a header is a list of edges.
    clamps : bool
        Whether its bounds move records.
    nearest : str
        Noun for the place to which records are moved.
    fills_numbers : bool
        Whether the replacement for a missing value is a number.
    drop_tells : bool
        Whether leaving out records without a value changes a public fact.
    script_imports : tuple of str
        References to names in its script, besides those of `engine`.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    holds: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    part: ClassVar[str] = "columns"
    file: ClassVar[str] = "a table"
    choice: type[ChoiceT]
    fields: tuple[FormField, ...]
    options: ClassVar[tuple[DataOption, ...]]
    unused: ClassVar[tuple[str, ...]] = ()
    unnamed: ClassVar[tuple[str, str]] = ("columns", "is empty; it must name a column")
    counted: ClassVar[str] = "records"
    declared: ClassVar[str] = "bounds"
    public: ClassVar[str] = "bounds"
    of_numbers: ClassVar[bool] = False
    reads_edges: ClassVar[bool] = False
    clamps: ClassVar[bool] = True
    nearest: ClassVar[str] = "bound"
    fills_numbers: ClassVar[bool] = True
    drop_tells: ClassVar[bool] = True
    script_imports: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "words" in vars(cls):  # its former name, in plug-ins
            cls.description = vars(cls)["words"]

    # Examples.

    def fits(self, card: Example) -> bool:
        """Return whether an example holds data of this kind."""
        return card.kind in self.examples and bool(getattr(card, self.part))

    def offers(self, card: Example) -> bool:
        """Return whether the list of examples for such data includes this one."""
        return card.kind == self.examples[0]

    def fitting(self) -> list[str]:
        """Return the names of all examples that hold data of this kind."""
        from engine.data import EXAMPLES

        return [name for name, card in EXAMPLES.items() if self.fits(card)]

    def from_example(self, card: Example) -> Fields:
        """Return the fields declared on the card of an example."""
        return {}

    def with_columns(self, declared: Fields, columns: tuple[str, ...], card: Example) -> Fields:
        """Return the fields declared on the card of an example, for other columns than its default ones."""
        return declared

    # Reading.

    @property
    def files(self) -> str:
        """Filter of the file dialog, with all registered formats."""
        return file_filter("Tables", graphs=False)

    @property
    def has_bounds(self) -> bool:
        """Whether its form declares bounds; else the page Data does."""
        return any(isinstance(field, BoundsField) for field in self.fields)

    @property
    def column_boxes(self) -> tuple[str, ...]:
        """The fields of the choice that each hold the name of one column."""
        return tuple(box for field in self.fields if isinstance(field, ColumnField) for box in field.boxes)

    def columns_of(self, choice: ChoiceT) -> tuple[str, ...]:
        """Return all columns that are read."""
        return tuple(name for box in self.column_boxes if (name := getattr(choice, box)))

    def changed_column(self, choice: ChoiceT) -> str:
        """Return the column whose values can be changed by hand; "" if there is none."""
        return ""

    def blank(self) -> ChoiceT:
        """Return a choice without columns, for a file that was just opened."""
        return self.choice()

    def guess(self, table: Table) -> ChoiceT:
        """Return a choice of the columns of a file whose names tell their role."""
        return self.blank()

    def has_columns(self, choice: ChoiceT) -> bool:
        """Return whether all columns are chosen that are read together."""
        return all(getattr(choice, box) for box in self.column_boxes)

    def is_read(self, choice: ChoiceT) -> bool:
        """Return whether everything that a query needs has been read."""
        return choice.n is not None

    @abc.abstractmethod
    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the columns that `fields` name, and return the fields with the result (in a worker)."""

    def on_change(self, choice: ChoiceT, dataset: Dataset, changed: Fields) -> Fields:
        """Return the fields to read after other choices changed.

        Records without a value in a new column are left out: nothing is filled in silently.
        """
        fields = {**choice.declared, **changed}
        new = set(self.columns_of(dataclasses.replace(choice, **changed))) - set(self.columns_of(choice))
        if fields["missing"] == "refuse" and any(dataset.column(name).missing for name in new):
            return {**fields, "missing": DROP}
        return fields

    def builder(self, choice: ChoiceT, dataset: Dataset | None) -> DatasetBuilder:
        """Return the builder of the database, if pages read it; `ParameterError` for a missing choice."""
        raise NotImplementedError

    # The table of the program.

    follows: ClassVar[bool] = False
    """Whether it reads declared columns of the table of the program."""

    def columns_in(self, declarations: Declarations, dataset: Dataset) -> tuple[str, ...]:
        """Return the columns of the table that are declared for such data."""
        return ()

    def choose_columns(self, columns: tuple[str, ...]) -> Fields:
        """Return the fields that choose these columns."""
        return {"columns": columns}

    def declared_fields(self, columns: tuple[str, ...], declarations: Declarations) -> Fields:
        """Return the fields with the declared public facts about columns."""
        return {}

    def declare(self, choice: ChoiceT, declarations: Declarations) -> Declarations:
        """Return the declarations with the public facts that a choice states."""
        return declarations

    # Missing values.

    def filled_columns(self, choice: ChoiceT) -> tuple[str, ...]:
        """Return the columns whose missing values can be replaced."""
        return self.columns_of(choice)

    def bounds_of_column(self, choice: ChoiceT, column: str) -> tuple[float | None, float | None]:
        """Return the declared bounds of a column."""
        return getattr(choice, "lower", None), getattr(choice, "upper", None)

    def kept(self, choice: ChoiceT) -> int | None:
        """Return the number of rows that remain without those that lack a value (private)."""
        return choice.n

    # The form.

    def facts(self, choice: ChoiceT, moved: int | None) -> DataFacts:
        """Return the facts shown about data that were read; `moved` records are outside the bounds."""
        return DataFacts(
            (f"n = {format_count(choice.n or 0)}",),
            private_facts(choice, moved, "clamped"),
            "n is public.",
            "n, the number of records, is public. How many were clamped (moved to the nearest "
            f"{self.nearest}), filled or left out is not.",
        )

    # Paths and neighbours.

    def far_ends(self, n: int) -> Mapping[str, str]:
        """Return descriptions of the `far_ends` of databases of this size; none where no path leads away."""
        return {}

    def structure(self, database: Any) -> Mapping[str, Any]:
        """Return the public facts that `engine.worst_case_pairs` takes besides domain and size."""
        return {}

    def value_of(self, texts: Sequence[str], domain: Any) -> Any:
        """Return a typed value of a record as the database stores it; `OptionError` if it is invalid."""
        return values_in(texts, 1)[0]

    # Words.

    def coordinates(self, choice: ChoiceT) -> tuple[str, ...]:
        """Return the columns that are coordinates of a record; none if a record is one number."""
        return ()

    def subject(self, choice: ChoiceT, dataset: Dataset | None) -> str:
        """Return a short noun for the data that a query reads."""
        names = self.coordinates(choice)
        if names:
            return ", ".join(names) if len(names) <= 3 else f"{len(names)} columns"
        return dataset.title if dataset else ""

    def location(self, choice: ChoiceT) -> str:
        """Return the location of these data in the file."""
        names = self.columns_of(choice)
        return f"column{'s' * (len(names) > 1)} {', '.join(names)}"

    def unit(self, choice: ChoiceT, dataset: Dataset | None) -> str:
        """Return the unit of an answer; "" if there is none."""
        return ""

    def is_modified(self, choice: ChoiceT) -> bool:
        """Return whether any value that a query reads was changed by hand."""
        return any(getattr(choice, name) for name in choice.names(BY_HAND))

    def inferred(self, choice: ChoiceT) -> Problem | None:
        """Return a problem if the size was counted from the data: n stays confidential until you state it."""
        return None

    def report(self, choice: ChoiceT, dataset: Dataset) -> Iterator[tuple[str, str]]:
        """Yield the public facts about the data as pairs of label and text."""
        if isinstance(choice, IntervalChoice):
            unit = self.unit(choice, dataset)
            yield from choice.report_bounds(unit)
            yield from choice.report_resolution(unit)

    def size_words(self, source: Any) -> str:
        """Return the number of records with their kind."""
        return f"n = {format_count(source.n)} records (public)"

    def script(self, choice: ChoiceT, source: Any, write: Write) -> list[str]:
        """Return lines of Python that make `bounds` and `data` from `table`, for kinds that pages read."""
        return []

    def script_without(self, record: int, others: str) -> str:
        """Return the line that makes `before`: the data in which one record was not changed by hand.

        `others` is the expression for all other changes made by hand.
        """
        return f"before = data.replaced({record}, values[{record}])"

    # The command line.

    def locate(
        self, options: argparse.Namespace, card: Example | None, read_table: Callable[[], Table]
    ) -> tuple[Table, Fields]:
        """Return the table, and the fields declared by options and the card.

        By default: the columns, and their public bounds if there are any. `OptionError` or `ParameterError`
        for a mistake in the options, before the table is read; `DataError` if it lacks what the fields name.
        """
        given = {box: getattr(options, box) for box in self.column_boxes}
        lacking = next((box for box, name in given.items() if not name), "")
        if lacking:
            raise OptionError(lacking, "name a column of the file")
        bounds = bounds_of(options, {}).facts if issubclass(self.choice, IntervalChoice) else {}
        return read_table(), {**given, **bounds}

    def load(self, table: Table, fields: Fields) -> LoadedRecords[Any]:
        """Read the records selected by `locate`."""
        dataset = Dataset(table, "")
        choice = self.choice(**self.read(dataset, fields, silent))
        database = self.builder(choice, dataset).build()
        names = self.coordinates(choice)
        return LoadedRecords(
            database,
            self.title(choice, table),
            self.unit(choice, dataset),
            None,
            choice.dropped,
            columns=names,
            units=tuple(table.column(name).unit for name in names),
        )

    def title(self, choice: ChoiceT, table: Table) -> str:
        """Return a title for the records."""
        return f"{', '.join(self.columns_of(choice))} ({table.source})"


LOOKED = "# They were taken from the data: strictly, no guarantee holds."


def missing_argument(kind: DataKind[Any], choice: Any, write: Write) -> str:
    """Return the arguments of a script for missing values, where they differ from the default."""
    if choice.missing == "refuse":
        return ""
    said = f", missing={write(choice.missing)}"
    if choice.missing != "fill":
        return said
    values = [choice.fills[name] for name in kind.filled_columns(choice)]
    if kind.coordinates(choice):
        return f"{said}, fill={write(values)}"
    return said + "".join(f", fill={write(value)}" for value in values)


def looked_lines(choice: DataChoice) -> list[str]:
    """Return the comment that marks public facts as taken from the data."""
    return [LOOKED] if choice.bounds_source == "looked" else []


def bounds_lines(choice: DataChoice, source: Any, write: Write) -> list[str]:
    """Return the lines that make `bounds`."""
    return [f"bounds = {write(source.domain)}", *looked_lines(choice)]


def file_filter(title: str, *, graphs: bool) -> str:
    """Return the filter of a file dialog in Qt's syntax: ``Tables (*.csv *.tsv …)``."""
    return f"{title} ({' '.join(f'*{suffix}' for suffix in suffixes(graphs=graphs))})"


FILL, DROP = "fill", "drop"
OPEN = (
    "records without a value are left out, so n is confidential: ask this on the page Questions, which "
    "needs no n, or enter n in the Curator view if it was public before"
)
OTHER_N = "another number of records has all values: correct n, or ask this on the page Questions"
CONFIDENTIAL = (
    "Records without a value are left out. The number of records left is confidential: it reveals how many "
    "lack a value."
)


def size_problem(
    kind: DataKind[Any], choice: Any, dataset: Dataset | None, *, curator: bool
) -> Problem | None:
    """Return the problem that keeps n from being public, with the field that can solve it, if any.

    Where no release is possible, n is confidential too. Only the curator learns that a declared n differs
    from the real one.
    """
    if dataset is not None and dataset.table.release_problem:
        return Problem("data", dataset.table.release_problem)
    if dataset is not None and (inferred := kind.inferred(choice)) is not None:
        return inferred
    if choice.missing != DROP or not kind.drop_tells or dataset is None or dataset.is_public:
        return None
    if choice.complete is not None and choice.complete == kind.kept(choice):
        return None
    return Problem("missing", OTHER_N if curator and choice.complete is not None else OPEN)


def confidential_words(problem: Problem) -> str:
    """Return the reason why n is confidential, given a `size_problem`."""
    return CONFIDENTIAL if problem.field == "missing" else problem.message


def check_fills(kind: DataKind[Any], choice: Any) -> None:
    """Raise `ParameterError` while a replacement is missing or invalid."""
    if choice.missing == FILL:
        lacking = [name for name in kind.filled_columns(choice) if name not in choice.fills]
        if lacking:
            raise ParameterError("missing", f"write what stands for a missing value of {lacking[0]}")


def fills_of(kind: DataKind[Any], choice: DataChoice, text: str) -> Fields:
    """Read typed replacements: one for each column, separated by colons."""
    names = kind.filled_columns(choice)
    values = numbers_of(text) if kind.fills_numbers else parts_of(text)
    if len(values) != len(names):
        raise ParameterError("missing", f"write one value for each column: {' : '.join(names)}")
    return dict(zip(names, values, strict=True))


def fill_words(kind: DataKind[Any], choice: Any) -> str:
    """Write replacements as they can be typed."""
    known = [choice.fills.get(name) for name in kind.filled_columns(choice)]
    if None in known:
        return ""
    return " : ".join(format_exact(value) if kind.fills_numbers else value for value in known)


def given_fills(kind: DataKind[Any], choice: Any, given: Sequence[str] | None) -> Mapping[str, Any]:
    """Return the replacements given on the command line; `ParameterError` where one is missing."""
    names = kind.filled_columns(choice)
    if given is None or len(given) != len(names):
        which = ", ".join(names) or "none"
        raise ParameterError("fill", f"give one value for each column ({which}), separated by commas")
    if not kind.fills_numbers:
        return dict(zip(names, given, strict=True))
    return {name: _number(value) for name, value in zip(names, given, strict=True)}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError("fill", f"'{text}' is no number") from None


def fill_effects(kind: DataKind[Any], choice: Any) -> str:
    """Return how far replacements for missing numbers can move an answer (public); "" if unknown."""
    if choice.missing != FILL or not kind.fills_numbers:
        return ""
    sentences = []
    for name, fill in choice.fills.items():
        low, high = kind.bounds_of_column(choice, name)
        if low is not None and high is not None:
            far = number(max(fill - low, high - fill) / 10)
            sentences.append(
                f"Each missing value of {name} counts as {format_exact(fill)}. If one in ten is missing, a "
                f"mean can move by up to {far}, and a median by up to a tenth of the ranks."
            )
    return " ".join(sentences)

"""DATA on the command line: a file or a bundled example, its columns, public bounds and records."""

from __future__ import annotations

import argparse
import atexit
import dataclasses
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.commands.support.options import (
    READERS,
    Option,
    UsageError,
    add_option,
    add_options,
    count_or_file,
    labels,
    whole,
)
from app.model.additions import added_options
from app.model.kinds.kind import FILL, fill_effects, given_fills
from app.model.kinds.options import BUNDLED, DataOption, OptionError, offered
from app.model.kinds.registry import KINDS
from app.model.loaded import LoadedRecords, LocatedTable
from app.model.wording.numbers import TWO_READINGS, first_names, grouped
from engine.data.formats.dialect import DELIMITERS
from engine.data.formats.file_format import StaysInFile
from engine.data.formats.registry import FORMATS
from engine.data.look_only import REFUSE
from engine.data.reading_options import OPTIONS, TYPES, ReadingOptions
from engine.data.rows import PERSON_RULES, combine_rows, read_row_condition
from engine.domain import Box, Interval
from engine.errors import DataError, ParameterError, SensiscopeError, UnknownName
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data import Example, Table

READING = (*OPTIONS, "type", "connect")
"""The names of all options about how a file is read."""

FIRST_OPTIONS = ("data", "example", "column", "lower", "upper")
"""Options about data that `--help` lists."""

STDIN = "-"

USUAL = {
    "encoding": ("", "utf-8"),
    "delimiter": ("", *DELIMITERS),
    "decimal": ("", "."),
    "header": ("", "1"),
}
"""Detected values that need no note."""


class DataReader(Protocol):
    """A reader of data: a query, or a mechanism, by its name in the catalog."""

    @property
    def name(self) -> str: ...

    @property
    def reads(self) -> str: ...  # a name in `KINDS`


def readers() -> Mapping[str, type[Any]]:
    """Return every query and every mechanism besides queries, by name."""
    from engine.catalog import questions

    return questions()


def person_and_rule(text: str) -> tuple[str, str]:
    """Read the column of persons and their rule."""
    column, colon, rule = text.rpartition(":")
    if not colon:
        return text, PERSON_RULES[0]
    if rule not in PERSON_RULES:
        raise argparse.ArgumentTypeError(f"'{rule}' is no rule; choose {', '.join(PERSON_RULES)}")
    return column, rule


def missing_of(options: argparse.Namespace) -> str:
    """Return the treatment of missing values."""
    return options.missing or REFUSE


MISSING = (
    Option(
        "missing",
        "records without a value: refuse the data, replace missing values by --fill, or drop these records. "
        "How many are left then stays confidential (default refuse; drop with --where and --by)",
        choices=("refuse", "fill", "drop"),
    ),
    Option(
        "fill",
        "public values for --missing fill, one for each column, separated by commas",
        labels,
        "VALUES",
    ),
    Option(
        "complete",
        "public number of rows that have a value, for --missing drop where a mechanism needs it",
        whole,
        "N",
    ),
    Option(
        "person",
        "column that identifies a person, and the rule that combines the rows of a person: mean (default), "
        "sum, largest, last or count. Each record is then a person",
        person_and_rule,
        "COLUMN[:RULE]",
    ),
)


def add_data_options(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    text = "Choose bounds and categories without looking at the data. Examples bring their own."
    group = parser.add_argument_group("data: file or example, columns, public bounds", text)
    add_source_options(group, required=required)
    groups = {"data": group}
    for option in _all_options().values():
        if option.group not in groups:
            groups[option.group] = parser.add_argument_group(option.group)
        read = count_or_file(option.most) if option.most else READERS[option.kind]
        own = Option(option.name, option.help, read, option.metavar)
        own = dataclasses.replace(own, choices=option.choices, repeated=option.repeated)
        add_option(groups[option.group], own)
    add_options(group, MISSING)
    for extra in added_options():
        extra.configure(group)
    add_reading_options(parser)


def add_source_options(group: argparse._ArgumentGroup, *, required: bool = False) -> None:
    """Add the options that name a file or an example."""
    source = group.add_mutually_exclusive_group(required=required)
    text = "file to read (see --help-file for formats), or - for standard input"
    add_option(source, Option("data", text, _path, "FILE"))
    add_option(source, Option("example", "bundled example (see sensiscope catalog)", metavar="NAME"))


def _path(text: str) -> str:
    """Return the path of a file; copy standard input to a temporary file until the program ends."""
    if text != STDIN:
        return text
    folder = tempfile.mkdtemp(prefix="sensiscope-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "standard-input")
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return str(path)


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a file is read."""
    titles = ", ".join(one.title for one in FORMATS.values())
    text = f"Formats: {titles}; compressed or not. The program detects whatever you leave out."
    group = parser.add_argument_group("file: encoding, delimiter, header, sheet, types of columns", text)
    for option in OPTIONS.values():
        choices = "" if option.free else " ".join(value.replace(" ", "a blank") for value in option.choices)
        name = option.name.replace("_", "-")
        add_option(group, Option(name, f"{option.help}: {choices}" if choices else option.help))
    text = f"type of a column: {', '.join(TYPES)} (days since 1970-01-01, 8:30 as 8.5 hours); may be repeated"
    add_option(group, Option("type", text, metavar="COLUMN=TYPE", repeated=True))
    text = "run the driver of the address in FILE (PostgreSQL, ODBC) and connect to the database there"
    add_option(group, Option("connect", text, flag=True))


def all_data_options() -> tuple[str, ...]:
    """Return the names of the options of all kinds of data."""
    return tuple(_all_options())


def _all_options() -> dict[str, DataOption]:
    registered = [kind for kind in KINDS.copy().values() if not isinstance(kind, str)]
    options = (*BUNDLED, *(option for kind in registered for option in kind.options))
    return {option.name: option for option in options}


def _own(reads: str) -> set[str]:
    return {option.name for option in KINDS[reads].options}


def reading_of(options: argparse.Namespace) -> ReadingOptions:
    """Return the stated reading options; `UsageError` for impossible ones."""
    stated = {name: value for name in OPTIONS if (value := getattr(options, name)) is not None}
    if "delimiter" in stated:
        stated["delimiter"] = {"tab": "\t", "\\t": "\t"}.get(stated["delimiter"], stated["delimiter"])
    types = {}
    for text in options.type or ():
        column, sign, name = text.rpartition("=")
        if not sign:
            raise UsageError(f"--type: {text!r} is no COLUMN=TYPE; write it like born=days")
        types[column] = name
    try:
        return ReadingOptions.of(stated, types, bool(options.connect))
    except ParameterError as error:
        name = "type" if error.field == "types" else error.field.replace("_", "-")
        raise UsageError(f"--{name}: {error.problem}") from None


def check_options(options: argparse.Namespace, reader: DataReader) -> tuple[str, ...]:
    """Refuse the options of other kinds of data; return notes about harmless ones."""
    kind, notes = KINDS[reader.reads], []
    for name in all_data_options():
        if getattr(options, name) is None or name in _own(reader.reads):
            continue
        if name in kind.unused:
            notes.append(f"--{name} is not used: {reader.name} reads {kind.description}")
            continue
        owners = ", ".join(owner for owner, cls in readers().items() if name in _own(cls.reads))
        owners = owners or "sensiscope run with median, quantile, mean, sum or count"
        raise UsageError(f"--{name}: {reader.name} reads {kind.description}; this option belongs to {owners}")
    return tuple(notes)


def card_of(options: argparse.Namespace, reader: DataReader) -> Example | None:
    """Return the card of the named example, None for a file.

    `UnknownName` if there is no such example, `SensiscopeError` if `reader` cannot read it.
    """
    if options.example is None:
        return None
    from engine.data import EXAMPLES

    if options.example not in EXAMPLES:
        raise UnknownName("example", options.example, EXAMPLES)
    card, kind = EXAMPLES[options.example], KINDS[reader.reads]
    if not kind.fits(card):
        made_for = next(own for own in KINDS.values() if own.examples[0] == card.kind)
        offer = f"try {', '.join(kind.fitting())}" if kind.fitting() else "no example does; name --data"
        raise SensiscopeError(
            f"--example: {card.name} {made_for.holds}, and {reader.name} reads {kind.description}; {offer}"
        )
    for name in READING:
        if getattr(options, name) is not None:
            option = name.replace("_", "-")
            raise UsageError(f"--{option}: an example needs none; it belongs to --data")
    return card


def columns_of(options: argparse.Namespace, reader: DataReader) -> list[str] | None:
    """Return the named columns if the file allows to read only these; None for all columns.

    Text files are always read whole, so that any mistake in them is found.
    """
    from engine.data.reading import is_columnar

    named: list[str] | None = options.column if "column" in _own(reader.reads) else None
    if not named or options.data is None or not is_columnar(options.data):
        return None
    others = [*(options.by or ()), *(options.person or ())[:1]]
    others += [name for text in options.where or () for name in read_row_condition(text).columns]
    return list(dict.fromkeys(name for name in (*named, *others) if name))


def table_of(
    options: argparse.Namespace,
    card: Example | None,
    progress: Progress,
    columns: Sequence[str] | None = None,
    *,
    edges: bool = False,
) -> Table:
    """Read the example of the card, or the file: all columns, or the given ones.

    With `edges`, numbers without a header are a list of edges.
    """
    from engine.data import load_example
    from engine.data.reading import read_file

    if card is not None:
        return load_example(card.name)
    return read_file(options.data, reading_of(options), progress=progress, columns=columns, edges=edges)


def load(
    options: argparse.Namespace, reader: DataReader, progress: Progress, stored: StaysInFile | None = None
) -> LoadedRecords[Any]:
    """Read the records for `reader`; if columns are named, only these.

    `stored` is the table of a large file, if the caller knows it already. Mistakes in the options raise a
    `SensiscopeError` before the program opens the file; mistakes in the file raise a `DataError`. A file
    without numbers is reported before missing bounds. A note says where results are confidential because the
    data permit no release.
    """
    loaded = _load(options, reader, progress, stored)
    problem = loaded.database.release_problem
    is_said = not problem or any(problem in note for note in loaded.notes)
    notes = () if is_said else (f"this is confidential, n included: {problem}",)
    return dataclasses.replace(loaded, notes=(*loaded.notes, *notes))


def _load(
    options: argparse.Namespace, reader: DataReader, progress: Progress, stored: StaysInFile | None
) -> LoadedRecords[Any]:
    columns, reading = columns_of(options, reader), part(progress, 0.0, 0.8)
    table = stored or stored_table(options, reader, part(progress, 0.0, 0.2))
    if table is not None:
        located = locate_in(options, reader, partial(head_of, table))
        return _stored_records(options, reader, located, table, part(progress, 0.2, 1.0))
    try:
        return records_of(locate(options, reader, reading, columns), reader)
    except DataError:
        if columns is None:
            raise
        return records_of(locate(options, reader, reading), reader)  # its error lists the other columns


def records_of(located: LocatedTable, reader: DataReader) -> LoadedRecords[Any]:
    """Return the records in a table; `DataError` for a mistake in it."""
    kind, choice = KINDS[reader.reads], KINDS[reader.reads].choice(**located.fields)
    table = combine_rows(located.table, *located.person) if located.person else located.table
    loaded = kind.load(table, located.fields)
    kept = loaded.sizes.get("edges", loaded.database.n)
    if choice.complete is not None and choice.complete != kept:
        raise DataError("another number of rows has a value; correct --complete", source=table.source)
    filled = fill_effects(kind, choice)
    notes = (*located.notes, *((filled,) if filled else ()), *loaded.notes)
    return dataclasses.replace(
        loaded, notes=notes, detected=located.detected, statements=located.statements(kind.choice)
    )


def locate(
    options: argparse.Namespace, reader: DataReader, progress: Progress, columns: list[str] | None = None
) -> LocatedTable:
    """Check the options, read the table, find columns and public facts; raise the errors of `load`.

    Without `columns` all are read: together they identify the account of a release.
    """
    card, edges = card_of(options, reader), KINDS[reader.reads].reads_edges
    return locate_in(options, reader, partial(table_of, options, card, progress, columns, edges=edges))


def locate_in(
    options: argparse.Namespace, reader: DataReader, read_table: Callable[[], Table]
) -> LocatedTable:
    """Do the work of `locate` with another way to read the table."""
    unused = check_options(options, reader)
    card = card_of(options, reader)
    _check_columns(options, reader, card, read_table)
    try:
        table, fields = KINDS[reader.reads].locate(options, card, read_table)
    except OptionError as error:
        raise UsageError(str(error)) from None
    facts = {**fields, "missing": missing_of(options), **_fills(options, reader, fields)}
    if options.complete is not None:
        facts["complete"] = options.complete
    detected = () if card else _detected_notes(table, options)
    return LocatedTable(table, card.name if card else None, facts, unused, detected, options.person)


def _fills(options: argparse.Namespace, reader: DataReader, fields: dict[str, Any]) -> dict[str, Any]:
    if missing_of(options) != FILL:
        if options.fill is not None:
            raise UsageError("--fill: it belongs to --missing fill")
        return {}
    kind = KINDS[reader.reads]
    try:
        return {"fills": given_fills(kind, kind.choice(**fields), options.fill)}
    except ParameterError as error:
        raise UsageError(f"--fill: {error.problem}") from None


def _check_columns(
    options: argparse.Namespace, reader: DataReader, card: Example | None, read_table: Callable[[], Table]
) -> None:
    """Refuse data without the named columns or without numbers, before an error about missing bounds.

    It reads the table only where an error follows anyway.
    """
    if card is not None:
        known = {own.name for own in card.columns} | {own.name for own in card.categories}
        if not known.issuperset(options.column or ()):
            table = read_table()
            for name in options.column:
                table.column(name)
        return
    bounded = options.lower is not None and options.upper is not None
    if KINDS[reader.reads].of_numbers and not options.column and not bounded:
        table = read_table()
        if not any(column.type == "number" for column in table.columns):
            names = offered([column.name for column in table.columns])
            raise DataError(f"no column holds only numbers; its columns are {names}", source=table.source)


def _detected_notes(table: Table, options: argparse.Namespace) -> tuple[str, ...]:
    """Return notes about unusual detected properties of a file, and about ambiguous numbers."""
    detected, doubtful, notes = table.reading.values, table.reading.doubtful, []
    unusual = [
        f"--{name}"
        for name, usual in USUAL.items()
        if detected.get(name, "") not in usual and getattr(options, name) is None
    ]
    if unusual:
        stated = " or ".join(unusual)
        notes.append(f"{table.source} is read as {table.format}; state {stated} if that is wrong")
    if doubtful:
        notes.append(
            f"{first_names(doubtful)} can be read in two ways; {TWO_READINGS[detected.get('decimal', '')]}: "
            "state --decimal . or --decimal ,"
        )
    return (*notes, *(f"{table.source}: {note}" for note in table.reading.notes))


def stored_table(options: argparse.Namespace, reader: DataReader, progress: Progress) -> StaysInFile | None:
    """Return the table of a file too large for memory, whose records stay there; None for any other."""
    check_options(options, reader)  # before the program opens a file
    if reader.reads not in STORED or options.missing == FILL or options.person:
        return None
    columns = len(options.column or ())
    return large_table_of(options, progress, columns if reader.reads == "points" else 0)


def large_table_of(options: argparse.Namespace, progress: Progress, numbers: int = 0) -> StaysInFile | None:
    """Return the table of a file too large for memory; None for any other."""
    from engine.data.large_files import large_table

    if options.data is None:
        return None
    return large_table(options.data, reading_of(options), progress=progress, numbers=numbers)


def head_of(table: StaysInFile) -> Table:
    """Return a table of the first record, which has all columns."""
    from engine.data import Table

    return Table(table.source, table.head(1), release_problem=table.release_problem)


def _stored_records(
    options: argparse.Namespace,
    reader: DataReader,
    located: LocatedTable,
    table: StaysInFile,
    progress: Progress,
) -> LoadedRecords[Any]:
    """Return records that are read from their file when needed, and not kept in memory."""
    database = STORED[reader.reads](table, located.fields, missing_of(options), progress)
    kind = KINDS[reader.reads]
    columns = located.fields.get("columns") or kind.columns_of(kind.choice(**located.fields))[:1]
    units = tuple(located.table.column(name).unit for name in columns)
    note = f"{table.source} stays on disk: the program reads its {grouped(table.n)} records when needed"
    return LoadedRecords(
        database,
        kind.title(kind.choice(**located.fields), located.table),
        units[0] if len(set(units)) == 1 else "",
        None,
        getattr(database, "dropped", 0),
        notes=(*located.notes, note),
        detected=located.detected,
        columns=() if kind.name == "parts" else tuple(columns),
        units=units,
        statements=located.statements(kind.choice),
    )


def _column(table: StaysInFile, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    domain = Interval(fields["lower"], fields["upper"], fields.get("resolution"))
    return table.sample(fields["column"], domain, missing, progress)


def _points(table: StaysInFile, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    names, bounds = fields["columns"], fields["bounds"]
    domain = Box.of(*zip(*(bounds[name] for name in names), strict=True))
    return table.points(names, domain, missing, progress)


def _parts(table: StaysInFile, fields: dict[str, Any], missing: str, progress: Progress) -> Any:
    choice = KINDS["parts"].choice(**fields)
    where = tuple(map(read_row_condition, choice.where))
    by = choice.list_of_groups
    return table.parts(choice.column, choice.domain(), progress, by=by, where=where)


STORED = {"column": _column, "points": _points, "parts": _parts}
"""Functions that make records of a table on disk, by the kind of data."""

"""Common parts of all databases: addresses, the choice of a table, and answers as tables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engine.data.formats.file_format import DataFile
from engine.data.formats.values import column_of, join_pieces
from engine.data.names import check_known, check_names, name_columns
from engine.data.reading_options import ANY_ADDRESS, FoundReading
from engine.data.table import Table
from engine.errors import DataError, UnconfirmedAddress
from engine.free_memory import lack_of_memory

if TYPE_CHECKING:
    from engine.extras.databases.row_by_row import Origin

MAX_LENGTH = 2000
"""Characters of an address; users could not check a longer one before they confirm it."""

USER_PASSWORD = re.compile(r"^(postgres(?:ql)?://[^:@/]*:)[^@/]*(?=@)", re.IGNORECASE)
SECRETS = re.compile(
    r"((?:^|[;?&])\s*\w*(?:pwd|password|passwd|secret|token)\s*=\s*)"  # the key, and its value:
    r"(\{(?:[^}]|\}\})*\}?|[^;&]*)",
    re.IGNORECASE,
)

ANOTHER_PART = re.compile(r";[^;=]*=")
"""Found in a password between braces: drivers differ in where such a password ends."""


def confirm_address(file: DataFile) -> str:
    """Return the address in a file; `UnconfirmedAddress` unless the user has confirmed this address."""
    long = file.path.stat().st_size > 4 * MAX_LENGTH  # checked before reading
    try:
        address = "" if long else file.path.read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise DataError("the address is not UTF-8; save the file as UTF-8", source=file.name) from None
    if long or len(address) > MAX_LENGTH:
        raise DataError(
            f"the address has more than {MAX_LENGTH:,} characters; shorten it",
            source=file.name,
        )
    if any(ANOTHER_PART.search(hidden[2]) for hidden in SECRETS.finditer(address)):
        raise DataError(
            "its password contains ';' and then '=', so drivers may read it as another part of the address; "
            "choose another password, or store it in a data source (DSN)",
            source=file.name,
        )
    fingerprint = hashlib.sha256(address.encode()).hexdigest()
    if file.options.connect not in (ANY_ADDRESS, fingerprint):
        raise UnconfirmedAddress(file.path, file.name, mask_address(address), fingerprint)
    return address


def mask_address(address: str) -> str:
    """Return an address in one line, without passwords and invisible characters."""
    hidden = SECRETS.sub(r"\1…", USER_PASSWORD.sub(r"\1…", address))
    return " ".join("".join(char if char.isprintable() or char.isspace() else "?" for char in hidden).split())


def statement(file: DataFile, names: Sequence[str]) -> tuple[str, str]:
    """Return the SELECT statement, and the name of the table that it reads, "" for the user's own query."""
    if file.options.sql:
        return file.options.sql, ""
    table = choose_table(file, names)
    return f"SELECT * FROM {quoted(table)}", table


def choose_table(file: DataFile, names: Sequence[str]) -> str:
    """Return the chosen table, or the first one; `DataError` if there is none of that name."""
    if not names:
        raise DataError("it contains no tables; choose another database", source=file.name)
    table = file.options.table or names[0]
    if table not in names:
        raise DataError(f"it has no table '{table}'; choose from {', '.join(names)}", source=file.name)
    return table


WRONG_STATEMENT = "42"
"""First digits of SQL error codes for a wrong statement, which do not depend on records."""


def shown_message(title: str, wrong_statement: bool) -> str:
    """Return the database's own message if it is about the text of a query, "" if it may quote records."""
    return f" ({title})" if wrong_statement else ""


def quoted(name: str, mark: str = '"') -> str:
    """Return a name between quotation marks, escaped for SQL."""
    return f"{mark}{name.replace(mark, 2 * mark) if mark else name}{mark}"


def answer_of(
    cursor: Any, batch: int, report: Callable[[], None]
) -> tuple[list[str], Iterator[Sequence[Sequence[Any]]]]:
    """Return the columns' names of an answer, and an iterator over its cells: batches of columns."""

    def batches() -> Iterator[Sequence[Sequence[Any]]]:
        while rows := cursor.fetchmany(batch):
            report()
            yield list(zip(*rows, strict=True))

    return [description[0] for description in cursor.description or ()], batches()


def check_fields(fields: Sequence[str], columns: Sequence[str] | None, file: DataFile) -> None:
    """Raise `DataError` if an answer has no columns, invalid names, or not the wanted columns."""
    if not fields:
        raise DataError("the query returns nothing; write a SELECT statement", source=file.name)
    check_names(fields, file.name)
    check_known(columns or [], fields, file.name)


def fetch_rows(
    fields: Sequence[str],
    batches: Iterable[Sequence[Sequence[Any]]],
    columns: Sequence[str] | None,
    file: DataFile,
) -> Any:
    """Fetch an answer as one Arrow table."""
    import pyarrow as pa

    fields = name_columns(fields)
    check_fields(fields, columns, file)
    pieces: list[list[Any]] = [[] for _ in fields]
    missing = list(map(file.options.missing.of, fields))
    size = 0
    for done, batch in enumerate(batches, start=1):
        for piece, cells, stated in zip(pieces, batch, missing, strict=True):
            piece.append(column_of(cells if stated is None else stated.without(cells)))
            size += piece[-1].nbytes
        lack = lack_of_memory(size) if done.bit_count() == 1 else ""
        if lack:
            raise DataError(f"{lack}; read a part of it by a query", source=file.name)
    columns_read = zip(fields, pieces, strict=True)
    return pa.table(
        {name: join_pieces(piece) for name, piece in columns_read if not columns or name in columns}
    )


def answered(
    file: DataFile, kind: str, title: str, table: str, names: Sequence[str], data: Any, origin: Origin
) -> Table:
    """Return the answer of a database as a table."""
    return Table(
        file.name,
        data,
        format=f"{title}, {'table ' + table if table else 'query'}",
        reading=FoundReading(
            kind, {"table": table, "sql": file.options.sql}, {"table": tuple(names)}, (), origin.table
        ),
        release_problem=origin.release_problem,
    )

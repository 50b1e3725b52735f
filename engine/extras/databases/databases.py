"""What databases of all kinds have in common: which table is read, and the table that their answer makes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engine.data.formats.file_format import DataFile
from engine.data.formats.values import column_of, join_pieces
from engine.data.names import check_known, check_names
from engine.data.reading_options import ANY_ADDRESS, FoundReading
from engine.data.table import Table
from engine.errors import DataError, UnconfirmedAddress
from engine.free_memory import lack_of_memory

if TYPE_CHECKING:
    from engine.extras.databases.row_by_row import Origin

MAX_LENGTH = 2000
"""Letters of an address: what is longer cannot be looked at before it is confirmed."""

USER_PASSWORD = re.compile(r"^(postgres(?:ql)?://[^:@/]*:)[^@/]*(?=@)", re.IGNORECASE)
SECRETS = re.compile(
    r"((?:^|[;?&])\s*\w*(?:pwd|password|passwd|secret|token)\s*=\s*)"  # the key, and its value:
    r"(\{(?:[^}]|\}\})*\}?|[^;&]*)",
    re.IGNORECASE,
)

ANOTHER_PART = re.compile(r";[^;=]*=")
"""In a password between braces: drivers differ in where that ends, so that it may be more."""


def confirm_address(file: DataFile) -> str:
    """Return the address in a file; `UnconfirmedAddress` if it was not confirmed, or another one was."""
    long = file.path.stat().st_size > 4 * MAX_LENGTH  # before it is read
    try:
        address = "" if long else file.path.read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise DataError("an address is text in UTF-8; save the file so", source=file.name) from None
    if long or len(address) > MAX_LENGTH:
        raise DataError(
            f"an address has at most {MAX_LENGTH:,} letters, and this one is longer; shorten it",
            source=file.name,
        )
    if any(ANOTHER_PART.search(hidden[2]) for hidden in SECRETS.finditer(address)):
        raise DataError(
            "its password holds a ';' and a '=' after it, so that it cannot be told from other parts of the "
            "address; choose another password, or keep it in a data source (DSN)",
            source=file.name,
        )
    fingerprint = hashlib.sha256(address.encode()).hexdigest()
    if file.options.connect not in (ANY_ADDRESS, fingerprint):
        raise UnconfirmedAddress(file.path, file.name, mask_address(address), fingerprint)
    return address


def mask_address(address: str) -> str:
    """Return an address in one line, without passwords, and with nothing in it that cannot be seen."""
    hidden = SECRETS.sub(r"\1…", USER_PASSWORD.sub(r"\1…", address))
    return " ".join("".join(char if char.isprintable() or char.isspace() else "?" for char in hidden).split())


def statement(file: DataFile, names: Sequence[str]) -> tuple[str, str]:
    """Return the statement that reads what is wanted, and the name of the table, "" for a query."""
    if file.options.sql:
        return file.options.sql, ""
    table = choose_table(file, names)
    return f"SELECT * FROM {quoted(table)}", table


def choose_table(file: DataFile, names: Sequence[str]) -> str:
    """Return the table that is named, or the first one; `DataError` where it is not there."""
    if not names:
        raise DataError("there are no tables in it; at least one is needed", source=file.name)
    table = file.options.table or names[0]
    if table not in names:
        raise DataError(f"there is no table '{table}'; there are {', '.join(names)}", source=file.name)
    return table


OF_THE_TEXT = "42"
"""How the codes of the SQL standard begin for a text of a query that is wrong, whatever the records hold."""


def public_part(title: str, of_the_text: bool) -> str:
    """Return what a message may add of a database's own words: those about the text of a query, if any."""
    return f" ({title})" if of_the_text else ""


def quoted(name: str, mark: str = '"') -> str:
    """Return a name between marks, so that it stands in a statement as it is."""
    return f"{mark}{name.replace(mark, 2 * mark) if mark else name}{mark}"


def answer_of(
    cursor: Any, batch: int, report: Callable[[], None]
) -> tuple[list[str], Iterator[Sequence[Sequence[Any]]]]:
    """Return the names of the columns of an answer, and their cells, so many rows together."""

    def batches() -> Iterator[Sequence[Sequence[Any]]]:
        while rows := cursor.fetchmany(batch):
            report()
            yield list(zip(*rows, strict=True))

    return [description[0] for description in cursor.description or ()], batches()


def check_fields(fields: Sequence[str], columns: Sequence[str] | None, file: DataFile) -> None:
    """Raise `DataError` if an answer has no columns, unusable names, or not the wanted ones."""
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
    """Gather the cells of an answer as one Arrow table."""
    import pyarrow as pa

    check_fields(fields, columns, file)
    pieces: list[list[Any]] = [[] for _ in fields]
    size = 0
    for done, batch in enumerate(batches, start=1):
        for piece, cells in zip(pieces, batch, strict=True):
            piece.append(column_of(cells))
            size += piece[-1].nbytes
        lack = lack_of_memory(size) if done.bit_count() == 1 else ""
        if lack:
            raise DataError(f"{lack}; ask for a part of it by a query", source=file.name)
    columns_read = zip(fields, pieces, strict=True)
    return pa.table(
        {name: join_pieces(piece) for name, piece in columns_read if not columns or name in columns}
    )


def answered(
    file: DataFile, kind: str, title: str, table: str, names: Sequence[str], data: Any, origin: Origin
) -> Table:
    """Return what a database has answered."""
    return Table(
        file.name,
        data,
        format=f"{title}, {'table ' + table if table else 'query'}",
        reading=FoundReading(
            kind, {"table": table, "sql": file.options.sql}, {"table": tuple(names)}, (), origin.table
        ),
        release_problem=origin.release_problem,
    )

"""JSON lines: one object per line, the same names in each."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.data import cells
from engine.data.names import check_known
from engine.data.stream import TextStream
from engine.data.table import Table
from engine.errors import DataError
from engine.progress import Progress


def read_json_lines(
    path: Path, encoding: str, mark: int, columns: Sequence[str] | None, progress: Progress
) -> Table:
    """Read a file of JSON objects; a name that an object lacks, or null, is missing.

    Parameters are those of `read_delimited`.  All columns pass through memory, whatever
    `columns` says: only the whole file tells their types.

    Raises
    ------
    DataError
        If a line is not one complete object, or a name holds values of two kinds.
    """
    import pyarrow as pa
    from pyarrow import json as arrow_json

    stream = functools.partial(TextStream, path, encoding, mark, progress)
    with stream(check=True) as text:
        try:
            data = arrow_json.read_json(text)
        except (pa.ArrowInvalid, UnicodeDecodeError) as error:
            _refuse_line(stream, path.name)
            raise DataError(f"it is not JSON lines: {error}", source=path.name) from None
    if columns:
        check_known(columns, data.column_names, path.name)
        data = data.select(list(columns))
    return Table(path.name, data, format=f"JSON lines, {encoding.upper()}")


def _refuse_line(stream: Callable[..., TextStream], source: str) -> None:
    """Raise `DataError` at the first line that is wrong.

    The Arrow parser numbers rows within a block only, so the standard library reads
    the file again, as far as the fault.
    """
    kinds: dict[str, str] = {}
    row = 0
    with stream() as raw, raw.as_text() as text:
        for line in text:
            if not line.strip():
                continue
            row += 1
            _refuse_bytes(line, source, row)
            try:
                record = json.loads(line, object_pairs_hook=_without_doubles)
            except _DoubleError as double:
                raise DataError(
                    "the name stands twice in the object; keep one",
                    source=source,
                    row=row,
                    column=str(double),
                ) from None
            except ValueError:
                record = None
            if not isinstance(record, dict):
                raise DataError(
                    f"{cells.quoted(line.strip())} is not one complete JSON object; "
                    "write one object per line (or the file is cut in the middle: get it again)",
                    source=source,
                    row=row,
                )
            for name, value in record.items():
                kind = _kind(value)
                if kind and kinds.setdefault(name, kind) != kind:
                    raise DataError(
                        f"{cells.quoted(value)} is {kind} where the rows above have {kinds[name]}; "
                        "write the same kind in every row, or null",
                        source=source,
                        row=row,
                        column=name,
                    )


def _refuse_bytes(line: str, source: str, row: int) -> None:
    try:
        line.encode()
    except UnicodeEncodeError as error:
        raise DataError(
            cells.not_utf_8(line[error.start].encode(errors="surrogateescape")), source=source, row=row
        ) from None


class _DoubleError(ValueError):
    """A name that stands twice in one object."""


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names: set[str] = set()
    for name, _ in pairs:
        if name in names:
            raise _DoubleError(name)
        names.add(name)
    return dict(pairs)


def _kind(value: object) -> str:
    """Name the kind of a JSON value; "" for null, which fits everywhere."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"

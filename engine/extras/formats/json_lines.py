"""JSON: one object per line, with the same names, or an array of objects."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.array_types import Ints
from engine.data import cells
from engine.data.formats.file_format import DataFile
from engine.data.formats.strangers import is_known_json, name_of_json
from engine.data.formats.values import column_of
from engine.data.missing_values import MissingValues
from engine.data.names import check_known, name_columns, problem_of_names, rename_columns
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.data.text import TextFile
from engine.errors import DataError
from engine.extras.formats.declarations import JSON_ARRAY, JSON_LINES
from engine.free_memory import lack_of_memory
from engine.progress import Progress

MAX_DEPTH = 64
"""Nesting depth of lists and objects; the parser needs stack space for each level."""


def read_json_lines(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a file of JSON objects; an absent name and null are missing values.

    Parameters are those of `read_delimited`.
    """
    import pyarrow as pa

    text = file.text
    try:
        data = _parsed(text, columns, {}, file.options.missing, progress=progress)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        _refuse_one_object(file)
        _refuse_line(text, progress=progress)
        raise file.error("it is not JSON lines; write one object per line", confidential=str(error)) from None
    nested = [pa.types.is_nested(kind) for kind in data.schema.types]
    if data.num_rows == 1 and any(nested) and (all(nested) or is_known_json(file.beginning)):
        raise _no_records(file)
    return Table(
        file.name,
        rename_columns(data),
        format=f"JSON lines, {text.encoding.upper()}",
        reading=FoundReading(JSON_LINES.name, {"encoding": text.encoding}),
        release_problem=_problem_of_rare_names(data, text, progress),
    )


def _problem_of_rare_names(data: Any, text: TextFile, progress: Progress) -> str:
    """Return `problem_of_names`; only names with at most one value are counted."""
    pairs = zip(data.column_names, data.columns, strict=True)
    rare = {name for name, column in pairs if column.null_count >= len(column) - 1}
    if data.num_rows < 2 or not rare:
        return ""
    objects = (json.loads(line) for line in text.lines(progress) if line.strip())
    return problem_of_names((name for one in objects for name in one if name in rare), data.num_rows)


def _refuse_one_object(file: DataFile) -> None:
    """Raise `DataError` if one object fills several lines."""
    text = file.beginning.strip()
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if is_known_json(text) or (isinstance(whole, dict) and "\n" in text):
        raise _no_records(file)


def _no_records(file: DataFile) -> DataError:
    return file.error(
        f"it is {name_of_json(file.beginning)} and no list of records; write one object per line, or save "
        "the table as CSV"
    )


def _parsed(
    file: TextFile,
    columns: Sequence[str] | None,
    types: dict[str, Any],
    missing: MissingValues,
    *,
    progress: Progress,
) -> Any:
    """Parse the file piece by piece; keep only one piece and the wanted columns in memory.

    Each piece infers the types of all names that are not in `types`.  If two pieces infer different types
    and a wider type covers both, the file is parsed again with the wider type.
    """
    import pyarrow as pa
    from pyarrow import json as arrow_json

    options = arrow_json.ParseOptions(explicit_schema=pa.schema(types.items()) if types else None)
    pieces: list[Any] = []
    results: dict[str, set[Any]] = {}
    for lines in _whole_lines(file.blocks(progress)):
        lines.decode()  # the parser would accept any bytes as text
        _refuse_depth(lines, file, len(pieces))
        cleared = _with_null(lines, missing) if missing else lines
        piece = arrow_json.read_json(
            pa.BufferReader(cleared),
            read_options=arrow_json.ReadOptions(block_size=len(cleared) + 1),
            parse_options=options,
        )
        for field in piece.schema:
            results.setdefault(field.name, set()).add(field.type)
        pieces.append(piece if columns is None else _only(columns, piece))
    check_known(columns or [], list(results), file.name)
    wider = {name: wide for name in columns or results if (wide := _wider(results[name])) is not None}
    if wider:
        return _parsed(file, columns, types | wider, missing, progress=progress)
    return pa.concat_tables(pieces, promote_options="permissive")


def _with_null(lines: bytes, missing: MissingValues) -> bytes:
    """Return lines with null for each stated missing text: a text among numbers would be an error."""
    own = [re.escape(_in_json(name)) for name in missing.columns]
    other = rb'"(?:[^"\\]|\\.)*"'
    if own:
        other = rb"(?!(?:" + b"|".join(own) + rb")\s*:)" + other
    for key, stated in ((other, missing.everywhere), *zip(own, missing.columns.values(), strict=True)):
        if stated is not None:
            texts = b"|".join(re.escape(_in_json(text)[1:-1]) for text in ("", *stated.texts))
            cell = rb"([{,]\s*" + key + rb'\s*:\s*)"\s*(?:' + texts + rb')\s*"(?=\s*[,}])'
            lines = re.sub(cell, rb"\1null", lines)
    return lines


def _in_json(text: str) -> bytes:
    """Return a text as JSON writes it, quotes included."""
    return json.dumps(text, ensure_ascii=False).encode()


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks that end at line breaks."""
    rest = b""
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if end and (rest + block[:end]).strip():
            yield rest + block[:end]
            rest = b""
        rest += block[end:]
    if rest.strip():
        yield rest


def _refuse_depth(lines: bytes, file: TextFile, earlier: int) -> None:
    """Raise `DataError` if lists and objects are nested deeper than the parser's stack allows."""
    if _is_flat(lines):
        return
    depths, text = _depths(lines)
    if depths.max(initial=0) > MAX_DEPTH:
        before = b"".join(itertools.islice(_whole_lines(file.blocks()), earlier))
        until = before + text[: int(np.argmax(depths > MAX_DEPTH)) + 1]
        raise file.error(
            f"lists or objects are nested more than {MAX_DEPTH} deep; give every name a number or a text",
            row=sum(bool(line.strip()) for line in until.splitlines()),
        )


def _is_flat(lines: bytes) -> bool:
    """Return whether every line is an object without nested ones, as in nearly all files (fast check)."""
    text = lines.rstrip(b"\n").replace(b"\r\n", b"\n")
    count = text.count(b"\n") + 1
    begins = text.count(b"\n{") + text.startswith(b"{")
    ends = text.count(b"}\n") + text.endswith(b"}")
    return b"[" not in text and count == begins == ends == text.count(b"{")


def _depths(lines: bytes) -> tuple[Ints, bytes]:
    """Return (depths, text): the text without escaped characters, and how deep each character is nested.

    Brackets in strings do not count.
    """
    text = re.sub(rb"\\.", b"", lines)
    letters = np.frombuffer(text, dtype=np.uint8)
    outside = np.cumsum(letters == ord('"')) % 2 == 0
    opened = ((letters == ord("[")) | (letters == ord("{"))) & outside
    closed = ((letters == ord("]")) | (letters == ord("}"))) & outside
    return np.cumsum(opened.astype(np.int64) - closed), text


def _only(columns: Sequence[str], piece: Any) -> Any:
    """Return the wanted columns of a piece, with missing values for those that it lacks."""
    import pyarrow as pa

    return pa.table(
        {
            name: piece.column(name) if name in piece.column_names else pa.nulls(piece.num_rows)
            for name in columns
        }
    )


def _wider(kinds: set[Any]) -> Any:
    """Return the type that covers integers and floats, or dates and text; None for other types."""
    import pyarrow as pa

    real = {kind for kind in kinds if not pa.types.is_null(kind)}
    if real == {pa.int64(), pa.float64()}:
        return pa.float64()
    if pa.string() in real and all(pa.types.is_string(kind) or pa.types.is_temporal(kind) for kind in real):
        return pa.string() if len(real) > 1 else None
    return None


def _refuse_line(file: TextFile, *, progress: Progress) -> None:
    """Raise `DataError` at the first wrong line.

    The Arrow parser counts rows only within a piece, so the standard library reads the file again up to
    the error.
    """
    kinds: dict[str, str] = {}
    row = 0
    for line in file.lines(progress):
        if not line.strip():
            continue
        row += 1
        _refuse_bytes(line, file.name, row)
        try:
            record = json.loads(line, object_pairs_hook=_without_doubles)
        except _DoubleError as double:
            raise file.error(
                "the name occurs twice in the object; keep one", row=row, column=str(double)
            ) from None
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise file.error(
                "it is not one complete JSON object; write one object per line (or get the file again, if it "
                "is truncated)",
                confidential=cells.quote(line.strip()),
                row=row,
            )
        for name, value in record.items():
            kind = _kind(value)
            if kind and kinds.setdefault(name, kind) != kind:
                raise file.error(
                    "its type differs from the rows above; write the same type in every row, or null",
                    confidential=f"{cells.quote(value)} is {kind}; the rows above have {kinds[name]}",
                    row=row,
                    column=name,
                )


def _refuse_bytes(line: str, source: str, row: int) -> None:
    try:
        line.encode()
    except UnicodeEncodeError as error:
        wrong = cells.name_byte(line[error.start].encode(errors="surrogateescape"))
        raise DataError(cells.NOT_UTF_8, confidential=wrong, source=source, row=row) from None


class _DoubleError(ValueError):
    """A name that occurs twice in one object."""


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names: set[str] = set()
    for name, _ in pairs:
        if name in names:
            raise _DoubleError(name)
        names.add(name)
    return dict(pairs)


def _kind(value: object) -> str:
    """Name the type of a JSON value; "" for null, which fits all types."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


OBJECT_SIZE = 12
"""Size of Python objects in memory, as a multiple of the size of their JSON text."""


def read_json_array(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read an array of objects; an absent name and null are missing values.

    Record 1 is the first object of the array.
    """
    import pyarrow as pa

    lack = lack_of_memory(OBJECT_SIZE * file.path.stat().st_size)
    if lack:
        raise file.error(f"{lack}; write one object per line instead")
    text = b"".join(file.text.blocks(progress))
    try:
        records = json.loads(text)
    except RecursionError:
        raise file.error(
            f"lists or objects are nested more than {MAX_DEPTH} deep; give every name a number or a text"
        ) from None
    except ValueError as error:
        where = f"line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
        raise file.error(
            f"{where}it is not valid JSON; correct the file (or get it again, if it is truncated)",
            confidential=str(getattr(error, "msg", error)),
        ) from None
    occurrences = list(_names(records, file.name))
    names = list(dict.fromkeys(occurrences))
    if records and not names:
        raise file.error("its objects are empty; they need at least one name")
    keys = dict(zip(name_columns(names), names, strict=True))
    check_known(columns or [], list(keys), file.name)
    missing = file.options.missing
    data = {}
    for name in columns or keys:
        values, stated = [record.get(keys[name]) for record in records], missing.of(name)
        data[name] = column_of(values if stated is None else stated.without(values))
    return Table(
        file.name,
        pa.table(data),
        format=f"JSON array, {file.text.encoding.upper()}",
        reading=FoundReading(JSON_ARRAY.name, {"encoding": file.text.encoding}),
        release_problem=problem_of_names(occurrences, len(records)),
    )


def _names(records: Any, source: str) -> Iterator[str]:
    """Yield the names of each record; refuse nested or other values."""
    for row, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise DataError(
                "it is not an object; write every record as an object with names",
                confidential=cells.quote(record),
                source=source,
                row=row,
            )
        for name, value in record.items():
            if isinstance(value, list | dict):
                raise DataError(
                    "it is a list or an object; write a number or a text",
                    source=source,
                    row=row,
                    column=name,
                )
            yield name

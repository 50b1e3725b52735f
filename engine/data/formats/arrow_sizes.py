"""How much memory data of Arrow take, and what is refused; of files, before anything is unpacked.

See "Encapsulated message format" and "IPC file format" of Arrow's columnar format, whose metadata are
flatbuffers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from engine.data.formats.damage import refusing_damage
from engine.errors import DataError
from engine.free_memory import lack_for, lack_of_memory

LESS = "read fewer columns, or a part of the records"

CONTINUES = b"\xff\xff\xff\xff"
MAGIC = b"ARROW1"
DICTIONARY, RECORDS = 2, 3
"""Kinds of messages."""


COPIES = 4
"""A table, the numbers of its columns, and what they are sorted in take so many times the columns' size."""


class Batch(NamedTuple):
    """What is known of a batch.

    Attributes
    ----------
    rows : int
    size : int
        Bytes of memory that it takes.
    records : bool
        Whether it holds records, not a dictionary.
    """

    rows: int
    size: int
    records: bool


def batches_of_file(file: BinaryIO, source: str) -> list[Batch]:
    """Return all batches of a file in Arrow's file format; `DataError` where that is damaged."""
    with refusing_damage(source):
        end = file.seek(0, 2)
        file.seek(end - len(MAGIC) - 4)
        (length,) = struct.unpack("<i", file.read(4))
        file.seek(end - len(MAGIC) - 4 - length)
        content = file.read(length)
        footer = _root(content)
        blocks = [
            struct.unpack_from("<qi4xq", content, position)
            for field in (2, 3)
            for position in _vector(content, footer, field, 24)
        ]
        return [batch for begin, _, _ in blocks if (batch := _message(file, begin)[0]) is not None]


def batches_of_stream(file: BinaryIO, source: str) -> Iterator[Batch]:
    """Yield the batches of a file in Arrow's stream format; `DataError` where that is damaged."""
    begin = 0
    end = file.seek(0, 2)
    while begin < end:
        with refusing_damage(source):
            batch, following = _message(file, begin)
        if following <= begin:
            return
        begin = following
        if batch is not None:
            yield batch


def _message(file: BinaryIO, begin: int) -> tuple[Batch | None, int]:
    """Return the batch of a message, if it is one, and where the next message begins."""
    file.seek(begin)
    head = file.read(8)
    # before version 0.15 the length stood alone
    marked = head[:4] == CONTINUES
    if len(head) < 4 + 4 * marked:
        return None, begin
    (length,) = struct.unpack_from("<i", head, 4 * marked)
    if length <= 0:
        return None, begin
    start = begin + 4 + 4 * marked
    file.seek(start)
    content = file.read(length)
    message = _root(content)
    (kind,) = struct.unpack_from("<B", content, _field(content, message, 1))
    (body,) = (
        struct.unpack_from("<q", content, _field(content, message, 3)) if _has(content, message, 3) else (0,)
    )
    following = start + length + max(body, 0)
    if kind not in (DICTIONARY, RECORDS):
        return None, following
    table = _indirect(content, _field(content, message, 2))
    if kind == DICTIONARY:
        table = _indirect(content, _field(content, table, 1))
    (rows,) = (
        struct.unpack_from("<q", content, _field(content, table, 0)) if _has(content, table, 0) else (0,)
    )
    size = 0
    for position in _vector(content, table, 2, 16):
        offset, packed = struct.unpack_from("<qq", content, position)
        unpacked = packed
        if packed and _has(content, table, 3):  # the length that it has when unpacked stands before it
            file.seek(start + length + offset)
            (unpacked,) = struct.unpack("<q", file.read(8))
        size += packed if unpacked < 0 else unpacked
    return Batch(rows, size, kind == RECORDS), following


def _root(content: bytes) -> int:
    return _indirect(content, 0)


def _indirect(content: bytes, position: int) -> int:
    return position + int(struct.unpack_from("<I", content, position)[0])


def _field(content: bytes, table: int, number: int) -> int:
    """Return where a field of a table stands; `IndexError` where it is left out."""
    (back,) = struct.unpack_from("<i", content, table)
    (length,) = struct.unpack_from("<H", content, table - back)
    offset = 4 + 2 * number
    (here,) = struct.unpack_from("<H", content, table - back + offset) if offset < length else (0,)
    if not here:
        raise IndexError("a field is missing")
    return table + int(here)


def _has(content: bytes, table: int, number: int) -> bool:
    try:
        return bool(_field(content, table, number))
    except IndexError:
        return False


def _long(content: bytes, table: int, number: int) -> int:
    """Return a number of eight bytes; one that is left out is 0."""
    if not _has(content, table, number):
        return 0
    return int(struct.unpack_from("<q", content, _field(content, table, number))[0])


def _vector(content: bytes, table: int, number: int, width: int) -> range:
    """Return where the items of a vector stand."""
    if not _has(content, table, number):
        return range(0)
    begin = _indirect(content, _field(content, table, number))
    (count,) = struct.unpack_from("<I", content, begin)
    return range(begin + 4, begin + 4 + count * width, width)


def width_of(kind: Any) -> float:
    """Return how many bytes a value takes at least."""
    try:
        return float(kind.bit_width) / 8
    except ValueError:  # of no fixed width
        return 4.0


def refuse_excess(size: float, rows: float, source: str, packed: float) -> None:
    """Raise `DataError` where so many bytes are not free, or too many for a file of `packed` bytes."""
    lack = lack_for(size, packed) or lack_of_memory(COPIES * size)
    if lack:
        raise DataError(f"it unpacks to {rows:,.0f} records: {lack}; {LESS}", source=source)


def without_references(data: Any, source: str, packed: float) -> Any:
    """Replace columns that hold references to a dictionary by what they refer to."""
    from pyarrow import types

    for index, field in enumerate(data.schema):
        if types.is_dictionary(field.type):
            column = data.column(index)
            refuse_excess(_size_without_references(column), data.num_rows, source, packed)
            with refusing_damage(source):
                data = data.set_column(index, field.name, column.cast(field.type.value_type))
    return data


def _size_without_references(column: Any) -> float:
    """Return how many bytes the values take that a column refers to."""
    import pyarrow.compute as pc
    from pyarrow import types

    kind = column.type.value_type
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind)):
        return len(column) * width_of(kind)
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    lengths = (pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in chunks)
    return float(sum(pc.sum(each).as_py() or 0 for each in lengths)) + 4.0 * len(column)

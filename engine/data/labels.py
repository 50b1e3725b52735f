"""The vertices of a graph: named by text or numbers in two columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Ints
from engine.data import cells
from engine.data.arrays import array_of, text_array
from engine.data.table import Table
from engine.errors import DataError


def numbered(
    table: Table, columns: tuple[str, str], present: Bools, declared: Sequence[str] = ()
) -> tuple[tuple[str, ...], Ints]:
    """Number the vertices that two columns name.

    Two cells name the same vertex if they read the same: the number 1 and the text "1"
    do, and blanks around a text do not count.  Where one column holds numbers and the
    other text, a text that spells a number counts as that number, since reading the
    numbers has dropped their leading and trailing zeros.
    """
    import pyarrow as pa

    mixed = len({table.column(name).type for name in columns} & {"number", "text"}) == 2
    names, codes = [], []
    for column in columns:
        encoded = _checked(table, column).filter(pa.array(present)).combine_chunks().dictionary_encode()
        try:
            texts = cells.texts(encoded.dictionary)
        except ValueError as error:
            _refuse("its values cannot be read as text", table, column, confidential=str(error))
        codes.append(array_of(encoded.indices))
        _refuse_no_name(texts, codes[-1], table, column, present)
        names.append(cells.without_zeros(texts) if mixed else texts)
    distinct = pa.concat_arrays([*names, text_array(declared, pa.large_string())]).dictionary_encode()
    labels = distinct.dictionary.to_pylist()
    index = array_of(distinct.indices).astype(np.int64)
    return tuple(labels), np.column_stack([index[codes[0]], index[len(names[0]) + codes[1]]])


def _checked(table: Table, name: str) -> Any:
    """Return a column if its type can name vertices."""
    import pyarrow as pa
    from pyarrow import types

    column = table.data.column(name)
    if cells.is_string(column.type):
        # chunks of short strings may add up to more than their offsets can count
        return column.cast(pa.large_string())
    if table.column(name).type == "text":
        nested = "lists or objects" if types.is_nested(column.type) else f"{column.type} values"
        what = "bytes" if cells.is_binary(column.type) else nested
        _refuse(f"it holds {what}, which name no vertices", table, name)
    return column


def _refuse_no_name(texts: Any, codes: NDArray[Any], table: Table, name: str, present: Bools) -> None:
    """Raise `DataError` at the first cell that is blank or no number."""
    import pyarrow.compute as pc

    wrong = ["", "nan", "inf", "-inf"] if table.column(name).type == "number" else [""]
    result = array_of(pc.is_in(texts, value_set=text_array(wrong, texts.type)))
    if result.any():
        record = int(np.argmax(result[codes]))
        text = texts[int(codes[record])].as_py()
        _refuse(
            "the cell is no name of a vertex",
            table,
            name,
            table.row(int(np.flatnonzero(present)[record])),
            text or "a blank",
        )


def _refuse(what: str, table: Table, name: str, row: int | None = None, confidential: str = "") -> NoReturn:
    raise DataError(
        f"{what}; name the vertices by text or whole numbers",
        confidential=confidential,
        source=table.source,
        row=row,
        column=name,
    )

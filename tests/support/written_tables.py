"""Small tables, written in each format that the program reads."""

import gzip
import json
import sqlite3

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
from pyarrow import feather, orc, parquet


def _typed(cells):
    """Return cells as a file with typed columns holds them: text where one of them is."""
    if any(isinstance(cell, str) for cell in cells):
        return [None if cell is None else str(cell) for cell in cells]
    return [None if cell is None else float(cell) for cell in cells]


def _arrow(columns):
    return pa.table({name: pa.array(_typed(cells)) for name, cells in columns.items()})


def _frame(columns):
    return pd.DataFrame({name: _typed(cells) for name, cells in columns.items()})


def _delimited(delimiter):
    def write(columns, path):
        rows = [list(columns), *zip(*columns.values(), strict=True)]
        lines = (delimiter.join("" if cell is None else str(cell) for cell in row) for row in rows)
        path.write_text("\n".join(lines) + "\n", "utf-8")

    return write


def _records(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _database(connect):
    def write(columns, path):
        database = connect(str(path))
        names = ", ".join(f'"{name}" {_sql_type(cells)}' for name, cells in columns.items())
        database.execute(f"CREATE TABLE data ({names})")
        marks = ", ".join("?" * len(columns))
        rows = list(zip(*map(_typed, columns.values()), strict=True))
        database.executemany(f"INSERT INTO data VALUES ({marks})", rows)
        database.commit()
        database.close()

    return write


def _sql_type(cells):
    return "TEXT" if isinstance(next(filter(None, _typed(cells)), 0.0), str) else "DOUBLE"


def _workbook(columns, path):
    book = openpyxl.Workbook()
    for row in [list(columns), *zip(*columns.values(), strict=True)]:
        book.active.append(row)
    book.save(path)


def _packed(columns, path):
    plain = path.with_suffix("")
    _delimited(",")(columns, plain)
    path.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))


def _stream(columns, path):
    table = _arrow(columns)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


WRITERS = {
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".csv.gz": _packed,
    ".jsonl": lambda columns, path: path.write_text("\n".join(map(json.dumps, _records(columns))), "utf-8"),
    ".json": lambda columns, path: path.write_text(json.dumps(_records(columns)), "utf-8"),
    ".xlsx": _workbook,
    ".sqlite": _database(sqlite3.connect),
    ".duckdb": _database(duckdb.connect),
    ".parquet": lambda columns, path: parquet.write_table(_arrow(columns), path),
    ".feather": lambda columns, path: feather.write_feather(_arrow(columns), str(path)),
    ".arrows": _stream,
    ".orc": lambda columns, path: orc.write_table(_arrow(columns), str(path)),
    ".sav": lambda columns, path: pyreadstat.write_sav(_frame(columns), str(path)),
    ".dta": lambda columns, path: pyreadstat.write_dta(_frame(columns), str(path)),
    ".xpt": lambda columns, path: pyreadstat.write_xport(_frame(columns), str(path)),
}
"""By the suffix of the file, what writes columns (lists of numbers, texts and None) into it."""


def written(columns, folder, suffix, name="data"):
    """Write columns into a new file of a folder; return its path."""
    path = folder / f"{name}{suffix}"
    path.unlink(missing_ok=True)
    WRITERS[suffix](columns, path)
    return path

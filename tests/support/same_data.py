"""The same data in files that have nothing in common but what they say."""

import datetime
import json

import pyarrow as pa
from pyarrow import feather, parquet

ROWS = [
    ("Ada", 36, 1.5, "2024-01-01", "true"),
    ("Alan", 41, 0.1, "2024-02-29", "false"),
    ("Grace", None, 1e22, "1906-12-09", ""),
    ("", -7, -0.25, "", "true"),
    ("Ada", 36, 1.5, "2024-01-01", "true"),
]
NAMES = ("name", "age", "score", "born", "here")


def text(rows=ROWS, names=NAMES, delimiter=",", end="\n", last=True):
    lines = [names, *(["" if cell is None else str(cell) for cell in row] for row in rows)]
    joined = end.join(delimiter.join(line) for line in lines)
    return joined + (end if last else "")


def typed():
    columns = [list(column) for column in zip(*ROWS, strict=True)]
    dates = [datetime.date.fromisoformat(cell) if cell else None for cell in columns[3]]
    booleans = [{"true": True, "false": False, "": None}[cell] for cell in columns[4]]
    return {
        "name": [cell or None for cell in columns[0]],
        "age": columns[1],
        "score": columns[2],
        "born": dates,
        "here": booleans,
    }


def as_parquet(path):
    parquet.write_table(pa.table(typed()), path)


def as_feather(path):
    columns = typed() | {
        "age": pa.array([None if age is None else float(age) for age in typed()["age"]]),
        "born": pa.array(typed()["born"]).cast(pa.timestamp("ns")),
        "name": pa.array(typed()["name"]).dictionary_encode(),
    }
    feather.write_feather(pa.table(columns), path, compression="uncompressed")


def as_json_lines(path):
    columns = typed() | {"born": [None if day is None else str(day) for day in typed()["born"]]}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    rows = [{name: cell for name, cell in row.items() if cell is not None} for row in rows]
    path.write_text("\n".join(json.dumps(row) for row in rows))


VARIANTS = {
    "as it was": lambda path: path.write_text(text()),
    "no last newline": lambda path: path.write_text(text(last=False)),
    "CRLF": lambda path: path.write_bytes(text(end="\r\n").encode()),
    "other order of rows": lambda path: path.write_text(text(ROWS[2:] + ROWS[:2])),
    "other order of columns": lambda path: path.write_text(text([row[::-1] for row in ROWS], NAMES[::-1])),
    "semicolons": lambda path: path.write_text(text(delimiter=";")),
    "JSON lines": as_json_lines,
    "Parquet": as_parquet,
    "Feather": as_feather,
    "numbers in other words": lambda path: path.write_text(
        text().replace("36", "36.0").replace("0.1", "1e-1").replace("-7", "-7.00").replace("1.5", "1.50")
    ),
    "UTF-16": lambda path: path.write_bytes(text().encode("utf-16")),
}

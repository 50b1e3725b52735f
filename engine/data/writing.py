"""Write points to CSV or Parquet files, atomically."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.data.formats.columnar import BATCH
from engine.data.names import check_names, is_number, tidy_name
from engine.errors import DataError
from engine.progress import Progress, silent

SUFFIXES = (".csv", ".parquet")


def write_points(
    path: str | os.PathLike[str], columns: Sequence[str], points: ArrayLike, *, progress: Progress = silent
) -> None:
    """Write points to a file that `read_table` reads back exactly; an existing file is replaced.

    They are written to a temporary file beside it, which takes the name once it is complete.
    """
    target = Path(path)
    values = np.asarray(points, dtype=np.float64)
    if target.suffix.lower() not in SUFFIXES:
        raise DataError(f"the name must end in {' or '.join(SUFFIXES)}", source=str(path))
    check_names(list(columns), str(path))
    if target.suffix.lower() == ".csv":
        _check_header(columns, str(path))
    if values.ndim != 2 or values.shape[1] != len(columns):
        raise DataError(
            f"{len(columns)} names do not fit points of shape {values.shape}; give one for each column",
            source=str(path),
        )
    if not len(values):
        raise DataError("there are no points to write; at least one is needed", source=str(path))
    finite = np.isfinite(values)
    if not finite.all():
        row, column = np.argwhere(~finite)[0].tolist()
        raise DataError(
            f"record {row + 1} has a number that is not finite; leave such records out",
            source=str(path),
            column=columns[column],
        )
    if target.is_dir():
        raise DataError("it is a directory; give the name of a file in it", source=str(path))
    if target.exists() and not os.access(target, os.W_OK):
        raise DataError("you may not replace it; choose another name", source=str(path))
    whole = target.resolve()
    beside = whole.with_name(f".{whole.name[:60]}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            _write(file, target.suffix.lower(), list(columns), values, progress=progress)
        beside.replace(whole)
    except FileNotFoundError:
        raise DataError(f"there is no folder {whole.parent}; create it first", source=str(path)) from None
    except PermissionError:
        raise DataError(
            f"you may not write to the folder {whole.parent}; choose another one", source=str(path)
        ) from None
    except OSError as error:
        raise DataError(
            f"it cannot be written: {error.strerror or error}; choose another place", source=str(path)
        ) from None
    finally:
        if beside.parent.is_dir() and os.access(beside.parent, os.W_OK):
            beside.unlink(missing_ok=True)


def _check_header(columns: Sequence[str], source: str) -> None:
    """Refuse names that readers of delimited text would change."""
    for name in columns:
        if name != tidy_name(name) or not name.isprintable():
            raise DataError(
                f"the name {name!r} holds line breaks, tabs, or more than one blank between "
                "words, which are lost in a .csv file; call it "
                f"{''.join(filter(str.isprintable, tidy_name(name)))!r}, or write .parquet",
                source=source,
            )
    if all(is_number(name) for name in columns):
        raise DataError(
            f"readers would take the numeric names ({columns[0]}) for a record in a .csv file; "
            "give at least one column a name with letters, or write .parquet",
            source=source,
        )


def _write(file: Any, suffix: str, columns: list[str], values: Any, *, progress: Progress) -> None:
    import pyarrow as pa
    from pyarrow import csv, parquet

    schema = pa.schema([(name, pa.float64()) for name in columns])
    kind = csv.CSVWriter if suffix == ".csv" else parquet.ParquetWriter
    with kind(file, schema) as writer:
        for start in range(0, len(values), BATCH):
            progress(start / len(values))
            some = values[start : start + BATCH]
            writer.write_table(pa.table([np.ascontiguousarray(column) for column in some.T], schema=schema))

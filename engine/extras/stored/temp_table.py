"""Temporary copies of data that can be read only once, from beginning to end."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.data.names import check_names
from engine.errors import DataError
from engine.extras.stored.arrow_files import FeatherTable
from engine.progress import Progress

ROWS = 1 << 20
"""Records of a piece."""


def copy_to_temp_table(source: str, batches: Any, *, progress: Progress) -> FeatherTable:
    """Write a stream of record batches to a file that is deleted when the program ends."""
    import pyarrow as pa

    check_names(batches.schema.names, source)
    with temp_folder(source, until_the_end=True) as folder:
        path = folder / "records.feather"
        with pa.OSFile(os.fsencode(path), "wb") as file, pa.ipc.new_file(file, batches.schema) as writer:
            kept: list[Any] = []
            rows = 0
            for batch in batches:
                progress(0.0, f"reading {source}")
                kept.append(batch)
                rows += batch.num_rows
                if rows >= ROWS:
                    writer.write_batch(_one(kept, batches.schema))
                    kept, rows = [], 0
            if rows:
                writer.write_batch(_one(kept, batches.schema))
    return FeatherTable(source, path)


@contextlib.contextmanager
def temp_folder(source: str, *, until_the_end: bool = False) -> Iterator[Path]:
    """Create a temporary folder that only its owner may read, and delete it in the end."""
    keeps = False
    folder = Path(tempfile.mkdtemp(prefix="sensiscope-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        yield folder
        keeps = until_the_end
    except OSError as error:
        raise DataError(
            f"its records cannot be stored in a temporary file ({error.strerror or error}); free disk space",
            source=source,
        ) from None
    finally:
        if not keeps:
            shutil.rmtree(folder, ignore_errors=True)


def _one(batches: list[Any], schema: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches(batches, schema).combine_chunks().to_batches()[0]

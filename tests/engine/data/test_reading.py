"""Opening files: formats recognised by content, and what cannot be opened said in one line."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import engine
from engine.data import read_table
from engine.errors import DataError

VALUES = np.random.default_rng(3).lognormal(10, 1, 1000)
AGES = np.random.default_rng(4).integers(0, 99, 1000)


def write_text(path, delimiter):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["age", "pay"])
        writer.writerows(zip(AGES.tolist(), VALUES.tolist(), strict=True))


def write_json(path):
    path.write_text(
        "".join(
            json.dumps({"age": age, "pay": pay}) + "\n"
            for age, pay in zip(AGES.tolist(), VALUES.tolist(), strict=True)
        )
    )


WRITERS = {
    ".csv": lambda path: write_text(path, ","),
    ".tsv": lambda path: write_text(path, "\t"),
    ".parquet": lambda path: parquet.write_table(pa.table({"age": AGES, "pay": VALUES}), path),
    ".feather": lambda path: feather.write_feather(pa.table({"age": AGES, "pay": VALUES}), path),
    ".jsonl": write_json,
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere every name is text")
@pytest.mark.parametrize("suffix", WRITERS)
def test_a_name_that_is_not_text(tmp_path, suffix):
    WRITERS[suffix](tmp_path / "data")
    path = (tmp_path / "data").rename(tmp_path / os.fsdecode(b"d\xff" + suffix.encode()))
    np.testing.assert_array_equal(read_table(path).numbers("pay").values, VALUES)


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("name", ["people{}", "people", "people.dat", "people.txt"])
def test_every_format_gives_the_same_numbers_whatever_the_suffix(tmp_path, suffix, name):
    path = tmp_path / name.format(suffix)
    WRITERS[suffix](path)
    table = read_table(path)
    assert (table.source, table.n) == (path.name, 1000)
    np.testing.assert_array_equal(table.numbers("pay").values, VALUES)
    np.testing.assert_array_equal(table.points(["pay", "age"]).values, np.column_stack([VALUES, AGES]))
    assert table.first_row == (2 if suffix in (".csv", ".tsv") else 1)


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_path_may_be_text(tmp_path, suffix):
    path = tmp_path / f"people{suffix}"
    WRITERS[suffix](path)
    assert read_table(str(path)).n == 1000


def test_a_single_record_is_enough(tmp_path):
    (tmp_path / "one.csv").write_text("x\n5")
    assert list(read_table(tmp_path / "one.csv").numbers("x").values) == [5]


def fault(path):
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_no_such_file(tmp_path):
    path = tmp_path / "nothing.csv"
    assert fault(path) == f"{path}: there is no such file; check the name and the folder"


def test_a_directory(tmp_path):
    assert fault(tmp_path) == f"{tmp_path}: it is a directory; choose a file in it"


def test_a_name_that_no_file_can_have(tmp_path):
    assert "it cannot be opened" in fault(tmp_path / ("x" * 1000))
    assert "it cannot be opened" in fault(f"{tmp_path}/a\0b")


@pytest.mark.skipif(sys.platform == "win32", reason="rights are not modes there")
def test_no_permission(tmp_path):
    path = tmp_path / "secret.csv"
    path.write_text("x\n1\n")
    path.chmod(0)
    was_root = os.geteuid() == 0
    if was_root:  # root may read anything, so be another user for a moment
        os.seteuid(65534)
    try:
        message = fault(path)
    finally:
        if was_root:
            os.seteuid(0)
    assert message == f"{path}: you may not read it; ask its owner for permission to read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "it is not a regular file; save the data to a file first" in fault(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty; a header and at least one record are needed"),
        (b" \n\n", "the file is blank; a header and at least one record are needed"),
        (b"\xef\xbb\xbf", "the file is blank"),
        (
            bytes(range(256)) * 20,
            "it is binary and has none of the supported formats; save the table as CSV or Parquet",
        ),
        (b"a,b\n1,\x00\n", "it is binary"),
        (b"PK\x03\x04rest", "it cannot be unpacked (zip); it is damaged or truncated"),
        (b"\x1f\x8b\x08rest", "it cannot be unpacked (gzip); it is damaged or truncated"),
        (b"%PDF-1.7", "it is a PDF document; save the table as CSV"),
        (b"FEA1rest", "it is Feather of version 1; write it again as version 2"),
        (b"PAR1", "its end, with the Parquet footer, is missing"),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".bin"])
def test_content_that_is_no_table(tmp_path, content, says, suffix):
    path = tmp_path / f"people{suffix}"
    path.write_bytes(content)
    message = fault(path)
    assert message.startswith(f"people{suffix}: {says}")


def test_random_rubbish_is_always_an_error_of_one_line(tmp_path):
    rng = np.random.default_rng(5)
    for round_ in range(50):
        path = tmp_path / f"{round_}.csv"
        path.write_bytes(rng.bytes(2000))
        fault(path)


def test_a_file_too_large_for_memory_is_an_error(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("x\n1\n")

    def exhausted(fraction, message=""):
        raise MemoryError

    with pytest.raises(
        DataError, match=r"people.csv: it does not fit into the memory .*; read fewer columns"
    ):
        read_table(path, progress=exhausted)


def test_a_disk_that_fails_is_an_error(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("x\n1\n")

    def failing(fraction, message=""):
        raise OSError(5, "Input/output error")

    with pytest.raises(DataError, match=r"people.csv: reading stopped: Input/output error; try again"):
        read_table(path, progress=failing)


def test_importing_is_cheap():
    heavy = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, engine.data; print([m for m in ('pyarrow', 'pandas') if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(engine.__file__).parents[1],
    )
    assert heavy.stdout == "[]\n"

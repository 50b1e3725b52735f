"""Damaged files of all formats are refused in one line, at once, and take little memory."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import mutated_files
import pytest

BATCH = 500
BYTES = 1 << 30


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    file = folder / "seeds.pickle"
    file.write_bytes(pickle.dumps(mutated_files.seeds(folder)))
    return file


def read(folder, made, first, count):
    """Have files read in a process, and return what went wrong with them."""
    command = [sys.executable, "-P", mutated_files.__file__, folder, first, count, made]
    root = Path(__file__).parents[4]
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )
    assert done.returncode == 0, (done.returncode, (folder / "reached").read_text(), done.stderr[-2000:])
    *printed, last = done.stdout.splitlines()
    assert not printed
    assert not done.stderr
    said = json.loads(last)
    return [*said["wrong"], *([["memory", said["peak"]]] if said["peak"] > BYTES else [])]


def test_each_format_is_read_as_it_was_written(tmp_path, made):
    from engine.data import read_table

    for name, content in pickle.loads(made.read_bytes()).items():
        (tmp_path / name).write_bytes(content)
        assert read_table(tmp_path / name).n == 30


@pytest.mark.parametrize(
    ("name", "problem", "confidential"),
    [
        ("range.xls", "it is damaged or cut", "range start index 116 out of range"),
        ("one.zip", "it cannot be unpacked (zip); it is damaged", "string index out of range"),
        ("two.zip", "it cannot be unpacked (zip); it is damaged", "string index out of range"),
        ("days.xpt", "it is damaged or cut", "days=-2147483648"),
        ("days.dta", "it is damaged or cut", "days=-2147483648"),
        ("days.sav", "it is damaged or cut", "days=-2147483648"),
    ],
)
def test_an_error_of_a_library_becomes_one_line(name, problem, confidential, capfd):
    from engine.data import read_table
    from engine.errors import DataError

    with pytest.raises(DataError) as caught:
        read_table(Path(__file__).parent / "damaged" / name)
    assert str(caught.value).startswith(f"{name}: {problem}")
    assert caught.value.confidential.startswith(confidential)
    assert "get the whole file again" in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_some_damaged_files(tmp_path, made):
    assert read(tmp_path, made, 1_000_000, 60) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 20_000, BATCH))
def test_many_damaged_files(tmp_path, made, first):
    assert read(tmp_path, made, first, BATCH) == []

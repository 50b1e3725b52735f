"""Fifteen typical programs run as they stand; mypy goes through them with the program's own code."""

import runpy
from pathlib import Path

import pytest

from engine import QUERIES

FILES = sorted((Path(__file__).resolve().parents[1] / "support" / "programs").glob("*.py"))


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    queries = QUERIES.copy()
    yield
    QUERIES.clear()  # without that of a program
    QUERIES.update(queries)


def test_there_are_fifteen():
    assert len(FILES) == 15


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_program_runs(file, capsys):
    if file.stem == "from_polars":
        pytest.importorskip("polars")
    runpy.run_path(str(file), run_name="__main__")
    assert capsys.readouterr().out.strip()

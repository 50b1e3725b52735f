"""A query that is not row by row: script and session file ask it again, and nothing is released of it."""

import contextlib
import sqlite3

import pytest
from scripts import python, run

from app.documents import SessionSnapshot
from app.documents.json_text import format_json
from app.documents.writing import document_from, plain_of
from app.model.kept_data import read_file
from app.model.pages.registry import PAGE_KINDS
from app.model.selection import problems
from app.model.state import SessionState
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, ParameterError
from engine.progress import silent
from engine.randomness import reproducible

SICK = "select age from p where hiv = 1"


@pytest.fixture
def state(tmp_path):
    """Return the state of a page on the ages of 37 people who are sick."""
    path = tmp_path / "staff.db"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute("create table p (age integer, hiv integer)")
        made.executemany("insert into p values (?, ?)", [(20 + i % 11, int(i < 37)) for i in range(211)])
        made.commit()
    dataset = read_file("median", path, ReadingOptions(sql=SICK), silent).dataset
    chosen = {"column": "age", "missing": "refuse", "lower": 0.0, "upper": 100.0, "bounds_source": "known"}
    read = PAGE_KINDS["median"].read(dataset, chosen, silent)
    return SessionState().at("median").replaced({"dataset": dataset, **read})


def test_a_script_finds_confidential_numbers_and_releases_nothing(state):
    names = run(state)
    assert "n (confidential): 37" in names["printed"] or "records (confidential): 37" in names["printed"]
    with pytest.raises(DataError, match="by a condition"):
        names["mechanism"].run(names["data"], names["privacy"])
    assert names["mechanism"].run(names["data"], names["privacy"], reproducible(1)).simulated


def test_a_session_file_asks_again_and_does_not_tell_how_many_there_are(state, tmp_path):
    text = format_json(plain_of(document_from(SessionSnapshot(state, {}), None), "/", None))
    assert SICK in text
    path = tmp_path.as_posix().lstrip("/")  # its folder may hold any number
    assert path in text
    assert "37" not in text.replace(path, "")


def test_the_release_view_has_no_script(state):
    with pytest.raises(ParameterError, match="by a condition"):
        python(state.replaced({"view": "release"}))
    assert [problem.field for problem in problems(state)] == ["data"]

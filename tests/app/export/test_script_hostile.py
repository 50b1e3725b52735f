"""Names and words that do harm write no code of their own."""

import ast
import contextlib

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from all_scripts import CELLS, MEDIAN
from hostile_words import HOSTILE
from scripts import example, of_file, python, run

from app.model.kinds.category_choice import CategoryAnswers, CategoryChoice
from app.model.view_states import AuditChoice, AuditViewState, ViewState
from engine.data import read_table
from engine.errors import ParameterError
from engine.progress import silent


@pytest.mark.parametrize("name", [text for text in HOSTILE if text.strip() and "\ud800" not in text])
def test_columns_and_files_with_hostile_names(name, tmp_path):
    safe = "".join(sign for sign in name if sign not in "/\x00")
    path = tmp_path / f"{safe}.csv"
    pa.csv.write_csv(pa.table({name: np.arange(20.0), "other": np.arange(20.0)}), path)
    [column, _] = read_table(path).columns  # names lose their outer blanks
    fields = {
        "column": column.name,
        "missing": "refuse",
        "lower": 0.0,
        "upper": 20.0,
        "bounds_source": "looked",
    }
    state = of_file("median", path, fields)
    left = run(state)
    assert left["data"].values.tolist() == list(range(20))
    assert "strictly, no guarantee holds" in python(state)
    assert "import os" not in [ast.unparse(node) for node in ast.parse(python(state)).body]


def test_hostile_categories():
    labels = tuple(text.strip() for text in HOSTILE if text.strip() and "\ud800" not in text)
    state = example("histogram", "admissions", query="contingency-table")
    answers = CategoryAnswers.read(state.dataset.table, ("gender",), "refuse", silent)
    choice = CategoryChoice(columns=("gender",), lists={"gender": labels}, unseen="other", answers=answers)
    state = state.replaced({"categories": choice, "view": "release"})
    assert run(state, ViewState(tab="bars"))["bounds"] == state.builder().domain


@pytest.mark.parametrize(
    "look",
    [
        ViewState(tab="distribution", options={"seed": "1); import os #"}),
        ViewState(tab="audit", audit=AuditViewState(choice=AuditChoice(seed="1); import os #"))),
        ViewState(tab="path", options={"target": "lower'); import os #"}),
        ViewState(tab="attacks", options={"swept": '"); import os #'}),
        ViewState(tab="isolation", options={"attack": '"); import os #'}),
        ViewState(tab="isolation", options={"attack": "uniform", "attack_seed": "1); import os #"}),
        ViewState(tab="isolation", options={"moved": ("0]; import os #", 1.0)}),
    ],
)
def test_a_look_with_hostile_words_writes_no_code_of_its_own(look):
    for state in (MEDIAN, CELLS):
        with contextlib.suppress(TypeError, ParameterError):  # what is no number is refused
            nodes = ast.walk(ast.parse(python(state, look)))
            modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
            assert modules <= {"numpy"}

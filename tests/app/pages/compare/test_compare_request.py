"""What cannot be compared is explained before anything runs, wherever the contenders come from."""

import dataclasses

import pytest
from sessions import desk

from app.model.comparison_choice import ComparisonChoice
from app.model.state import SessionState
from app.model.trusted_code import TrustedFunction
from app.pages.compare.contenders_panel import explain_misfits
from app.pages.compare.request import Alternatives, request_of
from engine import catalog
from engine.comparison import contenders_from
from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.modules_beside import modules_beside

CODE = "def centre(block):\n    return block.mean(axis=0)\n"


def asked(page, mechanisms, **fields):
    """Return a state whose contenders were chosen."""
    return SessionState(page=page, **desk(page, comparison=ComparisonChoice(mechanisms), **fields))


def test_contenders_that_read_other_columns_are_explained():
    histogram = catalog.mechanism("histogram-shifted")
    with pytest.raises(ParameterError, match="mechanisms: these mechanisms read other columns"):
        request_of(
            asked("histogram", (histogram,), example="penguins", query="contingency-table"), Alternatives()
        )


def test_a_function_from_a_file_takes_part_only_once_it_is_confirmed(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(CODE, "utf-8")
    box = BlackBox(str(file), "centre", (0.0, 0.0), (1.0, 1.0))
    mechanism = catalog.mechanism("sample-aggregate", block_function=box)
    state = asked("clustering", (mechanism,), query="sample-aggregate")
    with pytest.raises(ParameterError, match=r"own\.py:centre is not confirmed yet"):
        request_of(state, Alternatives())
    trusted = frozenset({TrustedFunction.of(box, modules_beside(file))})
    assert request_of(dataclasses.replace(state, trusted=trusted), Alternatives()).mechanisms == (mechanism,)
    file.write_text(CODE + "\n", "utf-8")
    with pytest.raises(ParameterError, match="has changed since it was confirmed"):
        request_of(dataclasses.replace(state, trusted=trusted), Alternatives())


def test_another_promise_is_said_beside_the_others():
    triangles = catalog.query("triangles")
    methods = [catalog.mechanism(name, triangles) for name in ("smooth", "lipschitz-extension")]
    assert explain_misfits(contenders_from(methods), ["", ""]) == [
        "Node privacy: its ε holds between graphs with one vertex given other edges, vertices public"
    ]
    empty = catalog.mechanism("mode", relation="zero-out")
    [said] = explain_misfits(contenders_from([empty]), [""])
    assert said.endswith("its ε holds between databases with one record left empty, n public")


def test_a_slow_mechanism_has_fewer_runs_and_takes_none_from_the_others():
    """OpenDP weighs 100,000 candidates for each release: from public facts alone, it is slow."""
    query = catalog.query("median")
    names = ("exponential", "laplace", "opendp")
    mechanisms = tuple(catalog.mechanism(name, query) for name in names)
    slow = dataclasses.replace(mechanisms[2], candidates=100_000)
    fields = {"example": "salaries", "query": "median"}
    request = request_of(asked("median", (*mechanisms[:2], slow), **fields), Alternatives())
    assert request.each[:2] == (1000, 1000)
    assert request.fewer == {"OpenDP": request.each[2]}
    assert 10 <= request.each[2] < 100

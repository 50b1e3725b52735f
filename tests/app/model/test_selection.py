"""What a job needs to know of a state: made once, and never of a file that is not confirmed."""

import os
from pathlib import Path

import pytest
from scripts import example

from app.model import selection as made
from app.model.selection import problems, selection
from app.model.trusted_code import TrustedFunction
from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox
from engine.extras.sandbox.modules_beside import modules_beside
from engine.specification import key_of

SOURCE = "def middle(block):\n    return block.mean(axis=0)\n"
POINTS = example("clustering", "three-clusters", query="sample-aggregate")


@pytest.fixture
def planned(monkeypatch):
    """Count how often blocks are planned."""
    calls = []
    plan = made.with_plan

    def counted(*arguments):
        calls.append(arguments)
        return plan(*arguments)

    monkeypatch.setattr(made, "with_plan", counted)
    return calls


@pytest.fixture
def box(tmp_path):
    """Return a function in a file."""
    path = tmp_path / "mine.py"
    path.write_text(SOURCE)
    return BlackBox(str(path), "middle", (0.0, 0.0), (1.0, 1.0))


def named(box):
    return {"function": box.name, "parameters": {key_of(BlackBox): vars(box)}}


def of_file(box, *, confirmed):
    trusted = {TrustedFunction.of(box, modules_beside(box.path))} if confirmed else set()
    return POINTS.replaced({**named(box), "trusted": frozenset(trusted)})


def test_it_is_made_and_planned_once_for_each_state(planned):
    state = POINTS.replaced({"epsilon": 0.7})
    assert selection(state) is selection(state)
    assert problems(state) == ()
    assert len(planned) == 1
    assert selection(state.replaced({"epsilon": 0.8})) is not selection(state)
    assert len(planned) == 2


def test_what_makes_no_sense_is_said_each_time():
    state = POINTS.replaced({"bounds": {"x": (0.0, 1.0)}})
    for _ in range(2):
        with pytest.raises(ParameterError, match="declare both bounds") as error:
            selection(state)
        assert error.value.field == "bounds of y"


def test_a_file_that_nobody_confirmed_is_not_even_opened(planned, tmp_path):
    path = tmp_path / "pipe.py"
    os.mkfifo(path)  # whoever opens it waits for ever
    state = POINTS.replaced(named(BlackBox(str(path), "middle", (0.0, 0.0), (1.0, 1.0))))
    with pytest.raises(ParameterError, match="is not confirmed yet"):
        selection(state)
    assert "is not confirmed yet" in problems(state)[0].message
    assert planned == []


def test_a_helper_that_has_changed_is_noticed(box):
    helper = Path(box.path).with_name("helper.py")
    helper.write_text("scale = 1\n")
    Path(box.path).write_text("import helper\n" + SOURCE)
    state = of_file(box, confirmed=True)
    assert selection(state).plan is not None
    helper.write_text("scale = 2\n")
    with pytest.raises(ParameterError, match="or a module that it imports"):
        selection(state.replaced({"epsilon": 0.5}))
    helper.write_text("scale = 1\n")
    assert selection(state.replaced({"epsilon": 0.6})).plan is not None


def test_a_file_that_has_changed_is_noticed_and_one_that_is_back_is_as_before(box):
    state = of_file(box, confirmed=True)
    blocks = selection(state).mechanism.sampling.blocks
    Path(box.path).write_text(SOURCE + "# other\n")
    with pytest.raises(ParameterError, match="has changed since it was confirmed"):
        selection(state)
    Path(box.path).unlink()
    other = state.replaced({"epsilon": 0.5})
    with pytest.raises(ParameterError, match="cannot be read"):
        selection(other)
    Path(box.path).write_text(SOURCE)
    assert selection(state).mechanism.sampling.blocks == blocks
    assert selection(other).plan is not None

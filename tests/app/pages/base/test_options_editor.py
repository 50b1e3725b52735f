"""The tools above a picture, drawn from declared options."""

from __future__ import annotations

import dataclasses

import pytest
from seen import choose

from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import ParameterEditor
from engine.parameters import parameter

COLUMN = {"target": {"lower": "to the lower bound", "upper": "to the upper bound"}}
PAIRS = {"target": {"empty": "no edge", "complete": "every edge"}}


@dataclasses.dataclass(frozen=True)
class Some(OptionGroup):
    target: str = parameter(default="", label="Target", help="Where it leads.")
    order: str = parameter(default="a", choices=("a", "b"), label="Order", help="Which is first.")
    count: int = parameter(default=3, lower=1, upper=9, label="Count", help="How many.")
    shown: bool = parameter(default=True, label="Shown", help="Whether it is seen.")


@pytest.fixture
def editor(qtbot):
    made = ParameterEditor(Some)
    qtbot.addWidget(made)
    return made


def test_it_begins_with_the_defaults_and_tells_what_is_chosen(editor, qtbot):
    assert editor.values == {"target": "", "order": "a", "count": 3, "shown": True}
    for change in (
        lambda: choose(editor.boxes["order"], "b"),
        lambda: editor.boxes["count"].type_in("7"),
        editor.boxes["shown"].click,
    ):
        with qtbot.waitSignal(editor.changed):
            change()
    assert editor.values == {"target": "", "order": "b", "count": 7, "shown": False}


def test_showing_values_announces_nothing(editor, qtbot):
    with qtbot.assertNotEmitted(editor.changed):
        editor.show_values({"order": "b", "count": 5, "unknown": 1})
        editor.offer(COLUMN)
    assert (editor.values["order"], editor.values["count"]) == ("b", 5)


def test_what_is_offered_later_is_waited_for(editor):
    editor.show_values({"target": "upper"})
    assert editor.values["target"] == "upper"
    editor.offer(COLUMN)
    assert editor.values["target"] == "upper"


def test_what_other_data_offer_is_waited_for_even_if_something_is_offered_now(editor):
    editor.offer(PAIRS)
    choose(editor.boxes["target"], "complete")
    editor.show_values({"target": "upper"})
    editor.offer(COLUMN)
    assert editor.values["target"] == "upper"


def test_what_is_not_offered_gives_way_to_the_first_until_something_is_chosen(editor):
    editor.offer(COLUMN)
    choose(editor.boxes["target"], "upper")
    editor.offer(PAIRS)
    assert editor.values["target"] == "empty"
    choose(editor.boxes["target"], "complete")
    editor.offer(COLUMN)
    assert editor.values["target"] == "lower"

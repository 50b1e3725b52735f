"""The tools above a picture, drawn from declared options."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import pytest
from seen import choose

from app.model.pages.points import Directions
from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import ParameterEditor, tool_of
from engine.parameters import parameter

COLUMN = {"target": {"lower": "to the lower bound", "upper": "to the upper bound"}}
PAIRS = {"target": {"empty": "no edge", "complete": "every edge"}}


@dataclasses.dataclass(frozen=True)
class Some(OptionGroup):
    listed: ClassVar[tuple[str, ...]] = ("target",)
    offered_by_result: ClassVar[tuple[str, ...]] = ("tried",)

    target: str = parameter(default="", label="Target", help="Where it leads.")
    order: str = parameter(default="a", choices=("a", "b"), label="Order", help="Which is first.")
    count: int = parameter(default=3, lower=1, upper=9, label="Count", help="How many.")
    shown: bool = parameter(default=True, label="Shown", help="Whether it is seen.")
    near: bool | None = parameter(default=None, kind="bool", optional=True, label="Near", help="Close up.")
    tried: int | None = parameter(default=None, kind="int", optional=True, label="Try", help="Which one.")

    @classmethod
    def offered(cls, selection, *, public):
        return selection

    @classmethod
    def offered_by(cls, result):
        last = result["tries"] - 1
        return {"tried": {None if place == last else place: f"try {place + 1}" for place in range(last + 1)}}

    @classmethod
    def taken_by(cls, result):
        return {"near": result["near"]}


@pytest.fixture
def editor(qtbot):
    made = ParameterEditor(Some)
    qtbot.addWidget(made)
    return made


def offer(editor, offered):
    editor.follow(offered, public=False)


def test_it_begins_with_the_defaults_and_tells_what_is_chosen(editor, qtbot):
    first = {"target": "", "order": "a", "count": 3, "shown": True, "near": None, "tried": None}
    assert editor.values == first
    for change in (
        lambda: choose(editor.boxes["order"], "b"),
        lambda: editor.boxes["count"].type_in("7"),
        editor.boxes["shown"].click,
        editor.boxes["near"].click,
    ):
        with qtbot.waitSignal(editor.changed):
            change()
    assert editor.values == {**first, "order": "b", "count": 7, "shown": False, "near": True}


def test_showing_values_announces_nothing(editor, qtbot):
    with qtbot.assertNotEmitted(editor.changed):
        editor.show_values({"order": "b", "count": 5, "unknown": 1})
        offer(editor, COLUMN)
    assert (editor.values["order"], editor.values["count"]) == ("b", 5)


@pytest.mark.parametrize(("typed", "taken"), [("20", 9), ("0", 1), ("4.4", 4)])
def test_a_number_that_is_not_possible_gives_way(editor, typed, taken):
    editor.boxes["count"].type_in(typed)
    assert editor.values["count"] == editor.boxes["count"].value == taken


def test_what_is_no_number_stays_in_its_box_and_the_last_number_counts(editor):
    editor.boxes["count"].type_in("many")
    assert editor.boxes["count"].text() == "many"
    assert editor.values["count"] == 3


def test_what_is_offered_later_is_waited_for(editor):
    editor.show_values({"target": "upper"})
    assert editor.values["target"] == "upper"
    offer(editor, COLUMN)
    assert editor.values["target"] == "upper"


def test_what_other_data_offer_is_waited_for_even_if_something_is_offered_now(editor):
    offer(editor, PAIRS)
    choose(editor.boxes["target"], "complete")
    editor.show_values({"target": "upper"})
    offer(editor, COLUMN)
    assert editor.values["target"] == "upper"


def test_what_is_not_offered_gives_way_to_the_first_until_something_is_chosen(editor):
    offer(editor, COLUMN)
    choose(editor.boxes["target"], "upper")
    offer(editor, PAIRS)
    assert editor.values["target"] == "empty"
    choose(editor.boxes["target"], "complete")
    offer(editor, COLUMN)
    assert editor.values["target"] == "lower"


def test_what_keeps_its_words_stays_chosen(editor):
    offer(editor, {"target": {0: "x", 1: "y", 2: "z"}})
    choose(editor.boxes["target"], 1)
    offer(editor, {"target": {0: "y", 1: "z", 2: "u"}})
    assert editor.values["target"] == 0


def test_of_less_than_two_values_there_is_nothing_to_choose(editor, qtbot):
    editor.show()
    offer(editor, COLUMN)
    assert editor.boxes["target"].isVisible()
    offer(editor, {"target": {"lower": "alone"}, "order": {}, "shown": {}})
    assert not any(editor.boxes[name].isVisible() for name in ("target", "order", "shown"))
    assert (editor.values["target"], editor.values["order"]) == ("lower", "a")
    assert editor.has_choice
    offer(editor, COLUMN)
    assert editor.boxes["order"].isVisible()


def test_what_a_result_tells_can_be_chosen_and_stays_by_its_value(editor):
    editor.show_values({"tried": 1})
    assert editor.values["tried"] == 1
    editor.take({"tries": 3, "near": True}, {})
    assert (editor.values["tried"], editor.boxes["tried"].currentText()) == (1, "try 2")
    choose(editor.boxes["tried"], None)
    editor.take({"tries": 5, "near": True}, {})
    assert (editor.values["tried"], editor.boxes["tried"].currentText()) == (None, "try 5")
    editor.show_values({"tried": 7})  # of a run that is not known yet
    assert editor.values["tried"] == 7
    editor.forget()
    assert editor.boxes["tried"].count() == 0


def test_what_was_taken_is_shown_while_nobody_has_decided(editor):
    editor.take({"tries": 1, "near": True}, {})
    assert (editor.boxes["near"].isChecked(), editor.values["near"]) == (True, None)
    editor.forget()
    assert not editor.boxes["near"].isChecked()
    editor.boxes["near"].click()
    editor.take({"tries": 1, "near": False}, {})
    assert (editor.boxes["near"].isChecked(), editor.values["near"]) == (True, True)


def test_the_only_value_that_makes_sense_is_given_and_leaves_what_was_chosen_alone(editor):
    offer(editor, {"shown": {False: ""}})
    assert (editor.arguments["shown"], editor.values["shown"]) == (False, True)
    offer(editor, {})
    assert (editor.arguments["shown"], editor.values["shown"]) == (True, True)


def test_what_is_chosen_of_a_declared_list_is_kept_while_it_is_not_offered(editor):
    choose(editor.boxes["order"], "b")
    offer(editor, {"order": {"a": "a"}})
    assert (editor.arguments["order"], editor.values["order"]) == ("a", "b")
    offer(editor, {})
    assert (editor.arguments["order"], editor.values["order"]) == ("b", "b")


def test_a_short_label_has_a_long_name_for_those_who_hear_it():
    assert tool_of(Directions.parameters()[1], Directions).box.accessibleName() == "Direction of the y axis"

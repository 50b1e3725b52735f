"""Rows of the sheet: releases outlive undo, and rules for missing values are said in words."""

import dataclasses
from typing import Any

import pytest
from released_answers import record

from app.model.questions import (
    AskedQuestion,
    ReleasedQuestion,
    asked_anew,
    moved,
    released_row,
    spent,
    with_released,
)
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.words import read_question

TEXTS = ("median of salary", "count by team", "mean of salary by team where age >= 30")


@pytest.fixture
def rows() -> tuple[AskedQuestion, ...]:
    """Return three rows without releases."""
    return tuple(AskedQuestion(read_question(text)) for text in TEXTS)


def test_undo_keeps_releases_and_brings_none_back(rows: Any) -> None:
    first, second, third = rows
    now = released_row((second, first), second.key, record(1.0))
    restored = with_released(now, rows)
    assert [row.released is not None for row in restored] == [False, True, False]
    assert with_released(now, (third,)) == (third, now[0])
    assert asked_anew(now)[0].key != second.key
    assert spent(rows) is None
    assert spent(now).epsilon == 1.0


@pytest.mark.parametrize(
    ("index", "to", "order"), [(0, 2, "120"), (2, 0, "201"), (1, 9, "021"), (1, -1, "102")]
)
def test_rows_move(rows: Any, index: int, to: int, order: str) -> None:
    assert moved(rows, index, to) == tuple(rows[int(place)] for place in order)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("median of salary", "salary"),
        ("count by team", "rows by team"),
        ("share where age >= 30", "rows where age >= 30"),
        ("table of team and age by sex", "team and age by sex"),
    ],
)
def test_a_release_names_its_subject(text: str, subject: str) -> None:
    assert ReleasedQuestion(None, read_question(text), Declarations()).subject == subject


def test_rules_for_missing_values_follow_the_declarations() -> None:
    salary = ColumnDeclaration("salary", 0, 100, unit="$")
    question = read_question(TEXTS[2])

    def rules(declared: ColumnDeclaration) -> list[str]:
        return ReleasedQuestion(None, question, Declarations((declared,))).treatment.splitlines()

    assert rules(salary)[0] == "Rows without salary are left out."
    assert rules(dataclasses.replace(salary, missing="fill", fill=50))[0] == "A missing salary counts as 50."
    assert "salary" not in "".join(rules(dataclasses.replace(salary, missing="refuse")))
    looked = ReleasedQuestion(None, question, Declarations((dataclasses.replace(salary, source="looked"),)))
    assert looked.looked
    assert looked.unit == "$"

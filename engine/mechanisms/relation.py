"""A switch for mechanisms that can state their epsilon for a record that is left empty, too.

Where one record counts for nothing in a neighbour, a count changes by one, and not one count down and
another up.  That is what tools promise that add or remove a record, without what they need beside it: n,
which counts empty records, too, stays public.  An epsilon between such databases is comparable with theirs.
From a record to another there are two steps, so that it is at most 2 epsilon where a record is replaced; so
much of it budgets add up.  Nothing general holds the other way.

For a file that means: n is the number of its rows, and each row has a value, both public.  A file with an
empty cell is refused, as it is between other neighbours, so that all files of which there are releases are n
rows with values, and what a release would be without one of them is as near as is stated.  Where missing
values are filled, an empty row counts for the value that stands for it, and changes two counts; where they
are left out, it changes n.  Either is refused for all files alike, whether or not a cell of them is empty.

It is declared where the data are seen through sums over records alone: counts, and scores to which a record
adds.  It does not hold where n decides about a release that an empty record would change: the root of a tree,
ranks, blocks, means, and randomized response, whose answers are counted.

Source: Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, Definition 1.1 (zero-out); Ponomareva and others
2023, section 2.1.1, for how the three relations compare.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from engine.data.look_only import REFUSE, missing_of, problem_of
from engine.errors import DataError, ParameterError
from engine.mechanisms.problem import Problem
from engine.parameters import parameter
from engine.primitives.counts import CHANGED
from engine.privacy import NEIGHBOURS, ZERO_OUT, Privacy
from engine.randomness import SecureGenerator

WHY_NOT = {
    "fill": "with filled values, a record left empty (zero-out) changes two counts, and costs twice epsilon",
    "drop": "with dropped records, a record left empty (zero-out) changes n, which is public",
}
"""Why an epsilon for a record that is left empty does not hold, by what is done with missing values."""

INSTEAD = "choose replaced records (replace-one), or refuse missing values"


def as_replaced(privacy: Privacy, relation: str) -> Privacy:
    """Return the budget between replaced records for which the same noise is made.

    Where a record is left empty, it takes what it adds to counts and scores, and nothing else is added.  So
    noise on counts may be half; and of a choice by scores all changes have one sign, and any two scores
    change by no more than one of them against each other, not by two.
    """
    return dataclasses.replace(privacy, epsilon=CHANGED[NEIGHBOURS] / CHANGED[relation] * privacy.epsilon)


def missing_problem(relation: str, missing: str) -> Problem | None:
    """Return why missing values cannot be treated so, from the choices alone; None where they can."""
    if missing == REFUSE or relation != ZERO_OUT:
        return None
    return Problem("missing", f"{WHY_NOT[missing]}; {INSTEAD}")


def check_missing(relation: str, missing: str) -> None:
    """Raise `ParameterError` for a `missing_problem`."""
    if problem := missing_problem(relation, missing):
        raise ParameterError(problem.field, problem.message)


def relation_parameter(**more: Any) -> Any:
    """Declare between which databases epsilon is meant."""
    return parameter(
        default=NEIGHBOURS,
        choices=(NEIGHBOURS, ZERO_OUT),
        choice_labels=("a record replaced", "a record left empty"),
        label="Neighbours",
        help="Between which databases epsilon is meant. replace-one: one record is replaced. zero-out: one "
        "record is left empty, as tools mean it that add or remove a record; n stays public. Its epsilon "
        "counts twice where a record is replaced, and so in the budget. Missing values must be refused.",
        source="Kairouz and others 2021",
        advanced=True,
        **more,
    )


P = ParamSpec("P")
R = TypeVar("R")


def check_releasable(data: Any, rng: Any) -> None:
    """Raise `DataError` where `rng` makes a release, and none may be made of the data.

    A simulation with a seed is no release: it passes.
    """
    if isinstance(rng, SecureGenerator):
        refuse_look_only(data)


def refuse_look_only(data: Any) -> None:
    """Raise `DataError` if no release may be made of the data."""
    if problem := problem_of(data):
        raise DataError(problem)


def refuses_look_only(release: Callable[P, R]) -> Callable[P, R]:
    """Have the method that makes a release refuse data that may only be looked at, however they are given.

    And data of which missing values were filled or dropped, where its relation does not allow that.
    """

    @functools.wraps(release)
    def refusing(*given: P.args, **named: P.kwargs) -> R:
        every = (*given, *named.values())
        source = next((one for one in every if isinstance(one, SecureGenerator)), None)
        mechanism: Any = given[0]
        for one in every[1:]:
            check_releasable(one, source)
            if (missing := missing_of(one)) != REFUSE:
                check_missing(mechanism.relation, missing)
        return release(*given, **named)

    return refusing

"""The choice of neighbours: a record replaced, or a record left empty (zero-out).

Source: Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, Definition 1.1 (zero-out); Ponomareva and others
2023, section 2.1.1, compares the relations.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from engine.data.look_only import REFUSE, missing_of, problem_of, rows_of_person
from engine.errors import DataError, ParameterError
from engine.mechanisms.problem import Problem
from engine.parameters import parameter
from engine.primitives.counts import CHANGED
from engine.privacy import NEIGHBOURS, NO_PROMISE, ZERO_OUT, Privacy, for_persons
from engine.randomness import SecureGenerator

# A record left empty counts for nothing, so one count changes by one; a replaced record changes two.  Tools
# that add or remove a record state such an epsilon; here n, which includes empty records, stays public.
# Replacing a record takes two such steps and costs at most 2 epsilon, which is what budgets add up.
#
# For a file, n is the number of rows, and every row has a value.  A file with an empty cell is refused: it
# belongs to other neighbours.  Filling in a missing value changes two counts, and leaving out its row changes
# n; so both are refused for all files, whether or not they have an empty cell.
#
# Mechanisms may offer zero-out if they read the data through sums over records alone: counts, and scores to
# which each record adds.  It does not hold if an empty record would change an n that the release uses: the
# root of a tree, ranks, blocks, means, and randomized response, whose answers are counted.

WHY_NOT = {
    "fill": "with filled values, a record left empty (zero-out) changes two counts and costs twice epsilon",
    "drop": "with dropped records, a record left empty (zero-out) changes n, which is public",
}
"""Why zero-out does not hold, by the treatment of missing values."""

INSTEAD = "choose replaced records (replace-one), or refuse missing values"


def as_replaced(privacy: Privacy, relation: str) -> Privacy:
    """Return the budget for replaced records that needs the same noise.

    With zero-out a record only takes away what it adds to counts and scores.  So noise on counts may be half
    as large.  In a choice by scores, all changes have the same sign, and two scores change by at most one
    relative to each other, not by two.
    """
    return dataclasses.replace(privacy, epsilon=CHANGED[NEIGHBOURS] / CHANGED[relation] * privacy.epsilon)


def missing_problem(relation: str, missing: str) -> Problem | None:
    """Return why the relation forbids this treatment of missing values; None if it is allowed."""
    if missing == REFUSE or relation != ZERO_OUT:
        return None
    return Problem("missing", f"{WHY_NOT[missing]}; {INSTEAD}")


def check_missing(relation: str, missing: str) -> None:
    """Raise `ParameterError` if there is a `missing_problem`."""
    if problem := missing_problem(relation, missing):
        raise ParameterError(problem.field, problem.message)


def relation_parameter(**more: Any) -> Any:
    """Declare the parameter for the neighbour relation of epsilon."""
    return parameter(
        default=NEIGHBOURS,
        choices=(NEIGHBOURS, ZERO_OUT),
        choice_labels=("a record replaced", "a record left empty"),
        label="Neighbors",
        help="The databases between which epsilon holds. replace-one: one record is replaced. zero-out: one "
        "record is left empty, comparable to tools that add or remove a record; n stays public. For the "
        "budget, a zero-out epsilon counts twice. Missing values must be refused.",
        source="Kairouz and others 2021",
        advanced=True,
        **more,
    )


P = ParamSpec("P")
R = TypeVar("R")


def check_releasable(data: Any, rng: Any) -> None:
    """Raise `DataError` if `rng` would make a release but the data must not be released.

    A simulation with a seed always passes.
    """
    if isinstance(rng, SecureGenerator):
        refuse_look_only(data)


def refuse_look_only(data: Any) -> None:
    """Raise `DataError` if the data must not be released."""
    if problem := problem_of(data):
        raise DataError(problem)


def refuses_look_only(release: Callable[P, R]) -> Callable[P, R]:
    """Have a method that makes a release refuse look-only data, in whichever argument.

    It also refuses data whose missing values were filled or dropped, if the relation does not allow that.
    Where the records are those of persons, the release states its cost for a person.
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
        rows = max(map(rows_of_person, every[1:]), default=0)
        if not rows:
            return release(*given, **named)
        for_persons(NO_PROMISE, mechanism.relation, rows)  # refuses before anything is drawn
        made: Any = release(*given, **named)
        privacy, relation = for_persons(made.privacy, made.neighbours, rows)
        return cast("R", dataclasses.replace(made, privacy=privacy, neighbours=relation))

    return refusing

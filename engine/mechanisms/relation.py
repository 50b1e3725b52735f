"""A switch for mechanisms that can state their epsilon for a record that is left empty, too.

Where one record counts for nothing in a neighbour, a count changes by one, and not one count down and
another up.  That is what tools promise that add or remove a record, without what they need beside it: n,
which counts empty records, too, stays public.  An epsilon between such databases is comparable with theirs.
From a record to another there are two steps, so that it is at most 2 epsilon where a record is replaced; so
much of it budgets add up.  Nothing general holds the other way.

It is declared where the data are seen through sums over records alone: counts, and scores to which a record
adds.  It does not hold where n decides about a release that an empty record would change: the root of a tree,
ranks, blocks, means, and randomized response, whose answers are counted.

Source: Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, Definition 1.1 (zero-out); Ponomareva and others
2023, section 2.1.1, for how the three relations compare.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.parameters import parameter
from engine.primitives.counts import CHANGED
from engine.privacy import NEIGHBOURS, ZERO_OUT, Privacy


def as_replaced(privacy: Privacy, relation: str) -> Privacy:
    """Return the budget between replaced records for which the same noise is made.

    Where a record is left empty, it takes what it adds to counts and scores, and nothing else is added.  So
    noise on counts may be half; and of a choice by scores all changes have one sign, and any two scores
    change by no more than one of them against each other, not by two.
    """
    return dataclasses.replace(privacy, epsilon=CHANGED[NEIGHBOURS] / CHANGED[relation] * privacy.epsilon)


def relation_parameter(**more: Any) -> Any:
    """Declare between which databases epsilon is meant."""
    return parameter(
        default=NEIGHBOURS,
        choices=(NEIGHBOURS, ZERO_OUT),
        choice_labels=("a record replaced", "a record left empty"),
        label="Neighbours",
        help="Between which databases epsilon is meant. replace-one: one record is replaced. zero-out: one "
        "record is left empty, as tools mean it that add or remove a record; n stays public. Its epsilon "
        "counts twice where a record is replaced, and so in the budget.",
        source="Kairouz and others 2021",
        advanced=True,
        **more,
    )

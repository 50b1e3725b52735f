"""A mechanism has few classes above it and few public members."""

import dataclasses
from typing import ClassVar

import numpy as np
import pytest

from engine import Box, NoisyAverage, Points, Privacy
from engine.former_names import REPLACED_HOOKS
from engine.mechanisms import MECHANISMS
from engine.mechanisms.base import Mechanism
from engine.primitives.accounting import of_pure
from engine.progress import silent

MAX_CLASSES = 4
MAX_MEMBERS, MAX_SHARED = 43, 29
"""Public members of any mechanism, and of those what all have: with names and parameters."""


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_is_at_most_four_classes_from_the_first_to_its_own(name):
    tower = [kind for kind in MECHANISMS[name].__mro__ if issubclass(kind, Mechanism)]
    assert len(tower) <= MAX_CLASSES, tower


def members(kind):
    """Return the names that begin without an underscore."""
    return [name for name in dir(kind) if not name.startswith("_")]


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_has_few_public_members(name):
    assert len(members(MECHANISMS[name])) <= MAX_MEMBERS, members(MECHANISMS[name])


def test_what_all_mechanisms_have_is_on_one_page():
    assert len({*members(Mechanism), "name", "label"}) <= MAX_SHARED, members(Mechanism)


def test_the_page_names_all_that_authors_override():
    kinds = {kind for leaf in MECHANISMS.values() for kind in leaf.__mro__ if issubclass(kind, Mechanism)}
    overridden = {name for kind in kinds - {Mechanism} for name in vars(kind)} & {*vars(Mechanism)}
    ours = {name for name in overridden if not name.startswith("__")} - {
        "_abc_impl",
        "_release_fields",
        "_check",
    }
    assert len(ours) > 20
    assert [name for name in ours if f"`{name}`" not in Mechanism.__doc__] == []


@dataclasses.dataclass(frozen=True)
class Dated(NoisyAverage):
    """Written when a mechanism had all of these itself."""

    topic: ClassVar[str] = "dates"
    uses_delta: ClassVar[bool] = True
    noun: ClassVar[str] = "date"

    def zcdp_cost(self, privacy):
        return of_pure(privacy.epsilon / 2)

    def errors(self, values, true_value, domain):
        return np.zeros(len(values))

    def prepare(self, data, privacy, progress=silent):
        self.refuse(privacy, data.domain, data.n)
        return super().prepare(data, privacy, progress)


def test_what_has_another_place_now_is_taken_from_where_it_was():
    privacy, box = Privacy(1.0, 1e-6), Box.of([0.0], [1.0])
    assert (Dated.facts.topic, Dated.facts.hides) == ("dates", "Laplace")
    assert Dated().guarantee.cost(privacy) == privacy
    assert Dated().guarantee.zcdp_cost(privacy) == of_pure(0.5)
    assert (Dated().vectors.noun, Dated().vectors.among_data) == ("date", True)
    assert Dated().output.errors(np.ones((2, 1)), [0.0], box).tolist() == [0.0, 0.0]
    assert Dated().run(Points([[0.5]], box), privacy).privacy == privacy


def test_former_names_are_found():
    old, privacy = NoisyAverage(), Privacy(1.0, 1e-6)
    assert (old.topic, old.noun, old.uses_delta) == ("clusters", "mean", False)
    assert old.cost(privacy) == Privacy(1.0)
    assert old.largest_error(Box.of([0.0], [2.0]), 10) == 2.0
    assert (old.exact, old.asked, old.effort(Box.of([0.0], [2.0]), 10)) == (True, old, 0.0)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = old.nothing


@pytest.mark.parametrize("former", REPLACED_HOOKS)
def test_a_method_that_nothing_calls_any_more_is_refused(former):
    with pytest.raises(TypeError, match=f"Old.{former} is no longer called; define"):
        type("Old", (NoisyAverage,), {former: lambda self, *arguments: None})


def test_other_neighbours_of_a_class_count():
    old = dataclasses.dataclass(frozen=True)(type("Old", (NoisyAverage,), {"neighbours": "edge"}))
    assert old().relation == "edge"

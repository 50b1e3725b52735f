"""Parameters: one declaration validates and describes."""

import dataclasses
import math

import pytest

from engine import SmoothRelease, StudentT
from engine.catalog import FAMILIES
from engine.errors import ParameterError
from engine.parameters import Parameterised, effective_settings, idle_parameters, parameter
from engine.specification import Specification


@dataclasses.dataclass(frozen=True)
class Recipe(Parameterised):
    share: float = parameter(default=0.5, lower=0.0, upper=1.0, upper_open=True, label="Share", help="…")
    count: int = parameter(default=3, lower=1, label="Count", help="…")
    kind: str = parameter(default="a", choices=("a", "b"), label="Kind", help="…")
    steps: tuple[float, ...] = parameter(default=(), kind="numbers", label="Steps", help="…")


@dataclasses.dataclass(frozen=True)
class Conditional(Parameterised):
    way: str = parameter(default="short", choices=("short", "long"), label="Way", help="…")
    stops: int = parameter(default=3, label="Stops", help="…", needs=("way", "long"))


def test_declarations_are_listed_in_order():
    share, count, kind, _ = Recipe.parameters()
    assert (share.name, share.kind, share.default, share.upper_open) == ("share", "float", 0.5, True)
    assert (count.kind, kind.kind, kind.choices) == ("int", "choice", ("a", "b"))
    assert Recipe(count=4).settings() == {"share": 0.5, "count": 4, "kind": "a", "steps": ()}
    assert Recipe(steps=(0.5, -1)).steps == (0.5, -1)


def test_nothing_can_be_set_later_whether_a_class_has_fields_of_its_own_or_not():
    class Same(Recipe):
        pass

    for recipe in (Recipe(), Same()):
        for name in ("share", "salt"):
            with pytest.raises(dataclasses.FrozenInstanceError, match=f"'{name}'"):
                setattr(recipe, name, 1)
    assert Same() == Same() != Recipe()


def test_what_does_nothing_beside_other_choices_is_idle():
    assert idle_parameters(Conditional, {}) == idle_parameters(Conditional, {"way": "short"}) == {"stops"}
    assert idle_parameters(Conditional, {"way": "long"}) == idle_parameters(Recipe, {}) == frozenset()
    assert effective_settings(Conditional()) == {"way": "short"}
    assert effective_settings(Conditional(way="long")) == Conditional(way="long").settings()


@pytest.mark.parametrize(
    "component",
    [one for family in FAMILIES.values() for one in family.values()],
    ids=lambda one: one.__name__,
)
def test_what_a_parameter_needs_is_a_choice_of_another_one(component):
    known = {one.name: one for one in component.parameters()}
    assert all(one.needs[1] in known[one.needs[0]].choices for one in known.values() if one.needs)
    decided = [(known[one.decided_by[0]], one.decided_by[1]) for one in known.values() if one.decided_by]
    assert all(
        name in (FAMILIES[other.kind] if other.is_component else other.choices) for other, name in decided
    )


def test_what_the_noise_decides_is_idle_beside_it_alone():
    assert "split" in idle_parameters(SmoothRelease, {})
    assert "split" not in idle_parameters(SmoothRelease, {"noise": StudentT()})
    assert "split" in idle_parameters(SmoothRelease, {"noise": Specification("noise", "auto")})
    assert "split" not in idle_parameters(SmoothRelease, {"noise": Specification("noise", "student-t")})
    assert "split" not in effective_settings(SmoothRelease())
    assert effective_settings(SmoothRelease(noise=StudentT()))["split"] == 0.5


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"share": 1.0}, "at least 0 and below 1"),
        ({"share": math.nan}, "a number"),
        ({"share": "x"}, "a number"),
        ({"count": 0}, "a whole number at least 1"),
        ({"count": 1.5}, "a whole number"),
        ({"share": 10**400}, "at least 0 and below 1"),
        ({"count": True}, "a whole number"),
        ({"kind": "c"}, "one of a, b"),
        ({"steps": 1.0}, "a list of numbers"),
        ({"steps": (1.0, math.inf)}, "a list of numbers"),
    ],
)
def test_wrong_values_are_refused_with_what_would_be_right(settings, words):
    with pytest.raises(ParameterError, match=words) as caught:
        Recipe(**settings)
    assert caught.value.field in settings


def test_declarations_document_themselves_beside_what_is_written():
    @dataclasses.dataclass(frozen=True)
    class Power(Parameterised):
        """A power.

        Parameters
        ----------
        base : float
            What is raised.

        Raises
        ------
        ParameterError
        """

        base: dataclasses.InitVar[float]
        p: float = parameter(default=2.0, lower=1.0, label="Power", help="Which power.")

    @dataclasses.dataclass(frozen=True)
    class Named(Power):
        """A power with a name."""

        name: str = parameter(default="a", choices=("a", "b"), label="Name", help="Its name.")

    own = ["p : float, default 2.0", "    Which power. Must be a number at least 1."]
    before, after = ["base : float", "    What is raised."], ["Raises", "------", "ParameterError"]
    assert Power.__doc__.splitlines()[2:] == ["Parameters", "----------", *before, *own, "", *after]
    last = ['name : {"a", "b"}, default \'a\'', "    Its name."]
    assert Named.__doc__.splitlines()[2:] == ["Parameters", "----------", *own, *last]

"""Parameters: one declaration validates and describes."""

import dataclasses
import math

import pytest

from engine.errors import ParameterError
from engine.parameters import Parameterised, parameter


@dataclasses.dataclass(frozen=True)
class Recipe(Parameterised):
    share: float = parameter(default=0.5, lower=0.0, upper=1.0, upper_open=True, label="Share", help="…")
    count: int = parameter(default=3, lower=1, label="Count", help="…")
    kind: str = parameter(default="a", choices=("a", "b"), label="Kind", help="…")
    steps: tuple[float, ...] = parameter(default=(), kind="numbers", label="Steps", help="…")


def test_declarations_are_listed_in_order():
    share, count, kind, _ = Recipe.parameters()
    assert (share.name, share.kind, share.default, share.upper_open) == ("share", "float", 0.5, True)
    assert (count.kind, kind.kind, kind.choices) == ("int", "choice", ("a", "b"))
    assert Recipe(count=4).settings() == {"share": 0.5, "count": 4, "kind": "a", "steps": ()}
    assert Recipe(steps=(0.5, -1)).steps == (0.5, -1)


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

"""Calls with the wrong arguments: one line that names the right ones."""

from __future__ import annotations

import abc
import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from engine.errors import WrongCall

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)

MEANINGS = {
    "domain": "the public bounds (lower, upper), chosen without looking at the data",
    "privacy": "the budget, epsilon or (epsilon, delta)",
    "runs": "the number of simulated releases",
    "seed": "a whole number; the same seed gives the same values",
    "data": "records with public bounds, such as Sample(values, (lower, upper))",
    "sweep": 'such as Sweep("epsilon", (0.1, 1.0))',
    "upper": "the upper of two public bounds",
}
"""Meanings of arguments that may be missing."""

OTHER_NAMES = {
    "bounds": "domain",
    "range": "domain",
    "epsilon": "privacy",
    "eps": "privacy",
    "budget": "privacy",
    "delta": "privacy",
    "rng": "seed",
    "random_state": "seed",
    "iterations": "runs",
    "repeats": "runs",
    "n_runs": "runs",
    "mechanisms": "contenders",
    "categories": "labels",
}
"""Names that other libraries use, and ours."""


def problem_of_call(
    name: str, signature: inspect.Signature, given: Sequence[Any], named: Mapping[str, Any]
) -> str:
    """Return what is wrong with the arguments of a call, on one line; "" if they fit the signature."""
    try:
        signature.bind(*given, **named)
    except TypeError:
        pass
    else:
        return ""
    parameters = signature.parameters
    unknown = [one for one in named if one not in parameters]
    names = (one.name for one in parameters.values() if one.name != "self" and one.kind != one.VAR_KEYWORD)
    known = ", ".join(names) or "none"
    if unknown:
        right = _right_name(unknown[0], parameters)
        advice = f"give {right}" if right else f"there are {known}"
        return f"{name}: there is no argument '{unknown[0]}'; {advice}"
    positions = [one for one in parameters.values() if one.kind in _POSITIONAL]
    if len(given) > len(positions):
        return f"{name}: there are too many values; its arguments are {known}, the last ones by name"
    taken = {one.name for one in positions[: len(given)]}
    if twice := taken & named.keys():
        return f"{name}: there are two values for {', '.join(sorted(twice))}; give one"
    missing = [
        one.name
        for one in parameters.values()
        if one.default is one.empty and one.kind not in _MANY and one.name not in {*taken, *named}
    ]
    meanings = "; ".join(f"{one}: {MEANINGS[one]}" for one in missing if one in MEANINGS)
    listed = ", ".join(missing)
    return f"{name}: give {listed}" + (f" ({meanings})" if meanings else "")


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _right_name(wrong: str, known: Iterable[str]) -> str:
    """Return the argument that a wrong name means; "" if none is near."""
    names = list(known)
    if OTHER_NAMES.get(wrong) in names:
        return OTHER_NAMES[wrong]
    return next(iter(difflib.get_close_matches(wrong, names, n=1)), "")


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """Let a public function name the right arguments when a call has wrong ones."""

    @functools.wraps(function)
    def calling(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*given, **named)
        except TypeError:
            if problem := problem_of_call(function.__name__, inspect.signature(function), given, named):
                raise WrongCall(problem) from None
            raise

    return calling


def explained_methods(cls: C) -> C:
    """Let all public methods of a class name the right arguments."""
    for name, one in list(vars(cls).items()):
        if inspect.isfunction(one) and not name.startswith("_"):
            setattr(cls, name, explained(one))
    return cls


class Explained(abc.ABCMeta):
    """Metaclass of public classes: a call with wrong arguments names the right ones."""

    if not TYPE_CHECKING:  # a type checker would accept any arguments

        def __call__(cls, *given: Any, **named: Any) -> Any:
            try:
                return super().__call__(*given, **named)
            except TypeError:
                if problem := problem_of_call(cls.__name__, cls.__signature__, given, named):
                    raise WrongCall(problem) from None
                raise

        @property
        def __signature__(cls) -> inspect.Signature:
            if cls.__init__ is object.__init__:
                return inspect.Signature()
            own = inspect.signature(cls.__init__)
            return own.replace(parameters=list(own.parameters.values())[1:])

"""Settings that can be swept, and their values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.comparison.contenders import nested
from engine.comparison.results import ComparedMechanism, Sweep
from engine.errors import ParameterError
from engine.mechanisms import Mechanism
from engine.noise.base import EPSILONS
from engine.numerals import grouped, short
from engine.parameters import Parameter, Parameterised, plain_parameters
from engine.privacy import PrivacyLike, as_privacy

MAX_TRIALS = 1000
"""Largest number of trials that need no confirmation."""

MIN_RECORDS = 10
"""Default start of a sweep of n."""

MAX_STEPS = 1_000_000
"""Longest possible sweep."""

DECADE = 10.0
"""Ranges wider than this factor are spaced logarithmically."""

_FIXED = frozenset({"pattern", "seconds", "memory_mb"})
"""Numbers that do not affect the comparison."""

PartT = TypeVar("PartT", bound=Parameterised)


def sweepable(mechanisms: Sequence[Mechanism[Any]]) -> tuple[Parameter, ...]:
    """Return the numeric parameters that can be varied besides "epsilon" and "n", also of parts."""
    numbers: dict[str, Parameter] = {}
    for mechanism in mechanisms:
        for declared, _ in _numbers(mechanism):
            numbers.setdefault(declared.name, declared)
    return tuple(numbers.values())


def vary(mechanism: PartT, name: str, value: float) -> PartT:
    """Return the mechanism with another value of a parameter, its own or of a part.

    Unchanged if it has no such parameter; `ParameterError` if the value is out of its bounds.
    """
    changes: dict[str, Any] = {field: vary(part, name, value) for field, part in nested(mechanism)}
    for declared in plain_parameters(mechanism):
        if declared.name == name and not declared.choices:
            changes[name] = int(value) if declared.kind == "int" and float(value).is_integer() else value
    return dataclasses.replace(mechanism, **changes) if changes else mechanism


def sweep_between(name: str, start: float, stop: float, steps: int, integer: bool) -> Sweep:
    """Return values from `start` to `stop`; epsilon, n and ranges over a decade are spaced logarithmically.

    Whole numbers are distinct, so that there may be fewer than `steps`.
    """
    if steps < 1:
        raise ParameterError("sweep", f"{steps} steps are not possible; at least 1 is needed")
    if steps > MAX_STEPS:
        raise ParameterError(
            "sweep", f"{grouped(steps)} steps are too many; at most {grouped(MAX_STEPS)} are possible"
        )
    for end in (start, stop):
        if not math.isfinite(end):
            raise ParameterError("sweep", f"{end} is not a value of {name}; it must be a finite number")
    if start > stop:
        raise ParameterError(
            "sweep", f"{short(start)} to {short(stop)} is no range; give the smaller value first"
        )
    least = {"epsilon": EPSILONS[0], "n": 1.0}.get(name)
    if least is not None and start < least:
        raise ParameterError(
            "sweep", f"{name} = {short(start)} is not possible; it must be at least {short(least)}"
        )
    if name == "epsilon" and stop > EPSILONS[1]:
        raise ParameterError(
            "sweep", f"epsilon = {short(stop)} is not possible; at most {short(EPSILONS[1])} is"
        )
    factors = name in ("epsilon", "n") or stop > DECADE * start > 0
    values = np.geomspace(start, stop, steps) if factors else np.linspace(start, stop, steps)
    if integer or name == "n":
        numbers = np.unique(np.rint(values))
    else:
        # readable numbers; the ends stay unchanged
        numbers = np.array([float(f"{value:.3g}") for value in _apart(values)])
        numbers[0], numbers[-1] = start, stop if steps > 1 else start
        numbers = np.unique(numbers)
    return Sweep(name, tuple(numbers.tolist()))


def default_sweep(
    name: str, mechanisms: Sequence[Mechanism[Any]], privacy: PrivacyLike, n: int, steps: int
) -> Sweep:
    """Return a sweep around the present value: epsilon from a tenth to tenfold, n up to all records."""
    privacy = as_privacy(privacy)
    check_swept(name, mechanisms)
    if name == "epsilon":
        low, high = (float(np.clip(privacy.epsilon * factor, *EPSILONS)) for factor in (0.1, 10))
        return sweep_between(name, low, high, steps, integer=False)
    if name == "n":
        return sweep_between(name, min(n, max(MIN_RECORDS, n // 100)), n, steps, integer=True)
    numbers = (one for mechanism in mechanisms for one in _numbers(mechanism))
    declared, value = next(one for one in numbers if one[0].name == name)
    start, stop = _around(declared, 1.0 if value is None else float(value))
    return sweep_between(name, start, stop, steps, declared.kind == "int")


def check_swept(name: str, mechanisms: Sequence[Mechanism[Any]]) -> None:
    """Raise `ParameterError` for a name of no number that can be varied."""
    known = ["epsilon", "n", *(declared.name for declared in sweepable(mechanisms))]
    if name not in known:
        raise ParameterError("sweep", f"'{name}' cannot be varied; choose one of {', '.join(known)}")


def size(contenders: Sequence[ComparedMechanism], sweep: Sweep) -> int:
    return len(contenders) * len(sweep.values)


def _apart(values: Floats) -> Floats:
    """Remove values too close to a neighbour; both ends stay.

    Of values that agree in four digits the first one stays, so that all numbers of three digits are kept.
    """
    digits = np.floor(np.log10(np.maximum(np.abs(values), np.finfo(np.float64).tiny)))
    unit = 10.0 ** (digits - 3)
    rounded = np.rint(values / unit) * unit
    new = np.flatnonzero(np.diff(rounded) != 0) + 1
    kept: Floats = values[np.union1d(new, [0, len(values) - 1])]
    return kept


def _numbers(component: Parameterised) -> Iterator[tuple[Parameter, float | None]]:
    """Yield the numeric parameters of a mechanism and its parts, with their values; None if not set."""
    for declared in plain_parameters(component):
        if declared.kind in ("float", "int") and not declared.choices and declared.name not in _FIXED:
            yield declared, getattr(component, declared.name)
    for _, part in nested(component):
        yield from _numbers(part)


def _around(declared: Parameter, value: float) -> tuple[float, float]:
    """Return the default range for varying a parameter."""
    lower = -math.inf if declared.lower is None else declared.lower
    upper = math.inf if declared.upper is None else declared.upper
    if upper - lower <= 1:  # a share: nearly all of it
        margin = 0.1 * (upper - lower)
        return lower + margin, upper - margin
    start, stop = (value / 4, 4 * value) if value > 0 else (value, value + 10)
    if declared.lower_open and start <= lower:
        start = lower + (value - lower) / 4
    if declared.upper_open and stop >= upper:
        stop = upper - (upper - value) / 4
    return min(max(start, lower), upper), min(max(stop, lower), upper)

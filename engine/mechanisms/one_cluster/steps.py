"""What the steps of a way of finding a ball may cost, and what they do cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from engine.primitives import Concentrated, SumCount, of_exponential
from engine.privacy import Privacy
from engine.sampling.output_grid import outward

StepCosts = Mapping[str, Callable[[Privacy], Concentrated]]
"""What each step costs of its share, by the name of the step."""


@dataclasses.dataclass(frozen=True)
class Share:
    """What one step may cost, and what it is for."""

    name: str
    label: str
    privacy: Privacy


def choice(privacy: Privacy) -> Concentrated:
    """Return the cost of a choice by the exponential mechanism."""
    return of_exponential(privacy.epsilon)


def mean(privacy: Privacy) -> Concentrated:
    """Return the cost of a noisy sum and count, of any cell: Gaussian noise needs no delta here."""
    return SumCount.of(1.0, privacy).cost


def shared(
    privacy: Privacy, parts: Mapping[str, tuple[str, float]], with_delta: Mapping[str, float]
) -> tuple[Share, ...]:
    """Split a budget: epsilon by the second entries of `parts`, delta by `with_delta`.

    Shares are less by more than they are rounded, so that they do not add up to more than the whole.
    """
    whole = outward(1.0)
    return tuple(
        Share(
            name,
            label,
            Privacy(privacy.epsilon * share / whole, privacy.delta * with_delta.get(name, 0.0) / whole),
        )
        for name, (label, share) in parts.items()
    )

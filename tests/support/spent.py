"""What the private steps of a run are really given, whatever is said of them."""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from engine import primitives
from engine.primitives import SumCount
from engine.privacy import Privacy, compose

STEPS = (
    "choose_crossing",
    "exponential_mechanism",
    "above_threshold",
    "stable_argmax",
    "stable_argmax_gaussian",
    "noisy_average",
    "rec_concave",
)
"""Primitives by the names under which mechanisms import them; each draws the noise of one release."""

MAPS = ("johnson_lindenstrauss", "random_rotation")
"""Draws that see no data, and so cost nothing."""

NOISE = ("laplace", "gumbel", "exponential", "normal", "standard_normal")
"""What noise is drawn from; outside of a step it is a release of its own."""


@dataclasses.dataclass(frozen=True)
class Step:
    """One release: its name, and what it was given, by the names of its parameters."""

    name: str
    given: Mapping[str, Any]

    @property
    def budget(self) -> Privacy | None:
        """What it is asked to cost; None where that follows from its noise."""
        if "epsilon" in self.given:
            return Privacy(self.given["epsilon"])
        found: Privacy | None = self.given.get("privacy")
        return found

    def delta_of_mean(self, epsilon: float, changes: int = 1) -> float:
        """Return the delta of a noisy sum and count, where one person changes so many points.

        Each of them moves within the cell, or in or out of it; the exact delta of Gaussian noise
        is that of Balle and Wang 2018.
        """
        noisy, width = self.given["self"], 2 * float(np.linalg.norm(self.given["reach"]))
        mu = max(
            math.hypot((changes - out / 2) * width / noisy.sigma_sum, out / noisy.sigma_count)
            for out in range(changes + 1)
        )
        return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu))


class Spent:
    """Notes every private step of the mechanisms, in the order in which they are taken."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps: list[Step] = []
        self.within = False
        users = [
            module
            for name, module in sys.modules.items()
            if name.startswith(("engine.mechanisms", "engine.extras"))
        ]
        for name in (*STEPS, *MAPS):
            primitive = getattr(primitives, name)
            noted = self._entered(primitive) if name in MAPS else self._noting(primitive, name)
            for module in users:
                if getattr(module, name, None) is primitive:
                    monkeypatch.setattr(module, name, noted)
        monkeypatch.setattr(SumCount, "release", self._noting(SumCount.release, "mean"))

    @property
    def names(self) -> list[str]:
        """The steps in their order."""
        return [step.name for step in self.steps]

    def rng(self, seed: int) -> np.random.Generator:
        """Return a generator that notes the noise that no step draws."""
        return _Noted(self, seed)

    def by_name(self, name: str) -> list[Step]:
        """Return the steps of a name."""
        return [step for step in self.steps if step.name == name]

    def _noting(self, step: Callable[..., Any], name: str) -> Callable[..., Any]:
        signature, entered = inspect.signature(step), self._entered(step)

        def noted(*arguments: Any, **more: Any) -> Any:
            bound = signature.bind(*arguments, **more)
            bound.apply_defaults()
            self.steps.append(Step(name, dict(bound.arguments)))
            return entered(*arguments, **more)

        return noted

    def _entered(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def entered(*arguments: Any, **more: Any) -> Any:
            before, self.within = self.within, True
            try:
                return step(*arguments, **more)
            finally:
                self.within = before

        return entered


class _Noted(np.random.Generator):
    """A seeded generator whose noise counts as a step where it is drawn outside of one.

    AboveThreshold asks for its queries while it runs, so that what is drawn for them counts as
    its own; boxes are drawn uniformly, which is no noise.
    """

    def __init__(self, spent: Spent, seed: int) -> None:
        super().__init__(np.random.PCG64DXSM(seed))
        self._spent = spent


def _noise(name: str) -> Callable[..., Any]:
    draw = getattr(np.random.Generator, name)

    def drawn(self: _Noted, *arguments: Any, **more: Any) -> Any:
        if not self._spent.within:
            self._spent.steps.append(Step(name, {**dict(enumerate(arguments)), **more}))
        return draw(self, *arguments, **more)

    return drawn


for _name in NOISE:
    setattr(_Noted, _name, _noise(_name))


def stated(steps: Iterable[Step]) -> Privacy:
    """Return the sum of what the steps are asked to cost."""
    return compose(step.budget for step in steps if step.budget is not None)


def assert_whole(steps: Iterable[Step], privacy: Privacy, changes: int = 1) -> None:
    """Check that all steps, with one noisy mean among them, cost a budget: no more, hardly less."""
    taken = list(steps)
    [mean] = [step for step in taken if step.name == "mean"]
    spent = stated(taken)
    assert_mean_costs(
        mean, Privacy(privacy.epsilon - spent.epsilon, privacy.delta - spent.delta), changes=changes
    )


def assert_mean_costs(mean: Step, privacy: Privacy, changes: int = 1) -> None:
    """Check that a noisy mean costs a budget: no more, hardly less."""
    delta = mean.delta_of_mean(privacy.epsilon, changes)
    assert 0.99 * privacy.delta <= delta <= privacy.delta * (1 + 1e-6)

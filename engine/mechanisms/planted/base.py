"""Mechanisms with a known mistake, on which an audit shows what it can find."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar, Self

import numpy as np

from engine.array_types import Floats
from engine.components import Component
from engine.mechanisms.base import Mechanism
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class Planted(Mechanism[Any], abc.ABC, family="planted"):
    """A mechanism into which a mistake was planted: for demonstration only, NOT private.

    It answers what the right one answers, and looks like it.  What it releases says that nothing
    is promised.

    Attributes
    ----------
    right : Mechanism
        The mechanism without the mistake.
    worst : str
        The pair of neighbours on which the mistake shows best, unless `worst_for` knows better.
    runs : int
        Draws on either side with which an audit finds it at epsilon = 1.
    shows_in_low_bits : bool
        Whether it shows in the lowest bits of releases alone, and in no event that an audit looks for.

    Examples
    --------
    >>> from engine import PLANTED, LaplaceRelease, Mean
    >>> mechanism = PLANTED["halved-scale"].planted(LaplaceRelease(query=Mean()))
    >>> mechanism.name, mechanism.is_private
    ('halved-scale', False)
    """

    is_private: ClassVar[bool] = False
    worst: ClassVar[str]
    runs: ClassVar[int] = 100_000
    shows_in_low_bits: ClassVar[bool] = False

    right: Mechanism[Any]

    @classmethod
    @abc.abstractmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Tell whether the mistake can be release in this mechanism, and so that an audit finds it.

        Where the right noise hides more than it promises, half of it may still be enough.
        """

    @classmethod
    def planted(cls, mechanism: Mechanism[Any]) -> Planted:
        """Return the mechanism with the mistake in it."""
        return cls(mechanism)

    @classmethod
    def worst_for(cls, mechanism: Mechanism[Any]) -> str:
        """Return the pair of neighbours on which the mistake shows best in this mechanism."""
        mistake = mechanism.mistakes.get(cls.name)
        return (mistake and mistake.worst) or cls.worst

    @property
    def model(self) -> Mechanism[Any]:
        """The mechanism for which worst cases are made; most mistakes show on those of the right one."""
        return self.right

    @abc.abstractmethod
    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Do what the right mechanism does, but for the mistake."""

    @property
    def reads(self) -> str:
        return self.right.reads

    @property
    def worst_cases(self) -> str:
        return self.right.worst_cases

    @property
    def asked(self) -> Component:
        return self.right.asked

    @property
    def neighbours(self) -> str:  # type: ignore[override]
        return self.right.neighbours

    @property
    def relation(self) -> str:
        return self.right.relation

    def resolve_noise(self, privacy: Privacy) -> Self:
        return dataclasses.replace(self, right=self.right.resolve_noise(privacy))

    def unprocessed(self) -> Planted:
        return dataclasses.replace(self, right=self.right.unprocessed())

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        mistake = self.right.mistakes.get(self.name)
        return (mistake and mistake.problems(domain)) or self.right.problems(privacy, domain, n)

    def to_release_form(self, values: Floats, domain: Any) -> Floats:
        return self.right.to_release_form(values, domain)

    def errors(self, values: Floats, true_value: Any, domain: Any) -> Floats:
        return self.right.errors(values, true_value, domain)

    def released(self, value: Floats, domain: Any) -> Any:
        return self.right.released(value, domain)

    def settings(self) -> dict[str, Any]:
        return self.right.settings()

    def release(
        self,
        prepared: Prepared,
        data: Any,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        if prepared.only_simulates:  # else the right mechanism would prepare it again, without the mistake
            prepared = dataclasses.replace(prepared, only_simulates=False)  # type: ignore[type-var]
        release = self.right.release(prepared, data, privacy, rng, progress)
        parameters = {**release.parameters, "planted": self.name, "instead_of": release.mechanism}
        return dataclasses.replace(release, mechanism=self.name, privacy=NO_PROMISE, parameters=parameters)


def intended(mechanism: Mechanism[Any]) -> Mechanism[Any]:
    """Return the mechanism without the mistake that was planted into it; itself where there is none."""
    return mechanism.right if isinstance(mechanism, Planted) else mechanism


def with_facts(known: Private, **facts: Any) -> Private:
    """Return diagnostics with other facts; the true value stays unknown until it is asked for."""
    kept = {name: known[name] for name in known if name not in {"true_value", *facts}}
    return Private(
        {**kept, **facts}, later={"true_value": lambda progress: known.fetch("true_value", progress)}
    )

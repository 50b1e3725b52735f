"""The base class of mechanisms with a known mistake, which show what an audit can find."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar, Self

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.base import Mechanism
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class Planted(Mechanism[Any], abc.ABC, family="planted", is_private=False):
    """A mechanism with a planted mistake: for demonstration only, NOT private.

    It answers the same question as the right mechanism.  Its releases state that they promise no privacy.
    """

    # The pair of neighbours that shows the mistake best; `worst_for` may choose another
    worst: ClassVar[str]
    runs: ClassVar[int] = 100_000  # runs per side with which an audit finds it at epsilon = 1
    # True if only the lowest bits of releases show it, and no event of an audit does
    shows_in_low_bits: ClassVar[bool] = False

    right: Mechanism[Any]  # the mechanism without the mistake

    made_in: ClassVar[tuple[type[Mechanism[Any]], ...]] = ()  # mechanisms that it can always be made in

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        """Return whether the mistake can be made in this mechanism so that an audit finds it.

        If the right noise hides more than it promises, even half of it may be enough.
        """
        return isinstance(mechanism, cls.made_in) or cls.name in mechanism._mistakes

    @classmethod
    def planted(cls, mechanism: Mechanism[Any]) -> Planted:
        """Return the mechanism with the mistake."""
        return cls(mechanism)

    @classmethod
    def worst_for(cls, mechanism: Mechanism[Any]) -> str:
        """Return the pair of neighbours that shows the mistake best in this mechanism."""
        mistake = mechanism._mistakes.get(cls.name)
        return (mistake and mistake.worst) or cls.worst

    @property
    def model(self) -> Mechanism[Any]:
        """The mechanism whose worst cases an audit uses; by default the right one."""
        return self.right

    @property
    def reads(self) -> str:
        return self.right.reads

    @property
    def worst_cases(self) -> str:
        return self.right.worst_cases

    @property
    def relation(self) -> str:
        return self.right.relation

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> Self:
        return dataclasses.replace(self, right=self.right.resolve(privacy, domain))

    def unprocessed(self) -> Planted:
        return dataclasses.replace(self, right=self.right.unprocessed())

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        mistake = self.right._mistakes.get(self.name)
        return (mistake and mistake.problems(domain)) or self.right.problems(privacy, domain, n)

    def _in_order(self, values: Floats, domain: Any) -> Floats:
        return self.right._in_order(values, domain)

    def _errors(self, values: Floats, true_value: Any, domain: Any) -> Floats:
        return self.right._errors(values, true_value, domain)

    def _released(self, value: Floats, domain: Any) -> Any:
        return self.right._released(value, domain)

    def _check(self, data: Any, privacy: Privacy) -> None:
        """Do nothing: the right mechanism checks the settings."""

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
        if prepared.only_simulates:  # or the right mechanism would prepare again, without the mistake
            prepared = dataclasses.replace(prepared, only_simulates=False)  # type: ignore[type-var]
        release = self.right.release(prepared, data, privacy, rng, progress)
        parameters = {**release.parameters, "planted": self.name, "instead_of": release.mechanism}
        return dataclasses.replace(release, mechanism=self.name, privacy=NO_PROMISE, parameters=parameters)


def intended(mechanism: Mechanism[Any]) -> Mechanism[Any]:
    """Return the mechanism without its planted mistake; itself if there is none."""
    return mechanism.right if isinstance(mechanism, Planted) else mechanism


def with_facts(known: Private, **facts: Any) -> Private:
    """Return diagnostics with some facts replaced, without computing the true value."""
    kept = {name: known[name] for name in known if name not in {"true_value", *facts}}
    return Private(
        {**kept, **facts}, later={"true_value": lambda progress: known.fetch("true_value", progress)}
    )

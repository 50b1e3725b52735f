"""Mechanisms that release the number that a query computes."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, TypeAlias

import numpy as np

from engine.array_types import Floats
from engine.components import ComponentField
from engine.data.database import Database
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism, checked_mechanism
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.queries import Median
from engine.queries.base import Query
from engine.sampling.output_grid import OutputGrid
from engine.sampling.public_grid import PublicGrid


@dataclasses.dataclass(frozen=True)
class ScalarMechanism(Mechanism[Any], abc.ABC, on_step=True):
    """A mechanism that releases the value of a query; `SmoothRelease` is an example."""

    query: ComponentField[Query[Any]] = parameter(
        default=Median(), label="Query", help="The statistic to release.", asks=True
    )

    clamp: str = parameter(
        default="bounds",
        choices=("bounds", "none"),
        label="Clamp to",
        help="bounds: pull a result outside the public range to its nearest end, at no cost; none: keep the "
        "noisy result.",
        advanced=True,
    )

    @property
    def reads(self) -> str:
        return self.query.reads

    @property
    def worst_cases(self) -> str:
        return self.query.worst_cases

    @property
    def question(self) -> Query[Any]:
        return self.query

    def _largest_error(self, domain: Interval, n: int) -> float:
        """Return the width of the range of results; even a constant guess has no larger error."""
        return self.query.value_range(domain, n).width

    def problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if n < 1:
            return (Problem("n", "there are no records; at least one is needed"),)
        if wrong := problems_of(check_bounds, privacy, 1):
            return wrong
        problem = self.query.problem(domain, n)
        if problem is not None:
            return (Problem(*problem),)
        # the step of the data may be too large for the result, such as for a share
        too_large = problems_of(self.public_grid, domain, n, domain.resolution)
        return too_large or self._problems(privacy, domain, n)

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        return ()

    def expected_error(self, domain: Interval, n: int, privacy: Privacy) -> float | None:
        """Return the error that 95 % of releases stay below, from public facts alone; None if unknown.

        Where it depends on the data, their records are assumed to lie evenly between the bounds.
        """
        return None

    def grid(self, data: Database) -> OutputGrid:
        """Return the grid of released results (public)."""
        return self.public_grid(data.domain, data.n, data.resolution)

    def public_grid(self, domain: Interval, n: int, resolution: float | None) -> OutputGrid:
        """Return the grid of released results from these public facts alone.

        Raise `ParameterError` if a declared resolution is larger than the range of results.
        """
        results = dataclasses.replace(self.query.value_range(domain, n), resolution=resolution)
        sensitivity = self.query.global_sensitivity(domain, n)
        return OutputGrid.of(sensitivity, results.lower, results.upper, resolution, self.clamp == "bounds")

    def _number_grid(self, data: Database, privacy: Privacy) -> PublicGrid:
        return PublicGrid.multiples(self.grid(data).step)

    def unprocessed(self) -> ScalarMechanism:
        return dataclasses.replace(self, clamp="none")

    def _released(self, value: Floats, domain: Interval) -> float | None:
        return None if np.isnan(value) else float(value)

    def _release_parameters(self) -> dict[str, Any]:
        return {**self.query.settings(), **self.settings()}

    def _release_fields(
        self, prepared: Prepared, data: Database, privacy: Privacy, rng: np.random.Generator
    ) -> dict[str, Any]:
        return {**super()._release_fields(prepared, data, privacy, rng), "step": self.grid(data).step}


ScalarMechanismLike: TypeAlias = ScalarMechanism | type[ScalarMechanism] | Query[Any] | type[Query[Any]] | str
"""Types that functions accept as a mechanism for one number, as `MechanismLike`."""


def checked_scalar(mechanism: ScalarMechanismLike) -> ScalarMechanism:
    """Convert to a mechanism that releases one number; raise `ParameterError` for another."""
    made = checked_mechanism(mechanism)
    if not isinstance(made, ScalarMechanism):
        problem = f"{made.label} releases no single number; give one that does, such as SmoothRelease()"
        raise ParameterError("mechanism", problem)
    return made

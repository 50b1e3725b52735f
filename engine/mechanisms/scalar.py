"""Mechanisms that release one number computed by a query."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any

import numpy as np

from engine.array_types import Floats
from engine.data.database import Database
from engine.domain import Interval
from engine.mechanisms.base import Mechanism
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
    """A mechanism that releases the value of a query; `SmoothRelease` is one."""

    query: Query[Any] = parameter(
        default=Median(), label="Query", help="The function of the data that is released.", asks=True
    )

    clamp: str = parameter(
        default="bounds",
        choices=("bounds", "none"),
        label="Clamp to",
        help="bounds moves a released value that lies outside of the public range of results to its nearest "
        "end, which costs nothing; none leaves it where the noise has put it.",
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
        """Return how long the range of results is: a constant guess is no farther off."""
        return self.query.value_range(domain, n).width

    def problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if n < 1:
            return (Problem("n", "there are no records; at least one is needed"),)
        if wrong := problems_of(check_bounds, privacy, 1):
            return wrong
        problem = self.query.problem(domain, n)
        if problem is not None:
            return (Problem(*problem),)
        # a step of the data can be too large for what is asked of them, such as a share
        too_large = problems_of(self.public_grid, domain, n, domain.resolution)
        return too_large or self._problems(privacy, domain, n)

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        return ()

    def grid(self, data: Database) -> OutputGrid:
        """Return the grid on which results are released (public)."""
        return self.public_grid(data.domain, data.n, data.resolution)

    def public_grid(self, domain: Interval, n: int, resolution: float | None) -> OutputGrid:
        """Return the grid for data of which no more is known than this.

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

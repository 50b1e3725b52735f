"""What all mechanisms share that release something of their own, whatever they read."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.base import DataT, Mechanism
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Release
from engine.noise.base import check_bounds
from engine.privacy import NEIGHBOURS, Privacy
from engine.progress import Progress, part, silent
from engine.sampling.public_grid import PublicGrid


@dataclasses.dataclass(frozen=True)
class Sanitizer(Mechanism[DataT], abc.ABC):
    """A mechanism that is asked for by its own name, not by that of a query; `Lloyd` is one.

    Attributes
    ----------
    reads : str
        What kind of data, as `engine.queries.Query.reads`.
    worst_cases : str
        What makes neighbours on which mistakes show, as `engine.queries.Query.worst_cases`.
    neighbours : str
        Between which databases sensitivities are meant, and the privacy unless `relation` says another.
    on_step : bool
        Whether all released numbers are multiples of `step` themselves.
    most_columns : int or None
        How many columns of the data it takes; None for any number.
    """

    reads: ClassVar[str]
    worst_cases: ClassVar[str]
    neighbours: ClassVar[str] = NEIGHBOURS
    on_step: ClassVar[bool] = False
    most_columns: ClassVar[int | None] = None

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Return what makes no sense: an epsilon for which nothing can be calibrated."""
        return problems_of(check_bounds, privacy, 1)

    def step(self, domain: Any, n: int, privacy: Privacy) -> float | list[float] | None:
        """Return the spacing of the public grid of what is released, as `Release.step` says."""
        return None

    def number_grid(self, data: DataT, privacy: Privacy) -> PublicGrid | None:
        step = self.step(data.domain, data.n, privacy) if self.on_step else None
        return None if step is None else PublicGrid.multiples(step)

    def true_answer(self, true_value: Floats, domain: Any) -> Any:
        """Return the true value, which is private, in the form of a release."""
        return self.released(true_value, domain)

    def public(self, domain: Any, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return what else a release states: what follows from public facts alone."""
        return {}

    def release_parameters(self) -> dict[str, Any]:
        """Return the public parameters that a release states."""
        return self.settings()

    def draw_value(
        self, prepared: Prepared, domain: Any, rng: np.random.Generator, progress: Progress = silent
    ) -> Any:
        """Draw once, and return what is released."""
        return self.released(prepared.draw(rng, 1, progress)[0], domain)

    def release(
        self,
        prepared: Prepared,
        data: DataT,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        if prepared.only_simulates and not self.simulates(rng):
            here, progress = part(progress, 0.0, 0.9), part(progress, 0.9, 1.0)
            prepared = self.prepare_release(data, privacy, here)
        value = self.draw_value(prepared, data.domain, rng, progress)
        return Release(value=value, **self.release_fields(prepared, data, privacy, rng))

    def release_fields(
        self, prepared: Prepared, data: DataT, privacy: Privacy, rng: np.random.Generator
    ) -> dict[str, Any]:
        """Return all that a release says but its value."""
        return {
            "mechanism": self.name,
            "query": self.name,
            "privacy": self.cost(privacy),
            "noise": prepared.noise,
            "parameters": {
                **self.release_parameters(),
                **self.public(data.domain, data.n, privacy),
                **data.facts,
            },
            "error": prepared.error,
            "simulated": self.simulates(rng),
            "step": self.step(data.domain, data.n, privacy),
            "exact": self.exact,
            "diagnostics": prepared.diagnostics,
            "neighbours": self.relation,
        }

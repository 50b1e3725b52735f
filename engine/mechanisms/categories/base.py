"""What the mechanisms share that read categories."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.histograms.noisy import noise_parameter, post_parameter
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import relation_parameter
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.primitives.accounting import Concentrated
from engine.primitives.counts import AddedNoise, check_delta, concentrated_noise
from engine.privacy import Privacy
from engine.progress import Progress, each, silent

DRAWN = 10**6
"""Numbers that are drawn in one call, so that none takes long."""


@dataclasses.dataclass(frozen=True)
class CategoriesMechanism(Mechanism[Categories], abc.ABC):
    """A mechanism on records with one category in each column, of public lists; `Mode` is one."""

    reads: ClassVar[str] = "categories"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_categories:pairs_of_categories"
    topic: ClassVar[str] = "histograms"

    @property
    def uses_delta(self) -> bool:
        return False

    @classmethod
    @abc.abstractmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: CategoryDomain) -> CategoryNumbers:
        """Return what a released value says of each category, in the order of the true value."""

    def problems(self, privacy: Privacy, domain: CategoryDomain, n: int) -> tuple[Problem, ...]:
        return problems_of(check_bounds, privacy, 1)


@dataclasses.dataclass(frozen=True)
class CountsMechanism(CategoriesMechanism, abc.ABC):
    """A mechanism that adds noise to counts, and then uses that they are counts of n records."""

    noise: str = noise_parameter()
    post: str = post_parameter()
    relation: str = relation_parameter()

    @property
    def uses_delta(self) -> bool:
        return self.noise == "gaussian"

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return what the noise costs: that of Gaussian noise needs no delta."""
        return concentrated_noise(self.noise, privacy)

    def problems(self, privacy: Privacy, domain: CategoryDomain, n: int) -> tuple[Problem, ...]:
        return super().problems(privacy, domain, n) or problems_of(check_delta, self.noise, privacy)

    @abc.abstractmethod
    def added(self, domain: CategoryDomain, privacy: Privacy) -> AddedNoise:
        """Return the noise of each count (public)."""

    def step(self, domain: CategoryDomain, n: int, privacy: Privacy) -> float:
        return self.added(domain, privacy).step

    def unprocessed(self) -> CountsMechanism:
        """Return the same with counts as noise leaves them; several margins are made to agree."""
        return dataclasses.replace(self, post="none")

    def errors(self, values: Floats, true_value: Any, domain: CategoryDomain) -> Floats:
        """Return the mean absolute error of a count, in records, shape (size,)."""
        errors: Floats = np.abs(values - true_value).mean(axis=1)
        return errors


@dataclasses.dataclass(frozen=True, repr=False)
class CountsPrepared(Prepared, abc.ABC):
    """Counts, ready to be drawn with noise (private).

    Attributes
    ----------
    counts : ndarray, shape (m,)
    n : int
        The public number of records.
    """

    counts: Floats
    n: int
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, DRAWN // (10 * self.counts.size)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw `size` vectors of counts, shape (size, m)."""
        return np.stack([self._drawn(rng) for _ in each(size, progress)])

    @abc.abstractmethod
    def _drawn(self, rng: np.random.Generator) -> Floats:
        """Draw all counts once."""

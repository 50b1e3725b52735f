"""Base classes of mechanisms on categories."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.guarantee import PURE, Guarantee
from engine.mechanisms.histograms.base import mean_errors
from engine.mechanisms.prepared import PreparedFields
from engine.primitives.counts import AddedNoise
from engine.progress import Progress, each, silent

DRAWN = 10**6
"""Numbers to draw in one call, so that no call takes long."""


class CategoriesMechanism(Mechanism[Categories], abc.ABC, topic="histograms"):
    """A mechanism on records with one category per column, from public lists; `Mode` is an example."""

    reads: ClassVar[str] = "categories"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_categories:pairs_of_categories"

    @property
    def guarantee(self) -> Guarantee:
        return PURE

    @classmethod
    @abc.abstractmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: CategoryDomain) -> CategoryNumbers:
        """Return the number that a released value gives each category, in the order of the true value."""

    def _errors(self, values: Floats, true_value: Any, domain: CategoryDomain) -> Floats:
        return mean_errors(values, true_value)


@dataclasses.dataclass(frozen=True, repr=False)
class CountsPrepared(PreparedFields, abc.ABC):
    """Counts to which noise is added (private)."""

    counts: Floats  # (m,)
    n: int  # number of records (public)
    added: AddedNoise
    post: str  # {"simplex", "none"}

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, DRAWN // (10 * self.counts.size)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return np.stack([self._draw_once(rng) for _ in each(size, progress)])

    @abc.abstractmethod
    def _draw_once(self, rng: np.random.Generator) -> Floats:
        """Draw all counts with noise once."""

"""Noisy counts of the most frequent category, the next one, and so on, without names."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.categories.base import CategoriesMechanism, CountsPrepared
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.noisy import PostProcesses, noise_parameter, post_parameter
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import relation_parameter
from engine.mechanisms.release import Private
from engine.primitives.counts import AddedNoise, check_delta, count_noise
from engine.primitives.simplex import sorted_fit, whole_on_simplex
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import COUNTED


@dataclasses.dataclass(frozen=True)
class SortedHistogram(PostProcesses, AddsNoise, CategoriesMechanism, shape="counts"):
    """Release the counts in decreasing order with noise; isotonic regression sorts them again.

    Sorting two vectors does not increase their distance in L1 or L2.  So replacing a record changes the
    sorted counts no more than the counts: by 2 in L1 and sqrt(2) in L2.  If many counts are nearly equal, the
    regression averages their noise.

    Source: Hay, Rastogi, Miklau, Suciu 2010, section 3; there a record is added or removed, and
    the sensitivity is 1.

    Examples
    --------
    60 answer no, 40 yes; the release does not say which answer has more.

    >>> from engine import Categories, CategoryDomain, Privacy, reproducible
    >>> answers = CategoryDomain(["answer"], [["no", "yes"]])
    >>> data = Categories([[0]] * 60 + [[1]] * 40, answers)
    >>> simulated = SortedHistogram().run(data, Privacy(1.0), reproducible(1))
    >>> first, second = simulated.value["counts"]
    >>> first >= second, first + second
    (True, 100.0)
    """

    name: ClassVar[str] = "sorted-histogram"
    label: ClassVar[str] = "Sorted histogram"
    summary: ClassVar[str] = "noisy counts in decreasing order, without the names of the categories"
    source: ClassVar[str] = "Hay, Rastogi, Miklau, Suciu 2010, section 3"
    exact_because: ClassVar[str] = COUNTED

    noise: str = noise_parameter()
    post: str = post_parameter()
    relation: str = relation_parameter()

    def problems(self, privacy: Privacy, domain: CategoryDomain, n: int) -> tuple[Problem, ...]:
        return super().problems(privacy, domain, n) or problems_of(check_delta, self.noise, privacy)

    def added(self, domain: CategoryDomain, privacy: Privacy) -> AddedNoise:
        return count_noise(self.noise, privacy, self.relation)

    def step(self, domain: CategoryDomain, n: int, privacy: Privacy) -> float:
        return self.added(domain, privacy).step

    def prepare(self, data: Categories, privacy: Privacy, progress: Progress = silent) -> SortedPrepared:
        counts = np.sort(data.table, axis=None)[::-1].astype(np.float64)
        added = self.added(data.domain, privacy)
        return SortedPrepared(
            counts=counts,
            n=data.n,
            noise=added.facts,
            error=None,
            diagnostics=Private({"true_value": counts}),
            added=added,
            post=self.post,
        )

    def _draw_value(
        self,
        prepared: Prepared,
        domain: CategoryDomain,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Any:
        """Draw the counts, with the 95 % interval of the noisy count of each rank.

        The k-th largest of counts that add up to n is at most n/k.
        """
        if not isinstance(prepared, SortedPrepared):
            return super()._draw_value(prepared, domain, rng, progress)
        noisy = prepared.added.added(prepared.counts, rng)
        most = prepared.n // np.arange(1, noisy.size + 1)
        fitted = prepared.fitted(noisy)
        intervals = prepared.added.intervals(noisy, fitted, most).tolist()
        return {**self._released(fitted, domain), "intervals": intervals}

    def _released(self, value: Floats, domain: CategoryDomain) -> dict[str, Any]:
        return {"counts": value.tolist()}

    @classmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: CategoryDomain) -> CategoryNumbers:
        counts = np.array(value["counts"], float)
        ranks = tuple(f"{rank}." for rank in range(1, len(counts) + 1))
        return CategoryNumbers(f"{domain.title}, the most frequent first", ranks, counts)


class SortedPrepared(CountsPrepared):
    """Sorted counts (private)."""

    def _draw_once(self, rng: np.random.Generator) -> Floats:
        return self.fitted(self.added.added(self.counts, rng))

    def fitted(self, noisy: Floats) -> Floats:
        """Return noisy counts after sorting and post-processing."""
        fitted = sorted_fit(noisy)
        return whole_on_simplex(fitted, self.n) if self.post == "simplex" else fitted

"""The k-means of diffprivlib."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

import numpy as np

from engine.aggregation.functions import KMeans
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.extras.libraries.diffprivlib import DIFFPRIVLIB
from engine.extras.libraries.library import ADDED_OR_REMOVED, STEPS, LibraryPrepared, Peer
from engine.mechanisms.facts import Resources
from engine.mechanisms.points import PointsMechanism, too_many_centers
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.mechanisms.sample_aggregate import Clusters, whole
from engine.noise.base import check_bounds
from engine.numerals import short
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.public_grid import FREE, PublicGrid

MIN_WIDTH = 1e-5
"""Diffprivlib moves bounds that are closer together, so its centers could lie outside of them."""


@dataclasses.dataclass(frozen=True)
class DiffprivlibKMeans(
    Peer,
    PointsMechanism,
    library=DIFFPRIVLIB,
    hides="diffprivlib's noise",
    why="It adds noise to counts and sums of all records, and its start was a good one.",
):
    """Centers by the k-means of diffprivlib (IBM): Lloyd's rounds with noisy counts and sums.

    Its counts have sensitivity 1, and the sum of each column has the width of its bounds: that is for one
    added or removed record.  Yet it treats n as public, since the number of rounds follows from n.  A
    replaced record is one removed and one added, so diffprivlib gets epsilon/2.

    Its code does not keep its promise, for three reasons.  A cluster without records gets no noise.  The
    shares of counts and columns are swapped, so from five columns on they add up to more than epsilon.  The
    width of the bounds is less than a record's share in a sum if the bounds are far from 0.

    Source: the class `KMeans` of `diffprivlib.models`; Su, Cao, Li, Bertino, Jin 2016 (DPLloyd).

    Examples
    --------
    >>> from engine import Box, Privacy
    >>> problems = DiffprivlibKMeans().problems(Privacy(1.0), Box.of([0, 0], [1, 1]), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["diffprivlib is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "k-means-diffprivlib"
    label: ClassVar[str] = "k-means of diffprivlib"
    summary: ClassVar[str] = "centers released by diffprivlib, to compare and to audit"

    k: int = parameter(default=3, lower=1, upper=32, label="Clusters k", help="The number of centers.")

    @property
    def inexact(self) -> str:
        return f"{super().inexact}; audits refute its promise"

    @property
    def vectors(self) -> KMeans:
        return KMeans(k=self.k)

    @property
    def question(self) -> Hashable:
        return self.vectors.question

    @property
    def estimand(self) -> Hashable:
        return Clusters(k=self.k).estimand

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return (
            self._library.not_installed("mechanism")
            or problems_of(check_bounds, privacy, domain.dimension)
            or too_many_centers(self.k, n)
            or _too_narrow(domain)
        )

    def resources(self, domain: Box, n: int) -> Resources:
        return Resources(seconds=2e-3 + 7e-7 * n * int(self.k))

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        return self._library.facts

    def _number_grid(self, data: Points, privacy: Privacy) -> PublicGrid:
        return FREE

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> FitsPrepared:
        DIFFPRIVLIB.load()
        from diffprivlib.models import KMeans as Fit

        values = np.concatenate(list(data.found_in_parts(np.copy)))
        box, half = data.domain, privacy.epsilon / STEPS

        def draw(seed: int | None) -> Floats:
            asked = Fit(self.k, epsilon=half, bounds=(box.lower, box.upper), random_state=seed)
            centers: Floats = asked.fit(values).cluster_centers_
            return centers

        return FitsPrepared(
            fit=draw,
            seconds=self.resources(box, data.n).seconds,
            noise={"family": self.name, "epsilon": half, "neighbours": ADDED_OR_REMOVED},
            error=None,
            diagnostics=Private(
                {},
                later={
                    "true_value": lambda progress: whole(KMeans(k=self.k), data, seed=1, progress=progress)
                },
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False)
class FitsPrepared(LibraryPrepared):
    """A library with the points, ready to release centers (private)."""

    # Returns centers, shape (k, d); its argument is the seed of a simulation, or None for a release
    fit: Callable[[int | None], Floats]
    seconds: float
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return np.stack(self.call_often(rng, size, progress))

    def one(self, seed: int | None) -> Floats:
        return self.fit(seed).ravel()


def _too_narrow(domain: Box) -> tuple[Problem, ...]:
    if domain.width.min() >= MIN_WIDTH:
        return ()
    message = f"diffprivlib moves bounds less than {short(MIN_WIDTH)} apart; enter a larger distance"
    return (Problem("upper", message),)

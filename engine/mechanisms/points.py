"""Mechanisms that release a vector, or a set of points, computed from points."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.aggregation.spaces import Euclidean, OutputSpace
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.base import Mechanism, Prepared, Release
from engine.privacy import NEIGHBOURS, NO_PROMISE, Privacy
from engine.randomness import is_release

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class PointsMechanism(Mechanism[Points], abc.ABC):
    """A mechanism on points in a public box.

    Attributes
    ----------
    reads : str
        What kind of data, as `engine.queries.Query.reads`.
    neighbours : str
        Between which databases the privacy holds.
    unordered : bool
        Whether what is released is a set of points, which has no order.
    topic : str
        What it is about; front ends show mechanisms of one topic together.
    is_private : bool
        Whether it is differentially private at all; one that is not takes no budget, and says so.
    """

    reads: ClassVar[str] = "points"
    neighbours: ClassVar[str] = NEIGHBOURS
    unordered: ClassVar[bool] = False
    topic: ClassVar[str] = "clusters"
    is_private: ClassVar[bool] = True

    @property
    def uses_delta(self) -> bool:
        """Whether delta is spent; without it, a release is private with delta = 0 whatever is asked."""
        return True

    def cost(self, privacy: Privacy) -> Privacy:
        """Return what a release costs of what is asked for: no delta where it does without."""
        if not self.is_private:
            return NO_PROMISE
        return privacy if self.uses_delta else Privacy(privacy.epsilon)

    def space(self, box: Box) -> OutputSpace:
        """Return where released vectors live, and how far apart they are, for points in `box`."""
        return Euclidean(box)

    def shaped(self, values: _Floats, domain: Box) -> _Floats:
        """Return vectors, shape (size, D), as they are released; sets as (size, k, d), sorted.

        The order of a set is that of the released coordinates, so that it says nothing about
        the data; one taken from the data before the noise would not be continuous in them.
        """
        return sorted_sets(values, domain.dimension) if self.unordered else values

    def released(self, value: _Floats, domain: Box) -> Any:
        """Return one drawn vector as it is released: numbers and lists; None for a refusal."""
        if np.isnan(value).any():
            return None
        shaped = self.shaped(value[None], domain)[0]
        return shaped.tolist() if self.unordered or shaped.size > 1 else float(shaped[0])

    def public(self, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return what else a release states: what follows from public facts alone."""
        return {}

    def errors(self, values: _Floats, true_value: Any, domain: Box) -> _Floats:
        """Return the distances to the true value, in the metric of `space`."""
        return self.space(domain).distances(values, np.atleast_2d(true_value))[:, 0]

    def stated(self) -> dict[str, Any]:
        """Return the public parameters that a release states."""
        return self.settings()

    def release(
        self, prepared: Prepared, data: Points, privacy: Privacy, rng: np.random.Generator
    ) -> Release:
        """Draw one vector, or one set of points."""
        return Release(
            mechanism=self.name,
            query=self.name,
            value=self.released(prepared.draw(rng, 1)[0], data.domain),
            privacy=self.cost(privacy),
            noise=prepared.noise,
            parameters={**self.stated(), **self.public(data.domain, data.n, privacy), **data.facts},
            error=prepared.error,
            simulated=not is_release(rng),
            diagnostics=prepared.diagnostics,
            neighbours=self.neighbours,
        )


def sorted_sets(values: _Floats, dimension: int) -> _Floats:
    """Return rows of k points each, shape (size, k d), as sorted sets, shape (size, k, d)."""
    sets = values.reshape(len(values), -1, dimension)
    order = np.lexsort(np.moveaxis(sets, -1, 0)[::-1], axis=-1)
    return np.take_along_axis(sets, order[..., None], axis=1)

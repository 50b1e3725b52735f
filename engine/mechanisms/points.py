"""Mechanisms that release a vector, or a set of points, computed from points."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from engine.aggregation.function import numbered_outputs
from engine.aggregation.spaces import Euclidean, OutputSpace
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.base import Mechanism
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class PointsMechanism(Mechanism[Points], abc.ABC):
    """A mechanism on points in a public box; what it estimates, and draws, are vectors in its `space`.

    `NoisyAverage` is one.

    Attributes
    ----------
    hides : str
        What hides a record, in a word or two.
    why : str
        Why it is nearer to the truth than others where it is, in a sentence.
    is_one_choice : bool
        Whether it is a single choice among many candidates: a step of other mechanisms, by itself.
    """

    reads: ClassVar[str] = "points"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_points:pairs_of_points"
    topic: ClassVar[str] = "clusters"
    shape: ClassVar[str] = "points"
    hides: ClassVar[str] = "Noise"
    why: ClassVar[str] = ""
    is_one_choice: ClassVar[bool] = False

    def resolve_noise(self, privacy: Privacy) -> Self:
        aggregator: Any = getattr(self, "aggregator", None)
        chosen = None if aggregator is None else aggregator.resolve_noise()
        return self if chosen is aggregator else dataclasses.replace(self, **{"aggregator": chosen})

    @property
    def noun(self) -> str:
        """What one point of what is released is called."""
        return "center" if self.unordered else "output"

    @property
    def among_data(self) -> bool:
        """Whether what is released is a point, or points, of the box in which the data lie."""
        return True

    def lives_with_data(self, box: Box) -> bool:
        """Tell whether what is released can be drawn among data in `box` (public)."""
        return self.among_data or self.space(box).box == box

    @property
    def estimand(self) -> Hashable:
        """What `true_value` depends on besides the data: mechanisms with the same one have the same truth."""
        return self

    def coordinates(self, columns: Sequence[str], box: Box) -> tuple[str, ...]:
        """Return the name of each coordinate of a released vector that is no point of `box` (public)."""
        return numbered_outputs(self.space(box))

    def space(self, box: Box) -> OutputSpace:
        """Return where released vectors live, and how far apart they are, for points in `box`."""
        return Euclidean(box)

    def largest_error(self, domain: Box, n: int) -> float:
        return self.space(domain).diameter

    def to_release_form(self, values: Floats, domain: Box) -> Floats:
        """Return vectors, shape (size, D), as they are released; sets as (size, k, d), sorted.

        The order of a set is that of the released coordinates, so that it says nothing about
        the data; one taken from the data before the noise would not be continuous in them.
        """
        return sort_sets(values, domain.dimension) if self.unordered else values

    def released(self, value: Floats, domain: Box) -> Any:
        """Return one drawn vector as it is released: numbers and lists; None for a refusal."""
        if np.isnan(value).any():
            return None
        shaped = self.to_release_form(value[None], domain)[0]
        return shaped.tolist() if self.unordered or shaped.size > 1 else float(shaped[0])

    def points_of(self, value: Any) -> Floats:
        """Return the points in a released value, shape (k, d)."""
        return np.atleast_2d(np.asarray(value, dtype=np.float64))

    def errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        return self.space(domain).distances(values, np.atleast_2d(true_value))[:, 0]


def sort_sets(values: Floats, dimension: int) -> Floats:
    """Return rows of k points each, shape (size, k d), as sorted sets, shape (size, k, d)."""
    sets = values.reshape(len(values), -1, dimension)
    order = np.lexsort(np.moveaxis(sets, -1, 0)[::-1], axis=-1)
    return np.take_along_axis(sets, order[..., None], axis=1)


def too_many_centers(k: int, n: int) -> tuple[Problem, ...]:
    """Refuse more centers than there are records."""
    if k <= n:
        return ()
    message = f"{k} centers of {grouped(n)} records are not possible; use at most {grouped(n)}"
    return (Problem("k", message),)

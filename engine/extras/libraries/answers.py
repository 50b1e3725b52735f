"""Numbers that another library releases, with the same declarations as our own mechanisms.

The library does all of the computation.  Only epsilon is translated: an epsilon for one added or removed
record counts twice for one replaced record, which is one removed and one added (group privacy).
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from engine.array_types import Bools, Floats
from engine.audit import doubles
from engine.data.database import Database
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.extras.libraries.library import LibraryPrepared, Peer
from engine.mechanisms.prepared import Prepared, PreparedFields, ScalarPrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Count, Mean, Median, Quantile, Query
from engine.sampling.output_grid import OutputGrid
from engine.sampling.public_grid import FREE, PublicGrid
from engine.shown import ShownInALine

ANSWERED = (Median, Quantile, Mean, Count)
"""Queries that all of the libraries support."""


@dataclasses.dataclass(frozen=True, repr=False)
class DoubleSums(ShownInALine):
    """Double-precision noise around a value, clamped to two bounds: the set of possible doubles (private)."""

    center: float
    scale: float
    lower: float
    upper: float

    def possible(self, values: Floats) -> Bools:
        """Return which doubles are possible."""
        ends = (values == self.lower) | (values == self.upper)
        return np.asarray(doubles.sums(values, self.center, self.scale, laplace=False) | ends)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class DoublesBetween(ShownInALine):
    """A uniform double between two neighbouring edges: the set of possible doubles (private)."""

    edges: Floats

    def possible(self, values: Floats) -> Bools:
        """Return which doubles are possible."""
        return doubles.in_pieces(values, self.edges)


@dataclasses.dataclass(frozen=True)
class Request:
    """One request to a library."""

    # Returns one released value; its argument is the seed of a simulation, or None for a release
    draw: Callable[[int | None], float]
    epsilon: float  # passed to the library
    between: str  # the library's relation of neighbours: "replace-one" or "add-or-remove"
    grid: PublicGrid = FREE  # the grid of its numbers
    arithmetic: DoubleSums | DoublesBetween | None = None  # the possible doubles, if known


class PeerAnswer(Peer, ScalarMechanism, abc.ABC, on_step=False):
    """Base of mechanisms that release a number by another library, such as `DiffprivlibRelease`."""

    @abc.abstractmethod
    def _request_for_values(
        self, values: Floats, bounds: Interval, q: float | None, epsilon: float
    ) -> Request:
        """Return the request for a quantile (q) or a mean (None) of values between bounds."""

    @abc.abstractmethod
    def _request_for_count(self, holds: Bools, epsilon: float) -> Request:
        """Return the request for the number of true entries."""

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if isinstance(self.query, ANSWERED):
            return self._library.not_installed("method")
        known = "a median, a quantile, a mean or a count"
        message = f"{self.label} releases {known}, not a {self.query.label}; choose another method"
        return (Problem("method", message),)

    def _request(self, data: OrderStatistics, privacy: Privacy) -> Request:
        """Return the request for the answer to the query."""
        values = np.concatenate(list(data.found_in_parts(np.copy)))
        query: Query[Any] = self.query
        epsilon = privacy.epsilon
        if isinstance(query, Count):
            holds = query.condition(data.domain).holds(values)
            if query.give == "number":
                return self._request_for_count(holds, epsilon)
            return self._request_for_values(holds.astype(np.float64), Interval(0.0, 1.0), None, epsilon)
        q = {Median: 0.5, Mean: None}.get(type(query), getattr(query, "q", None))
        return self._request_for_values(values, data.domain, q, epsilon)

    def prepare(self, data: OrderStatistics, privacy: Privacy, progress: Progress = silent) -> PeerPrepared:
        asked = self._request(data, privacy)
        return PeerPrepared(
            asked=asked,
            grid=self.grid(data),
            seconds=self.resources(data.domain, data.n).seconds,
            noise={"family": self.name, "epsilon": asked.epsilon, "neighbours": asked.between},
            diagnostics=Private({"true_value": float(self.query.exact_value(data))}),
        )

    def _number_grid(self, data: Database, privacy: Privacy) -> PublicGrid:
        return self._request(cast(OrderStatistics, data), privacy).grid

    def release(
        self,
        prepared: Prepared,
        data: Database,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        assert isinstance(prepared, PeerPrepared)
        made = super().release(prepared, data, privacy, rng, progress)
        step = float(prepared.asked.grid.step[0])
        parameters = {**made.parameters, **self._library.facts}
        return dataclasses.replace(made, step=None if np.isnan(step) else step, parameters=parameters)


@dataclasses.dataclass(frozen=True, repr=False)
class PeerPrepared(LibraryPrepared, PreparedFields, ScalarPrepared):
    """A library with the data, ready to draw one number (private)."""

    asked: Request
    grid: OutputGrid
    seconds: float

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.grid.clamp(np.array(self.call_often(rng, size, progress), dtype=np.float64))

    def one(self, seed: int | None) -> float:
        value = self.asked.draw(seed)
        if not np.isfinite(value):
            raise ValueError(f"it returns {value}")
        return value

    def possible(self, values: Floats) -> Bools | None:
        law = self.asked.arithmetic
        return None if law is None else law.possible(values)

    def unclamped(self) -> PeerPrepared:
        return dataclasses.replace(self, grid=self.grid.unclamped)

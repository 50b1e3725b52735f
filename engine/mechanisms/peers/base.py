"""Releases of another library, by the same declarations as our own.

The library draws, and is called as its documentation says; nothing of what it computes is done here.
Its epsilon is translated: a promise between databases of which one has a record more holds with twice its
epsilon where a record is replaced, which is one removed and one added (group privacy).
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.data.database import Database
from engine.data.order_statistics import OrderStatistics
from engine.domain import Interval
from engine.errors import DataError
from engine.mechanisms.prepared import Prepared, ScalarPrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.queries import Count, Mean, Median, Quantile
from engine.randomness import is_release, reproducible
from engine.sampling.output_grid import OutputGrid
from engine.sampling.public_grid import FREE, PublicGrid

_Floats = NDArray[np.float64]

INSTALL = "pip install 'sensiscope[peers]'"
"""What installs all of these libraries."""

ANSWERED = (Median, Quantile, Mean, Count)
"""Queries that all of them have."""

LAW, LAW_SECONDS, FEWEST = 2000, 2.0, 100
"""Of draws that stand for the law of a release, which no library tells: how many at most, for how many
seconds, and how many at least."""

BATCH_SECONDS = 0.1
"""About how long one call of `draw` may take."""


@dataclasses.dataclass(frozen=True)
class DoubleSums:
    """Noise added in double precision, and cut off at two ends: which doubles can come is known (private)."""

    center: float
    scale: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True, eq=False)
class DoublesBetween:
    """A double drawn between two neighbouring edges: which can be released is known (private)."""

    edges: _Floats


@dataclasses.dataclass(frozen=True)
class Asked:
    """One question as a library is asked.

    Attributes
    ----------
    draw : callable
        Returns one released value; takes the seed of a simulation, and None for a release.
    epsilon : float
        What the library is asked for.
    between : str
        Between which databases it means that: "replace-one" or "add-or-remove".
    grid : PublicGrid
        Where its numbers lie.
    arithmetic : DoubleSums, DoublesBetween or None
        Which doubles it can release, where that is known.
    """

    draw: Callable[[int | None], float]
    epsilon: float
    between: str
    grid: PublicGrid = FREE
    arithmetic: DoubleSums | DoublesBetween | None = None


@dataclasses.dataclass(frozen=True)
class Peer(ScalarMechanism, abc.ABC):
    """A method of another library; `DiffprivlibRelease` is one.

    Attributes
    ----------
    library, distribution : str
        The module that is imported, and the name by which it is installed.
    """

    on_step: ClassVar[bool] = False
    library: ClassVar[str]
    distribution: ClassVar[str]

    @abc.abstractmethod
    def asked_of(self, values: _Floats, bounds: Interval, q: float | None, epsilon: float) -> Asked:
        """Return how the library is asked for a quantile (q) or a mean (None) of values between bounds."""

    @abc.abstractmethod
    def count_of(self, holds: NDArray[np.bool_], epsilon: float) -> Asked:
        """Return how the library is asked for the number of records of which something is true."""

    @abc.abstractmethod
    def effort(self, domain: Any, n: int) -> float:
        """Return about how many seconds a draw takes."""

    def load(self) -> None:
        """Import the library, too."""
        super().load()
        import_module(self.library)

    @classmethod
    def is_installed(cls) -> bool:
        """Tell whether the library is there; it is not imported for that."""
        return find_spec(cls.library.partition(".")[0]) is not None

    @classmethod
    def is_meant_for(cls, asked: Any, n: int) -> bool:
        """Never: it stands beside others when it is asked for by its name."""
        return False

    @property
    def uses_delta(self) -> bool:
        """All that is asked of these libraries is pure."""
        return False

    @property
    def inexact(self) -> str:
        """Say whose release it is."""
        return f"made by {self.distribution} {self.version()}, not by Sensiscope"

    @classmethod
    def version(cls) -> str:
        """Return which one is installed; "" where none is."""
        from importlib import metadata  # with what it needs a hundredth of the window's start

        try:
            return metadata.version(cls.distribution)
        except metadata.PackageNotFoundError:
            return ""

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not self.is_installed():
            return (Problem("method", f"{self.distribution} is not installed; install it with: {INSTALL}"),)
        if not isinstance(self.query, ANSWERED):
            words = "a median, a quantile, a mean or a count"
            return (Problem("method", f"{self.label} is asked for {words}, not for a {self.query.label}"),)
        return ()

    def asked_for(self, data: OrderStatistics, privacy: Privacy) -> Asked:
        """Return how the library is asked for the answer to the query."""
        values = np.concatenate(list(data.found_in_parts(np.copy)))
        query, epsilon = self.query, privacy.epsilon
        if isinstance(query, Count):
            holds = query.condition(data.domain).holds(values)
            if query.give == "number":
                return self.count_of(holds, epsilon)
            return self.asked_of(holds.astype(np.float64), Interval(0.0, 1.0), None, epsilon)
        q = {Median: 0.5, Mean: None}.get(type(query), getattr(query, "q", None))
        return self.asked_of(values, data.domain, q, epsilon)

    def prepare(self, data: OrderStatistics, privacy: Privacy, progress: Progress = silent) -> PeerPrepared:
        """Ask the library; it looks at the data with each draw."""
        self.refuse(privacy, data.domain, data.n)
        asked = self.asked_for(data, privacy)
        return PeerPrepared(
            asked=asked,
            grid=self.grid(data),
            seconds=self.effort(data.domain, data.n),
            noise={"family": self.name, "epsilon": asked.epsilon, "neighbours": asked.between},
            error=None,
            diagnostics=Private({"true_value": float(self.query.exact_value(data))}),
        )

    def number_grid(self, data: Database, privacy: Privacy) -> PublicGrid:
        """Return the grid of the library."""
        return self.asked_for(cast(OrderStatistics, data), privacy).grid

    def release(
        self,
        prepared: Prepared,
        data: Database,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Draw one value, and say whose it is."""
        assert isinstance(prepared, PeerPrepared)
        made = super().release(prepared, data, privacy, rng, progress)
        step = float(prepared.asked.grid.step[0])
        parameters = {**made.parameters, "library": f"{self.distribution} {self.version()}"}
        return dataclasses.replace(made, step=None if np.isnan(step) else step, parameters=parameters)


@dataclasses.dataclass(frozen=True, repr=False)
class PeerPrepared(ScalarPrepared):
    """A library with the data (private).

    Attributes
    ----------
    asked : Asked
    seconds : float
        About how long one draw takes.
    """

    asked: Asked
    grid: OutputGrid
    seconds: float
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private

    @property
    def batch_size(self) -> int:
        """As many as take a fraction of a second."""
        return max(1, min(10_000, int(BATCH_SECONDS / self.seconds)))

    def most_runs(self, wanted: int) -> int:
        """Return what can be drawn while a picture waits."""
        return min(wanted, max(FEWEST, int(LAW_SECONDS / self.seconds)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> _Floats:
        """Have `size` values drawn; the seed of a simulation is passed on to a library that takes one."""
        seeds = [None] * size if is_release(rng) else rng.integers(2**31, size=size).tolist()
        steps = zip(seeds, each(size, progress), strict=True)
        return self.grid.clamped(np.array([self._one(seed) for seed, _ in steps], dtype=np.float64))

    def _one(self, seed: int | None) -> float:
        """Draw one value; whatever the library raises, or nothing at all, is said in one line (private)."""
        name = self.noise["family"]
        try:
            with np.errstate(all="ignore"):
                value = self.asked.draw(seed)
        except Exception as error:
            raise DataError(f"{name} fails on these data: {' '.join(str(error).split())}") from error
        if not np.isfinite(value):
            raise DataError(f"{name} fails on these data: it returns {value}")
        return value

    @cached_property
    def _law(self) -> _Floats:
        return np.sort(self.draw(reproducible(0), self.most_runs(LAW)))

    def density(self, values: ArrayLike) -> _Floats:
        """Return the density of a release, as a histogram of some draws tells it."""
        law = self._law
        edges = np.histogram_bin_edges(law, "fd" if np.ptp(np.quantile(law, [0.25, 0.75])) else 10)
        heights = np.histogram(law, edges, density=True)[0]
        found: _Floats = np.concatenate([[0.0], heights, [0.0]])[np.searchsorted(edges, values, side="right")]
        return found

    def quantile(self, p: ArrayLike) -> _Floats:
        """Return quantiles of some draws."""
        found: _Floats = np.quantile(self._law, np.asarray(p, dtype=np.float64))
        return found

    def unclamped(self) -> PeerPrepared:
        """Return the same without clamping."""
        return dataclasses.replace(self, grid=self.grid.unclamped)

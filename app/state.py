"""What a session is about: one immutable value, replaced whole by every edit."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine import catalog
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS
from engine.mechanisms.base import Mechanism, Private, Problem, Release
from engine.privacy import Privacy

if TYPE_CHECKING:
    from engine.data import Numbers, Table

EXAMPLE = "salaries"
"""What a first start shows."""


@dataclasses.dataclass(frozen=True, eq=False)
class Dataset:
    """A table, and where it came from.

    `key` names the dataset for the budget: what is spent on a file stays spent when
    the file is opened again.
    """

    table: Table
    key: str
    path: Path | None = None
    example: str | None = None

    @property
    def title(self) -> str:
        """The name that people know it by."""
        return self.path.name if self.path else self.table.source

    def column(self, name: str) -> Any:
        """Return the `engine.data.Column` of that name, or None."""
        return next((column for column in self.table.columns if column.name == name), None)


@dataclasses.dataclass(frozen=True)
class ReleaseRecord:
    """A release as the history keeps it: nothing in it is private."""

    release: Release
    dataset: str
    title: str
    column: str
    unit: str
    when: datetime
    looked: bool
    edited: bool

    @classmethod
    def of(cls, release: Release, state: SessionState) -> ReleaseRecord:
        """Record `release`, made in `state`, without its private diagnostics."""
        assert state.dataset is not None
        return cls(
            release=dataclasses.replace(release, diagnostics=Private({})),
            dataset=state.dataset.key,
            title=state.dataset.title,
            column=state.column,
            unit=state.unit,
            when=datetime.now().astimezone(),
            looked=state.origin == "looked",
            edited=bool(state.edits),
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Source:
    """The data of a setup: values of one column, dots moved by hand, public bounds."""

    values: NDArray[np.float64]
    edits: Mapping[int, float]
    domain: Interval

    def build(self) -> Sample:
        """Make the sample that the queries read (copies and clamps all n values)."""
        values = self.values
        if self.edits:
            values = values.copy()
            values[list(self.edits)] = list(self.edits.values())
        return Sample(values, self.domain)

    def same(self, other: Source) -> bool:
        """Tell whether both make the same sample."""
        return self.values is other.values and self.edits == other.edits and self.domain == other.domain


@dataclasses.dataclass(frozen=True, eq=False)
class Setup:
    """A state that makes sense: all that a job needs to know."""

    source: Source
    privacy: Privacy
    mechanism: Mechanism[Any]
    query: Any
    noise: Any
    constants: str
    split: float
    unit: str

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return len(self.source.values)


@dataclasses.dataclass(frozen=True, eq=False)
class SessionState:
    """Everything that a person has chosen, and what was released.

    `parameters` remembers the parameters of every query, method and noise that was
    ever chosen, under "query/quantile", "noise/lcp" ..., so that changing one's mind
    and back loses nothing.  `edits` are dots moved by hand: index of the record and
    its new value.
    """

    dataset: Dataset | None = None
    column: str = ""
    missing: str = "refuse"
    numbers: Numbers | None = None
    lower: float | None = None
    upper: float | None = None
    origin: str = "known"
    edits: Mapping[int, float] = dataclasses.field(default_factory=dict)
    query: str = "median"
    method: str = "smooth"
    noise: str = "lcp"
    parameters: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    epsilon: float = 1.0
    delta: float = 0.0
    view: str = "curator"
    releases: tuple[ReleaseRecord, ...] = ()

    @property
    def unit(self) -> str:
        """Unit of the chosen column, or nothing."""
        column = self.dataset.column(self.column) if self.dataset else None
        return column.unit if column else ""

    @property
    def uses_noise(self) -> bool:
        """Whether the method takes a noise family."""
        return any(declared.kind == "noise" for declared in MECHANISMS[self.method].parameters())

    def chosen(self, kind: str, name: str) -> dict[str, Any]:
        """Return the parameters that were chosen for a "query", "method" or "noise"."""
        return dict(self.parameters.get(f"{kind}/{name}", {}))

    def domain(self) -> Interval:
        """Return the declared bounds; `ParameterError` when they are missing or make no sense."""
        for field, value, what in (
            ("lower", self.lower, "smallest"),
            ("upper", self.upper, "largest"),
        ):
            if value is None:
                raise ParameterError(
                    field, f"declare the {what} possible value, from what is known without the data"
                )
        assert self.lower is not None
        assert self.upper is not None
        return Interval(self.lower, self.upper)

    def setup(self) -> Setup:
        """Return what a job needs; `ParameterError` for what makes no sense."""
        domain = self.domain()
        if self.numbers is None:
            raise ParameterError("column", "choose a column of numbers")
        privacy = Privacy(self.epsilon, self.delta)
        query = catalog.query(self.query, **self.chosen("query", self.query))
        noise = catalog.noise(self.noise, **self.chosen("noise", self.noise))
        chosen = self.chosen("method", self.method)
        mechanism = catalog.mechanism(self.method, query, noise if self.uses_noise else None, **chosen)
        return Setup(
            source=Source(self.numbers.values, self.edits, domain),
            privacy=privacy,
            mechanism=mechanism,
            query=query,
            noise=noise,
            constants=chosen.get("constants", "tight"),
            split=chosen.get("split", 0.5),
            unit=self.unit,
        )

    def problems(self) -> tuple[Problem, ...]:
        """Return what has to be set right before Run, each beside its field."""
        found: dict[str, Problem] = {}
        for check in (self.domain, lambda: Privacy(self.epsilon, self.delta), self.setup):
            try:
                check()
            except ParameterError as error:
                found.setdefault(error.field, Problem(error.field, error.problem))
        if not found:
            setup = self.setup()
            problem = setup.query.problem(setup.source.domain, setup.n)
            if problem is not None:
                found[problem[0]] = Problem(*problem)
            for trouble in setup.mechanism.problems(setup.privacy, setup.source.domain, setup.n):
                found.setdefault(trouble.field, trouble)
        return tuple(found.values())


class Samples:
    """The newest sample, kept until its source changes; shared by all worker threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._source: Source | None = None
        self._sample: Sample | None = None

    def get(self, source: Source) -> Sample:
        """Return the sample of `source`, made only when it is not the newest one."""
        with self._lock:
            if self._sample is None or self._source is None or not source.same(self._source):
                self._source, self._sample = source, source.build()
            return self._sample

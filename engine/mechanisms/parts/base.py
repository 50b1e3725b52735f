"""The base of mechanisms that release one number for each part of a table."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.components import ComponentField
from engine.data.parts import Parts, PartsDomain
from engine.free_memory import MemoryNeeded
from engine.mechanisms.base import Mechanism
from engine.mechanisms.facts import Resources
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Release
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.progress import Progress, each, part, silent
from engine.queries import Median, Query
from engine.sampling.public_grid import PublicGrid


@dataclasses.dataclass(frozen=True)
class PartsMechanism(Mechanism[Parts], abc.ABC, shape="groups"):
    """A mechanism that releases one number for each part of a table; `SumsInParts` is an example.

    The number N of records in the table is public.  The size of a part is confidential: a neighbouring table
    has another record in one row, which may belong to another part, or to none.

    Values are drawn with shape (size, G) for G parts, or (size, 3 G) if each has an interval: value, lower
    and upper end.
    """

    reads: ClassVar[str] = "parts"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_parts:pairs_of_parts"

    query: ComponentField[Query[Any]] = parameter(
        default=Median(), label="Query", help="The statistic to release.", asks=True
    )

    @property
    def question(self) -> Hashable:
        return self.reads, self.query

    @staticmethod
    def moves(domain: PartsDomain) -> bool:
        """Return whether a record can leave one part for another one."""
        return domain.size > 1

    def problems(self, privacy: Privacy, domain: PartsDomain, n: int) -> tuple[Problem, ...]:
        if n < 1:
            return (Problem("n", "there are no records; at least one is needed"),)
        return problems_of(check_bounds, privacy, 1) or self._unfit(domain)

    def resources(self, domain: PartsDomain, n: int) -> Resources:
        """Return the memory of one more number for each record."""
        return Resources(MemoryNeeded(8.0 * n))

    @abc.abstractmethod
    def _unfit(self, domain: PartsDomain) -> tuple[Problem, ...]:
        """Return why this mechanism cannot answer the query."""

    @abc.abstractmethod
    def expected_error(
        self, domain: PartsDomain, n: int, privacy: Privacy, share: float | None = None
    ) -> float | None:
        """Return the half-width of a 95 % interval for one part, from public facts; None if unknown.

        `share` is the assumed share of the n records that are in the part.
        """

    def release(
        self,
        prepared: Prepared,
        data: Parts,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Draw one value for each part; the interval of a single part is among the parameters."""
        drawn = prepared.draw(rng, 1, progress)[0]
        fields = self._release_fields(prepared, data, privacy, rng)
        if not data.domain.groups and drawn.size > 1:
            fields["parameters"]["interval"] = drawn[1:].tolist()
        return Release(value=self._released(drawn, data.domain), **fields)

    def _release_parameters(self) -> dict[str, Any]:
        return {**self.query.settings(), **self.settings()}

    def _number_grid(self, data: Parts, privacy: Privacy) -> PublicGrid | None:
        step = self.step(data.domain, data.n, privacy)
        return None if step is None else PublicGrid.multiples(step)

    def _released(self, value: Floats, domain: PartsDomain) -> Any:
        return released_parts(value, domain)

    def _errors(self, values: Floats, true_value: Any, domain: PartsDomain) -> Floats:
        return errors_of_parts(values, true_value, domain)


def released_parts(value: Floats, domain: PartsDomain) -> Any:
    """Return a number for a single part; else a row with name, value and interval for each group."""
    rows = np.reshape(value, (domain.size, -1))
    numbers = [None if np.isnan(one) else float(one) for one in rows[:, 0]]
    if not domain.groups:
        return numbers[0]
    intervals = [None if np.isnan(row).any() or not row.size else row.tolist() for row in rows[:, 1:]]
    columns = zip(domain.groups, numbers, intervals, strict=True)
    return {"groups": [dict(zip(("group", "value", "interval"), row, strict=True)) for row in columns]}


def errors_of_parts(values: Floats, true_value: Any, domain: PartsDomain) -> Floats:
    """Return the mean error of all parts that have an answer, shape (size,)."""
    known = ~np.isnan(true_value)
    if not known.any():
        return np.zeros(len(values))
    drawn = np.reshape(values, (len(values), domain.size, -1))[:, known, 0]
    errors: Floats = np.abs(drawn - np.asarray(true_value)[known]).mean(axis=1)
    return errors


def each_part(data: Parts, progress: Progress, message: str) -> Iterator[tuple[Floats, Progress]]:
    """Yield the clamped values of each part (private), in no order, and the progress of its step."""
    data.deal(part(progress, 0.0, 0.5))
    for number, here in enumerate(each(data.domain.size, part(progress, 0.5, 1.0), message)):
        yield data.part(number), here


BATCH = 300_000
"""Numbers drawn in one call."""


def batch_for(numbers: int) -> int:
    """Return how many values of so many numbers each to draw in one call."""
    return max(1, min(10_000, BATCH // numbers))

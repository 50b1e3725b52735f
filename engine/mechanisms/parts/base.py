"""The base of mechanisms that release one number for each part of a table."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.data.parts import Parts, PartsDomain
from engine.mechanisms.base import Mechanism
from engine.mechanisms.problem import Problem, problems_of
from engine.noise.base import check_bounds
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.queries import Median, Query

COLUMNS = 3
"""Numbers that are drawn for each part: the value, and the ends of its interval (NaN for none)."""


@dataclasses.dataclass(frozen=True)
class PartsMechanism(Mechanism[Parts], abc.ABC, shape="groups", on_step=False):
    """A mechanism that releases one number for each part of a table; `SumsInParts` is an example.

    The number N of records in the table is public.  The size of a part is confidential: a neighbouring table
    has another record in one row, which may belong to another part, or to none.
    """

    reads: ClassVar[str] = "parts"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_parts:pairs_of_parts"

    query: Query[Any] = parameter(
        default=Median(), label="Query", help="The statistic to release.", asks=True
    )

    @property
    def question(self) -> Hashable:
        return self.query

    @staticmethod
    def moves(domain: PartsDomain) -> bool:
        """Return whether a record can leave one part for another one."""
        return domain.size > 1

    def problems(self, privacy: Privacy, domain: PartsDomain, n: int) -> tuple[Problem, ...]:
        if n < 1:
            return (Problem("n", "there are no records; at least one is needed"),)
        return problems_of(check_bounds, privacy, 1) or self._unfit()

    @abc.abstractmethod
    def _unfit(self) -> tuple[Problem, ...]:
        """Return why this mechanism cannot answer the query."""

    def true_values(self, data: Parts) -> Floats:
        """Return the answer for each part (private), shape (G,); NaN where an empty part has none."""
        return np.array([self.true_value_of(values, data.domain) for values in each_part(data)])

    def true_value_of(self, values: Floats, domain: PartsDomain) -> float:
        """Return the answer for the records of one part (private)."""
        return self.query.value(Sample(values, domain.values)) if values.size else np.nan

    def _released(self, value: Floats, domain: PartsDomain) -> dict[str, Any]:
        names = domain.groups or ("",)
        rows = np.reshape(value, (len(names), COLUMNS)).tolist()
        return {
            "groups": [
                {
                    "group": name,
                    "value": None if np.isnan(one) else one,
                    "interval": None if np.isnan(low) else [low, high],
                }
                for name, (one, low, high) in zip(names, rows, strict=True)
            ]
        }

    def _true_answer(self, true_value: Any, domain: PartsDomain) -> dict[str, Any]:
        values = np.asarray(true_value, dtype=np.float64)
        missing = np.full_like(values, np.nan)
        return self._released(np.stack([values, missing, missing], axis=1), domain)

    def _errors(self, values: Floats, true_value: Any, domain: PartsDomain) -> Floats:
        """Return the mean error of all parts that have an answer, shape (size,)."""
        known = ~np.isnan(true_value)
        if not known.any():
            return np.zeros(len(values))
        drawn = np.reshape(values, (len(values), -1, COLUMNS))[:, known, 0]
        errors: Floats = np.abs(drawn - np.asarray(true_value)[known]).mean(axis=1)
        return errors


def each_part(data: Parts) -> Iterator[Floats]:
    """Yield the clamped values of each part (private), in no order."""
    for number in range(data.domain.size):
        yield data.part(number)

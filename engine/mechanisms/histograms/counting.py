"""Noisy counts of the records that satisfy each of several conditions."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import re
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Bools, Floats
from engine.data.conditions import Condition, distinct_values, truth_table, typeset
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.guarantee import AddsNoise
from engine.mechanisms.histograms.base import mean_errors
from engine.mechanisms.histograms.noisy import PostProcesses, noise_parameter
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import relation_parameter
from engine.mechanisms.release import Private
from engine.noise.base import check_bounds
from engine.numerals import short
from engine.parameters import parameter
from engine.primitives.counts import AddedNoise, check_delta
from engine.privacy import ZERO_OUT, Privacy
from engine.progress import Progress, each, silent
from engine.queries.count import read_where
from engine.sampling.exactness import COUNTED

MAX_CONDITIONS = 1_000
"""Largest number of conditions."""

QUARTERS = (0.25, 0.5, 0.75)
"""Default conditions: values below these shares of the range of each column."""


@dataclasses.dataclass(frozen=True)
class CountingQueries(
    PostProcesses, AddsNoise, Mechanism[Points], topic="histograms", shape="conditions", on_step=True
):
    """Release the number of records that satisfy each of d conditions, with noise on each count.

    Replacing a record changes by 1 each count whose condition holds for one of the two records only.  Let H
    be the largest number of such conditions, for any two points between the bounds.  H is at most d, and less
    if conditions exclude each other.  The sensitivity is H in L1, so Lap(H/epsilon) is epsilon-DP.  It is
    sqrt(H) in L2, so Gaussian noise with its exact condition grows only with the root of H.

    H is public and exact.  Each condition is about one column, columns vary independently, and within a
    column all combinations of truth values are enumerated (`engine.data.conditions`).  For a record left
    empty, H is the largest number of conditions that hold for one point.

    Source: Dwork, McSherry, Nissim, Smith 2006; for Gaussian noise Dwork, Kenthapadi, McSherry, Mironov,
    Naor 2006 and Balle, Wang 2018.  The lectures use d and sqrt(d) for any conditions.

    Examples
    --------
    For disjoint ranges, one count falls and another rises, so H is 2; three thresholds may all change.

    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points([[0.1], [0.2], [0.7], [0.9]], Box.of([0], [1]))
    >>> mechanism = CountingQueries(where="< 0.3; 0.3..0.6; > 0.6")
    >>> mechanism.sensitivity(data.domain), CountingQueries().sensitivity(data.domain)
    (2, 3)
    >>> simulated = mechanism.run(data, Privacy(8.0), reproducible(1))
    >>> [row["count"] for row in simulated.value["counts"]], simulated.noise["scale"]
    ([2.0, 0.0, 2.0], 0.25)
    """

    name: ClassVar[str] = "counts"
    label: ClassVar[str] = "Counts of conditions"
    summary: ClassVar[str] = "number of records that satisfy each condition, with noise on each count"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = COUNTED
    reads: ClassVar[str] = "points"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_conditions:pairs_of_conditions"

    where: str = parameter(
        default="",
        label="Where",
        holds="conditions",
        help="Conditions separated by semicolons: age > 30; height: 150..180. Without a name the first "
        "column is meant; 2: > 3 is about the second. Empty: thresholds at the quarters of each column's "
        "range.",
    )
    noise: str = noise_parameter()
    post: str = parameter(
        default="clamp",
        choices=("clamp", "none"),
        label="Afterwards",
        advanced=True,
        help="clamp: pull counts between 0 and the public number of records; none: keep the unbiased counts.",
    )

    relation: str = relation_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        _read(self.where)

    @property
    def question(self) -> Hashable:
        return self.name, self.where

    def _automatic(self, name: str, domain: Box) -> str:
        return "quarters"

    def for_columns(self, columns: Sequence[str]) -> CountingQueries:
        """Return the mechanism with the number of each column that a condition names.

        Raises
        ------
        ParameterError
            If there is no such column.
        """
        if all(isinstance(column, int) for _, column, _ in _read(self.where)):
            return self
        return dataclasses.replace(self, where=_numbered(self.where, columns))

    def conditions(self, domain: Box) -> tuple[tuple[str, int | str, Condition], ...]:
        """Return the conditions (public): text, column, and the parsed condition.

        A column is its index from 0, or its name before `for_columns`.
        """
        if self.where.strip():
            return _read(self.where)
        ends = [side.lower + share * side.width for side in domain.sides for share in QUARTERS]
        bounds = (repr(float(end)).removesuffix(".0") for end in ends)
        return _read(
            "; ".join(f"{number // len(QUARTERS) + 1}: <= {end}" for number, end in enumerate(bounds))
        )

    def sensitivity(self, domain: Box) -> int:
        """Return H, the largest number of counts that one record can change."""
        changed = 0
        for column, side in enumerate(domain.sides):
            about = [one for _, where, one in self.conditions(domain) if where == column]
            if about:
                table = truth_table(about, side)
                by_one = table.sum(axis=1) if self.relation == ZERO_OUT else _differing(table)
                changed += int(by_one.max())
        return changed

    def added(self, domain: Box, privacy: Privacy) -> AddedNoise:
        """Return the noise of each count (public)."""
        changed = self.sensitivity(domain)
        return AddedNoise.of(self.noise, privacy, changed, math.sqrt(changed))

    def step(self, domain: Box, n: int, privacy: Privacy) -> float:
        return self.added(domain, privacy).step

    def public_facts(self, domain: Box, n: int, privacy: Privacy) -> dict[str, Any]:
        return {"changed_by_one_record": self.sensitivity(domain)}

    def _largest_error(self, domain: Box, n: int) -> float:
        return float(n) if self.post == "clamp" else math.inf

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        wrong = problems_of(check_bounds, privacy, 1) or problems_of(check_delta, self.noise, privacy)
        if wrong:
            return wrong
        conditions = self.conditions(domain)
        if len(conditions) > MAX_CONDITIONS:
            return (
                Problem("where", f"{len(conditions)} conditions are too many; give at most {MAX_CONDITIONS}"),
            )
        for text, column, condition in conditions:
            if isinstance(column, str):
                message = f"'{text}' names the column '{column}', but the data have no names"
                return (Problem("where", f"{message}; write its number, such as 2: > 100"),)
            if column >= domain.dimension:
                message = f"'{text}' names column {column + 1}, but there are {domain.dimension}"
                return (Problem("where", f"{message}; count the columns in the order of your selection"),)
            side = domain.sides[column]
            if len(truth_table([condition], side)) == 1:
                bounds = f"{short(side.lower)} and {short(side.upper)}"
                message = f"'{text}' is true of all values between {bounds} or of none"
                return (Problem("where", f"{message}; use a number between the bounds"),)
        return ()

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> CountingPrepared:
        conditions = self.conditions(data.domain)
        counts = np.array(
            [
                np.count_nonzero(one.holds(data.values[:, column]))
                for _, column, one in conditions
                if isinstance(column, int)  # `problems` refuses names
            ],
            float,
        )
        added = self.added(data.domain, privacy)
        return CountingPrepared(
            counts=counts,
            most=float(data.n) if self.post == "clamp" else math.inf,
            added=added,
            noise=added.facts,
            error=added.half_width,
            diagnostics=Private({"true_value": counts}),
        )

    def _draw_value(
        self, prepared: Prepared, domain: Box, rng: np.random.Generator, progress: Progress = silent
    ) -> Any:
        """Draw the counts, each with the 95 % interval of its noise."""
        if not isinstance(prepared, CountingPrepared):
            return super()._draw_value(prepared, domain, rng, progress)
        counts = prepared.draw(rng, 1, progress)[0]
        value = self._released(counts, domain)
        intervals = prepared.added.intervals(counts, counts, prepared.most).tolist()
        for row, interval in zip(value["counts"], intervals, strict=True):
            row["interval"] = interval
        return value

    def _released(self, value: Floats, domain: Box) -> dict[str, Any]:
        conditions = (text for text, _, _ in self.conditions(domain))
        rows = zip(conditions, value.tolist(), strict=True)
        return {"counts": [{"condition": text, "count": count} for text, count in rows]}

    @classmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: Box | None = None) -> CategoryNumbers:
        """Return the released counts with the names of the columns, for pictures."""
        rows = value["counts"]
        labels = tuple(with_name(row["condition"], columns) for row in rows)
        ends = [row["interval"] for row in rows if "interval" in row]  # of all rows, or of none
        counts = np.array([row["count"] for row in rows], float)
        return CategoryNumbers("condition", labels, counts, intervals=np.array(ends) if ends else None)

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        return mean_errors(values, true_value)


@dataclasses.dataclass(frozen=True, repr=False)
class CountingPrepared(PreparedFields):
    """Counts to which noise is added (private)."""

    counts: Floats  # (d,)
    most: float  # upper clamp of released counts (public); inf: no clamping
    added: AddedNoise

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        noisy = np.stack([self.added.added(self.counts, rng) for _ in each(size, progress)]) + 0.0  # no -0.0
        return noisy if math.isinf(self.most) else np.clip(noisy, 0.0, self.most)


_PART = re.compile(
    r"""\s*(?:(?:"(?P<quoted>[^"]+)"|(?P<name>[^"<>=!≥≤≠;:]*[^"<>=!≥≤≠;:\s]))\s*(?P<colon>:|(?=[<>=!≥≤≠])))?"""
    r"(?P<rest>[^;]*)(?:;|$)"
)
"""A condition, after the name or the number of its column; quotes enclose a name with a sign in it."""


@functools.lru_cache(maxsize=64)
def _parts(where: str) -> tuple[tuple[str, int | str, str], ...]:
    """Return the text of each condition, its column, and what must hold for it.

    A column is an index from 0, or a name; without either it is the first one.
    """
    parts: list[tuple[str, int | str, str]] = []
    for match in _PART.finditer(where):
        text, quoted, name = match[0].rstrip(";").strip(), match["quoted"], match["name"]
        if not text:
            continue
        if quoted is None and name is not None and match["colon"] and name.isdecimal():
            if int(name) == 0:
                raise ParameterError("where", "'0' is not a column number; columns count from 1")
            parts.append((text, int(name) - 1, match["rest"]))
        else:
            parts.append((text, quoted or name or 0, match["rest"]))
    return tuple(parts)


@functools.lru_cache(maxsize=64)
def _read(where: str) -> tuple[tuple[str, int | str, Condition], ...]:
    """Parse conditions; raise `ParameterError` for the field "where" if one is invalid."""
    return tuple((text, column, read_where(rest)) for text, column, rest in _parts(where))


def _numbered(where: str, columns: Sequence[str]) -> str:
    """Return conditions with the numbers of their columns instead of the names."""
    texts = []
    for text, column, rest in _parts(where):
        if isinstance(column, str):
            if column not in columns:
                nearest = difflib.get_close_matches(column, columns, n=3, cutoff=0.4) or list(columns[:5])
                raise ParameterError("where", f"there is no column '{column}'; try {', '.join(nearest)}")
            texts.append(f"{list(columns).index(column) + 1}: {rest.strip()}")
        else:
            texts.append(text)
    return "; ".join(texts)


def with_name(condition: str, columns: Sequence[str]) -> str:
    """Return a condition, typeset, with the name of its column instead of the number."""
    number, colon, rest = condition.partition(":")
    column = int(number) - 1 if colon else 0
    named = f"{columns[column]} {(rest if colon else number).strip()}" if column < len(columns) else condition
    return typeset(named)


def _differing(table: Bools) -> Floats:
    """Return the number of conditions that differ between each two rows, shape (m, m)."""
    true = table.astype(np.float64)
    differing: Floats = true @ (1 - true).T + (1 - true) @ true.T
    return differing


def farthest_values(mechanism: CountingQueries, domain: Box) -> tuple[Floats, Floats]:
    """Return two points that differ in as many conditions as possible (public).

    For a record left empty, the first point satisfies as many conditions as possible.
    """
    ends = np.array([domain.lower, domain.upper])
    for column, side in enumerate(domain.sides):
        about = [one for _, where, one in mechanism.conditions(domain) if where == column]
        if about:
            values = distinct_values(about, side)
            table = np.stack([one.holds(values) for one in about], axis=1)
            differing = _differing(table)
            if mechanism.relation == ZERO_OUT:
                differing += table.shape[1] * table.sum(axis=1, keepdims=True)
            ends[:, column] = values[list(np.unravel_index(int(differing.argmax()), differing.shape))]
    return ends[0], ends[1]

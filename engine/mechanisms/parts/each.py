"""Any method for each part of a table, if it is public who belongs to which part."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.order_statistics import Sample
from engine.data.parts import Parts, PartsDomain
from engine.mechanisms.answer_rows import AnswerRow, rows_of
from engine.mechanisms.base import Mechanism
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.parts.base import batch_for, each_part, errors_of_parts, released_parts
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import SAME_GROUP, Privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True)
class EachPart(Mechanism[Parts], shape="groups"):
    """Release the answer of a method for each part, if it is public which records a part has.

    Neighbouring tables have another record in one row, of the same part.  Each part is a database of its own
    with a public size, and one record changes one part only.  So each part spends the whole budget, and all
    together cost no more (parallel composition).  A part that is too small for the method has no answer.

    A part gets the whole release of the method, with its interval if it has one: by the public scale of its
    noise, or for a share of epsilon.

    Parts must not depend on confidential columns: no condition on them, and no missing values left out.

    Source: McSherry 2009, Theorem 4 (parallel composition).

    Examples
    --------
    >>> from engine import Interval, Mean, LaplaceRelease, Parts, PartsDomain, reproducible
    >>> data = Parts([1] * 900 + [3] * 900, [0] * 900 + [1] * 900, PartsDomain(Interval(0, 4), ("a", "b")))
    >>> simulated = EachPart(LaplaceRelease(query=Mean())).run(data, 1.0, reproducible(1))
    >>> simulated.neighbours, [round(group["value"], 1) for group in simulated.value["groups"]]
    ('same-group', [1.0, 3.0])
    """

    name: ClassVar[str] = "each-part"
    label: ClassVar[str] = "A method for each group"
    summary: ClassVar[str] = "releases the answer of a method for each group, if the groups are public"
    source: ClassVar[str] = "McSherry 2009, Theorem 4"

    reads: ClassVar[str] = "parts"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_parts:pairs_within_parts"

    method: ScalarMechanism

    @property
    def guarantee(self) -> Guarantee:
        return self.method.guarantee

    @property
    def relation(self) -> str:
        return SAME_GROUP

    @property
    def inexact(self) -> str:
        return self.method.inexact

    @property
    def question(self) -> Hashable:
        return self.reads, self.method.query

    def resolve(self, privacy: Privacy | None = None, domain: PartsDomain | None = None) -> EachPart:
        values = None if domain is None else domain.values
        return dataclasses.replace(self, method=self.method.resolve(privacy, values))

    def unprocessed(self) -> EachPart:
        return dataclasses.replace(self, method=self.method.unprocessed())

    def problems(self, privacy: Privacy, domain: PartsDomain, n: int) -> tuple[Problem, ...]:
        """Return the problems of the method for a part that has all records."""
        if self.method.reads != "column":
            return (Problem("query", f"a {self.method.query.label.lower()} is not about one column"),)
        return self.method.problems(privacy, domain.values, n)

    def prepare(self, data: Parts, privacy: Privacy, progress: Progress = silent) -> EachPrepared:
        return self._each(self.method.prepare, data, privacy, progress)

    def _prepare_release(self, data: Parts, privacy: Privacy, progress: Progress = silent) -> EachPrepared:
        return self._each(self.method._prepare_release, data, privacy, progress)

    def _each(
        self,
        prepare: Callable[[Sample, Privacy, Progress], Prepared],
        data: Parts,
        privacy: Privacy,
        progress: Progress,
    ) -> EachPrepared:
        domain = data.domain
        ready: list[Prepared | None] = []
        samples: list[Sample | None] = []
        for values, here in each_part(data, progress, "groups"):
            fits = not self.method.problems(privacy, domain.values, values.size)  # the size is public
            samples.append(Sample(values, domain.values) if fits else None)
            ready.append(None if samples[-1] is None else prepare(samples[-1], privacy, here))
        noises = [dict(one.noise) for one in ready if one is not None]
        same = {
            key: noises[0][key]
            for key in (noises or [{}])[0]
            if all(noise.get(key) == noises[0][key] for noise in noises)
        }
        truth = [np.nan if one is None else one.true_value() for one in ready]
        return EachPrepared(
            tuple(ready),
            tuple(samples),
            noise=same,
            diagnostics=Private({"true_value": np.array(truth, dtype=np.float64)}),
        )

    def _release_fields(
        self, prepared: Prepared, data: Parts, privacy: Privacy, rng: np.random.Generator
    ) -> dict[str, Any]:
        names = {"mechanism": self.method.name, "query": self.method.query.name}
        return {**super()._release_fields(prepared, data, privacy, rng), **names}

    def _release_parameters(self) -> dict[str, Any]:
        return {**self.method._release_parameters(), "membership": "public"}

    def release(
        self,
        prepared: Prepared,
        data: Parts,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Release the answer of the method for each part, with its interval if it has one."""
        if not isinstance(prepared, EachPrepared):
            return super().release(prepared, data, privacy, rng, progress)
        rows = []
        for ready, sample in zip(prepared.ready, prepared.samples, strict=True):
            made = None if ready is None else self.method.release(ready, sample, privacy, rng, progress)
            (row,) = [AnswerRow("", None)] if made is None else rows_of(made)
            rows.append([np.nan if one is None else one for one in (row.value, row.low, row.high)])
        drawn, fields = np.array(rows), self._release_fields(prepared, data, privacy, rng)
        if np.isnan(drawn[:, 1:]).all():
            drawn = drawn[:, :1]
        elif not data.domain.groups:
            fields["parameters"]["interval"] = drawn[0, 1:].tolist()
        return Release(value=self._released(drawn, data.domain), **fields)

    def _released(self, value: Floats, domain: PartsDomain) -> Any:
        return released_parts(value, domain)

    def _errors(self, values: Floats, true_value: Any, domain: PartsDomain) -> Floats:
        return errors_of_parts(values, true_value, domain)


@dataclasses.dataclass(frozen=True, repr=False)
class EachPrepared(PreparedFields):
    """The method after it has read each part (private); None for a part that is too small."""

    ready: tuple[Prepared | None, ...]
    samples: tuple[Sample | None, ...]

    @property
    def batch_size(self) -> int:
        return batch_for(len(self.ready))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = np.full((size, len(self.ready)), np.nan)
        for number, one in enumerate(self.ready):
            progress(number / len(self.ready), "simulated releases")
            if one is not None:
                drawn[:, number] = one.draw(rng, size)
        return drawn

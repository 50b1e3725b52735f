"""How well the chosen mechanism does on the data at hand; private, but for what says it is not."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.model.selection import Selection
from app.model.wording.numbers import quantity
from engine.mechanisms import ExponentialRelease, LaplaceRelease
from engine.mechanisms.prepared import ScalarPrepared
from engine.progress import Progress


@dataclasses.dataclass(frozen=True)
class ErrorQuantiles:
    """Half of the releases err by less than `typical`, 95 % by less than `most`."""

    typical: float
    most: float
    private: bool


@dataclasses.dataclass(frozen=True)
class ErrorEstimate:
    """What is to be said about a mechanism on these data.

    `width` is that of the public range of answers, and `reach` half of the range in which 95 % of them
    lie before they are clamped; `neighbours` is the relation between databases, as in `Query`.
    """

    errors: ErrorQuantiles
    smooth: float | None
    global_: float | None
    width: float
    neighbours: str
    alternative: str = ""
    alternative_errors: ErrorQuantiles | None = None
    answers: float = 1.0
    reach: float = 0.0

    @property
    def private(self) -> bool:
        """Whether what is to be expected depends on the data."""
        return self.errors.private

    def expected(self, unit: str) -> str:
        """Say how far a release typically falls from the true value."""
        typical, most = (give_or_take(error, unit) for error in (self.errors.typical, self.errors.most))
        condition = "" if self.answers == 1 else ", if it answers"
        return f"Typical error {typical}{condition}\n(95 % within {most})"


def give_or_take(error: float, unit: str) -> str:
    """Write an error so that no line ends between sign and number."""
    return f"±\N{NO-BREAK SPACE}{quantity(error, unit)}"


def errors_of(prepared: ScalarPrepared) -> ErrorQuantiles:
    """Return how far releases typically fall from the true value; how many are clamped depends on that."""
    typical, most = prepared.error_quantiles([0.5, 0.95])
    clamped = np.isfinite(prepared.grid.ends).any()
    return ErrorQuantiles(float(typical), float(most), prepared.error is None or bool(clamped))


def judge(setup: Selection, database: Any, progress: Progress) -> ErrorEstimate | None:
    """Compare the chosen mechanism with the range of answers and with its nearest alternative."""
    domain, n = database.domain, database.n
    if setup.mechanism.problems(setup.privacy, domain, n):
        return None
    prepared = setup.mechanism.prepare(database, setup.privacy, progress)
    assert isinstance(prepared, ScalarPrepared)
    facts = prepared.diagnostics
    alternative, alternative_errors = "", None
    alternatives = [LaplaceRelease, ExponentialRelease] if setup.mechanism.name == "smooth" else []
    for family in alternatives:
        other = family(query=setup.mechanism.query)
        if other.problems(setup.privacy, domain, n):
            continue
        beside = other.prepare(database, setup.privacy, progress)
        assert isinstance(beside, ScalarPrepared)
        errors = errors_of(beside)
        if alternative_errors is None or errors.typical < alternative_errors.typical:
            alternative, alternative_errors = family.label, errors
    return ErrorEstimate(
        errors=errors_of(prepared),
        smooth=facts.get("smooth"),
        global_=facts.get("global"),
        width=setup.mechanism.query.value_range(domain, n).width,
        reach=float(np.ptp(prepared.unclamped().quantile([0.025, 0.975])) / 2),
        neighbours=setup.mechanism.query.neighbours,
        alternative=alternative,
        alternative_errors=alternative_errors,
        answers=facts.get("answer_probability", 1.0),
    )

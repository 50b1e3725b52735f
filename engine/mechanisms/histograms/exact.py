"""Histograms with exact counts, which are not differentially private."""

from __future__ import annotations

import abc
import dataclasses
from typing import ClassVar

from engine.domain import Box
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.problem import Problem
from engine.numerals import grouped
from engine.parameters import parameter
from engine.privacy import Privacy

WHY_NOT_DP = (
    "not differentially private: some neighbouring databases are told apart with certainty, so no "
    "epsilon holds, and nothing is promised of several releases together"
)


@dataclasses.dataclass(frozen=True)
class ExactHistogram(HistogramMechanism, abc.ABC):
    """A histogram with exact counts; what protects is that cells hold many points, or are large."""

    is_private: ClassVar[bool] = False
    whole: ClassVar[str] = "the bounds are cut once and no more"
    """What becomes of the bounds if they hold too few points to be cut."""
    source: ClassVar[str] = "Chawla, Dwork, McSherry, Talwar 2005"

    t: int = parameter(
        default=50,
        lower=2,
        label="Points t",
        help="How many points a record is to be hidden among.",
    )

    @property
    def uses_delta(self) -> bool:
        return False

    def step(self, domain: Box, n: int, privacy: Privacy) -> float | None:
        """Return 1: counts are whole numbers."""
        return 1.0

    def notices(self, domain: Box, n: int) -> tuple[Problem, ...]:
        if self.t <= n:
            return ()
        return (
            Problem(
                "t",
                f"t = {grouped(self.t)} is more than n = {grouped(n)}: no record is hidden among so "
                f"many, and {self.whole}",
            ),
        )

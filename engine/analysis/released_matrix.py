"""A released matrix of second moments, beside the true one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.analysis.shared.shown_answers import show_answer
from engine.array_types import Floats
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms.base import Mechanism
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True, eq=False)
class ReleasedMatrix:
    """A covariance or another symmetric matrix, from `show_matrix`.

    Attributes
    ----------
    names : tuple of d str
        Of rows and columns.
    released : ndarray, shape (d, d)
        What was released, or one simulated release.
    truth : ndarray, shape (d, d), or None
        The true matrix (private).
    simulated : bool
        Whether `released` is simulated, and so private.
    words : str
        What it is: "covariance", "second moments".
    """

    names: tuple[str, ...]
    released: Floats
    truth: Floats | None = None
    simulated: bool = False
    words: str = "covariance"

    @classmethod
    def of(
        cls, names: Sequence[str], value: Any, truth: Any, about: str, *, simulated: bool
    ) -> ReleasedMatrix:
        """Return a matrix that was released, or could be; beside the true one, if it is given."""
        true = None if truth is None else np.array(truth["matrix"])
        return cls(tuple(names), np.array(value["matrix"]), true, simulated, cls.named(about))

    @staticmethod
    def named(about: str) -> str:
        """Name a matrix by what it is about: the mean, or the middle of the bounds."""
        return "covariance" if about == "mean" else "second moments"

    def findings(self) -> Iterator[Finding]:
        """Yield the matrix, and the true one."""
        kind = "one simulated release" if self.simulated else "released"
        yield Finding(f"{kind}: {self.words}", self.released, public=not self.simulated)
        if self.truth is not None:
            yield Finding(f"true {self.words}", self.truth)


def show_matrix(
    mechanism: Mechanism[Points],
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> ReleasedMatrix:
    """Return the matrix that a mechanism releases, beside the true one."""
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    truth = None if answer is None else answer.true_answer
    about = str(mechanism.settings().get("about", "mean"))
    return ReleasedMatrix.of(data.columns, value, truth, about, simulated=released is None)

"""Agreement of the outputs of blocks: how many lie near the truth, and near the aggregate."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np

from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import true_value
from engine.array_types import Floats
from engine.data.points import Points
from engine.findings import Finding
from engine.mechanisms import BlockMechanism
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine

ACCURATE = 0.75
"""Share of the outputs that defines the accuracy of blocks."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class OutputAgreement(ShownInALine):
    """Distances of the outputs of blocks (private); from `agree_outputs`."""

    to_truth: Floats  # shape (m,); to the function of all records, increasing
    to_center: Floats  # shape (m,); to the aggregate without noise, increasing
    diameter: float  # Λ

    @property
    def accuracy(self) -> float:
        """The r within which three quarters of the outputs lie around the truth: Definition 4.1."""
        return self.at_share(self.to_truth, ACCURATE)

    @staticmethod
    def at_share(distances: Floats, share: float) -> float:
        """Return the smallest of sorted distances within which at least this share of them lies."""
        return float(distances[math.ceil(share * len(distances)) - 1])

    def stable(self, radius: float) -> float:
        """Return the share of the outputs within a radius of the aggregate: α of Definition 6.1."""
        return float(np.searchsorted(self.to_center, radius, side="right")) / len(self.to_center)

    def findings(self) -> Iterator[Finding]:
        """Yield the accuracy of blocks, and the stability of the aggregate."""
        yield Finding("accuracy r: three quarters of the outputs are within r of the truth", self.accuracy)
        yield Finding("share of the outputs within r of the aggregate", self.stable(self.accuracy))
        for share in (0.5, 0.9):
            yield Finding(
                f"radius around the truth for a share of {share:g}", self.at_share(self.to_truth, share)
            )


def agree_outputs(
    mechanism: BlockMechanism, data: Points, privacy: PrivacyLike, *, progress: Progress = silent
) -> OutputAgreement:
    """Measure the distances of block outputs from the truth, and from the aggregate (private).

    Blocks approximate a function within r if three quarters of their outputs lie within r of it.  The
    guarantees of sample and aggregate depend on this r (Nissim, Raskhodnikova, Smith 2007, Definition 4.1).

    A point is (m, r, alpha)-stable if outputs of random blocks of m records lie within r of it with
    probability alpha (Nissim, Stemmer, Vadhan 2016, Definition 6.1).  The share of the present blocks
    estimates alpha.
    """
    privacy = as_privacy(privacy)
    ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.6))
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.6, 1.0))
    outputs, space = ready.diagnostics["outputs"], mechanism.vectors.space(data.domain)
    places = np.stack([truth, ready.diagnostics["center"]])
    to_truth, to_center = np.sort(space.distances(outputs, places), axis=0).T
    return OutputAgreement(to_truth, to_center, space.diameter)

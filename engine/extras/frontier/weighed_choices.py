"""Scenes of a private choice among growing boxes or stable cells."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.clouds import Cloud
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.analysis.shared.projections import Projection, along_columns, project
from engine.analysis.shared.records import records_along
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.extras.frontier.growing_box import GrowingBox
from engine.extras.frontier.stable_cell import StableCell
from engine.findings import Finding
from engine.mechanisms import PointsMechanism
from engine.mechanisms.points import points_of
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.shown import ShownInALine

RUNS = 400
"""Simulated choices."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class WeighedChoices(ShownInALine):
    """Counts of all candidates, and how often each is chosen (private), from `weigh_choices`."""

    # shape (m,); records in each candidate: boxes from the smallest, cells from the fullest
    held: Floats
    wanted: float  # the count sought (public)
    slack: float  # by how much the choice may miss with probability 1 - beta (public)
    chosen: Ints  # shape (m,); how many of the runs chose each candidate
    runs: int
    grows: bool  # whether candidates are growing boxes
    truth: int  # index of the true candidate

    @property
    def refused(self) -> int:
        """The number of runs without a choice."""
        return self.runs - int(self.chosen.sum())

    def findings(self) -> Iterator[Finding]:
        """Yield the counts, and how often each candidate is chosen."""
        yield Finding("records sought", self.wanted, public=True)
        yield Finding("slack", self.slack, public=True)
        yield Finding("records held", self.held)
        yield Finding("simulated choices", self.chosen)
        yield Finding("without an answer", self.refused)


def weigh_choices(
    mechanism: GrowingBox | StableCell,
    data: Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    progress: Progress = silent,
) -> WeighedChoices:
    """Return the count of each candidate, and simulate which one is chosen (private)."""
    privacy = as_privacy(privacy)
    ready: Any = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.3))
    share = part(progress, 0.3, 1.0)
    values = simulated_values(mechanism, data, privacy, runs=RUNS, seed=seed, progress=share)
    times = Counter(row.tobytes() for row in values)
    public = mechanism.public_facts(data.domain, data.n, privacy)
    if isinstance(mechanism, GrowingBox):
        places, held, wanted, slack = ready.corners, ready.held, public["sought"], public["slack"]
        truth = int(np.argmax(held >= wanted))
    else:
        order = np.argsort(-ready.counts, kind="stable")
        places, held, truth = ready.middles[order], ready.counts[order], 0
        wanted, slack = public["threshold"], public["needed"] - public["threshold"]
    chosen = np.array([times[row.tobytes()] for row in places], dtype=np.int64)
    return WeighedChoices(held, wanted, slack, chosen, len(values), isinstance(mechanism, GrowingBox), truth)


def choice_scene(
    mechanism: GrowingBox | StableCell,
    data: Points,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Any = None,
    records: bool = True,
    progress: Progress = silent,
) -> Cloud:
    """Return a private choice among the records, and the true one (private).

    Without `records`, return only the released choice; of `data`, only public facts are read.
    """
    if not records:
        along = along_columns(data, (across, up))
        return Cloud(along.directions, mechanism.vectors.noun, released=_placed(mechanism, along, released))
    privacy = as_privacy(privacy)
    truth = true_value(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
    seen = project(data, axes=(across, up))
    value = released
    if value is None:
        share = part(progress, 0.5, 1.0)
        value = simulated_values(mechanism, data, privacy, runs=1, seed=seed, progress=share)[0]
    return Cloud(
        seen.directions,
        mechanism.vectors.noun,
        records=records_along(data, seen),
        truth=seen.points(truth)[None],
        released=_placed(mechanism, seen, value),
        simulated=released is None,
    )


def _placed(mechanism: PointsMechanism, seen: Projection, value: Any) -> Floats | None:
    """Return the position of a released point, shape (1, a); None if there is none."""
    if value is None or np.isnan(np.asarray(value, dtype=np.float64)).any():
        return None
    return seen.points(points_of(mechanism, value))

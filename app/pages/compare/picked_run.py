"""One run of a comparison: which one is meant, and what it would have released."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.wording.number_format import grouped
from app.model.wording.numbers import quantity
from app.pages.compare.runner import PickedRun
from app.plots.compare.words import value_words as swept_words
from app.releases.text import value_words
from engine.comparison import Comparison
from engine.mechanisms.release import Private, Release


def step_aim(
    comparison: Comparison, aim: tuple[int, int] | None, across: int, up: int
) -> tuple[int, int] | None:
    """Return where arrow keys lead: to other values of the sweep, and to other contenders.

    Parameters
    ----------
    aim : (int, int) or None
        Outcome and run that are picked now.
    across, up : int
        Steps to the right and upwards.
    """
    drawn = [index for index, outcome in enumerate(comparison.outcomes) if outcome.runs]
    if not drawn:
        return None
    if aim is None:
        wanted = drawn[len(drawn) // 2]
    else:
        trial = comparison.outcomes[aim[0]].trial
        beside = [
            index
            for index in drawn
            if (comparison.outcomes[index].trial.contender == trial.contender) == bool(across)
            and (comparison.outcomes[index].trial.position == trial.position) == (not across)
        ]
        wanted = _next(comparison, aim[0], beside, across or up, bool(across))
    run = comparison.outcomes[wanted].median_run
    return None if run is None else (wanted, run)


def _next(comparison: Comparison, here: int, others: list[int], steps: int, across: bool) -> int:
    """Return the next of some outcomes, by value of the sweep or by median error."""

    def rank(index: int) -> tuple[float, int]:
        outcome = comparison.outcomes[index]
        return (outcome.trial.value if across else outcome.quantile(0.5)), index

    order = sorted({here, *others}, key=rank)
    position = order.index(here) + (1 if steps > 0 else -1)
    return order[min(max(position, 0), len(order) - 1)]


def picked_words(picked: PickedRun, state: SessionState) -> str:
    """Say what a run would have released, how far off that is, and what it was drawn from."""
    result, trial = picked.comparison, picked.outcome.trial
    error, unit = float(picked.outcome.errors[picked.run]), result.request.unit
    label = result.comparison.contenders[trial.contender].label
    swept = swept_words(result.comparison.sweep.name, trial.value)
    off = "it refused to answer" if np.isnan(error) else f"error {quantity(error, unit)}"
    return (
        f"{label}, {swept}: run {grouped(picked.run + 1)} would have released "
        f"{_value_words(picked, state)} · "
        f"{off} · seed {result.comparison.seed}, simulated"
    )


def _value_words(picked: PickedRun, state: SessionState) -> str:
    trial = picked.outcome.trial
    query = getattr(trial.mechanism, "query", None)
    name = trial.mechanism.name if query is None else query.name
    release = Release(
        trial.mechanism.name,
        name,
        picked.value,
        trial.privacy,
        {},
        {},
        None,
        True,
        Private({}),
        exact=trial.mechanism.exact,
    )
    record = ReleaseRecord(
        release,
        "",
        "",
        state.subject,
        state.place,
        state.unit,
        datetime.now(),
        False,
        False,
        state.coordinates,
    )
    return value_words(record)

"""What a mechanism has released, or could release, beside the truth where that is to be seen."""

from __future__ import annotations

from typing import Any

from engine.analysis.preparing import SimulatedAnswer, simulated_answer
from engine.mechanisms.base import Mechanism
from engine.mechanisms.release import Release
from engine.privacy import Privacy
from engine.progress import Progress


def show_answer(
    mechanism: Mechanism[Any],
    data: Any,
    privacy: Privacy,
    *,
    seed: int,
    released: Release | None,
    records: bool,
    progress: Progress,
) -> tuple[Any, SimulatedAnswer | None]:
    """Return what is shown: what was released, or else is simulated; and the truth, if it is to be seen.

    Of a release without the truth, no data are looked at.
    """
    answer = None
    if records or released is None:
        answer = simulated_answer(mechanism, data, privacy, seed=seed, progress=progress)
    value = answer.value if released is None and answer is not None else released and released.value
    return value, answer if records else None

"""A mechanism on a query, prepared."""

from __future__ import annotations

from typing import Any

from engine.analysis.preparing import prepare
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy
from engine.progress import Progress


def prepare_scalar(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, progress: Progress
) -> ScalarPrepared:
    """Prepare a mechanism, or return what it prepared of these data before (private)."""
    prepared = prepare(mechanism, data, privacy, progress)
    assert isinstance(prepared, ScalarPrepared)
    return prepared

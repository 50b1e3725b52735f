"""Cache histograms with the data (private), or with their release."""

from __future__ import annotations

from typing import Any

from engine.analysis.memory import noise_budget, remembered
from engine.analysis.preparing import MAX_PREPARED, prepare
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.histogram import BoxHistogram, Histogram
from engine.histograms.tree import tree_from_release
from engine.mechanisms import MECHANISMS
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared, ReleasedHistogram
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible


def simulated_histogram(
    mechanism: HistogramMechanism,
    data: Any,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    progress: Progress = silent,
) -> Histogram:
    """Return the histogram of the data with a seed."""
    privacy = as_privacy(privacy)

    def work() -> Histogram:
        ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
        assert isinstance(ready, HistogramPrepared)
        return ready.histogram(reproducible(seed), part(progress, 0.5, 1.0))

    key = ("histogram", mechanism, noise_budget(mechanism, privacy), seed)
    return remembered(data, key, work, MAX_PREPARED)


def released_histogram(release: Release) -> Histogram:
    """Return the histogram in a release (as public as the release).

    A release from a file contains only its value: cubes are reconstructed with their splits, other cells as
    boxes.
    """
    if isinstance(release, ReleasedHistogram):
        return release.histogram

    def work() -> Histogram:
        box = Box.of(release.parameters["lower"], release.parameters["upper"])
        try:
            return tree_from_release(box, release.value)
        except ParameterError:
            return BoxHistogram.of(release.value)

    return remembered(release, ("histogram",), work)


def mechanism_of(release: Release) -> HistogramMechanism:
    """Return the mechanism of a released histogram, using the parameters in the release."""
    kind, known = MECHANISMS[release.mechanism], release.parameters
    made = kind(**{one.name: known[one.name] for one in kind.parameters() if one.name in known})
    assert isinstance(made, HistogramMechanism)
    return made

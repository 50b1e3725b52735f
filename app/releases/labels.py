"""What was asked, and of what it was made, by the names in the catalog."""

from __future__ import annotations

from typing import Any

from app.model.release_record import ReleaseRecord
from app.model.wording.numbers import short
from app.releases.run import RunRecord
from engine.aggregation.functions import FUNCTIONS
from engine.catalog import questions
from engine.mechanisms import MECHANISMS, Release
from engine.mechanisms.base import Mechanism
from engine.noise import NOISES


def mechanism_class(release: Release) -> type[Mechanism[Any]] | None:
    """Return what made a release; None of what is not in the catalog."""
    return MECHANISMS.get(release.mechanism)


def query_words(release: Release) -> str:
    """Name what was asked: of a mechanism that runs any function, the function."""
    texts = {**release.parameters, **release.noise}
    kind = questions().get(release.query)
    if kind is not None and "function" in texts and any(one.kind == "function" for one in kind.parameters()):
        function = str(texts["function"])
        return FUNCTIONS[function].label if function in FUNCTIONS else function
    label = release.query if kind is None else kind.label
    return f"{label} {short(texts['q'])}" if "q" in texts else label


def mechanism_label(release: Release) -> str:
    """Name the mechanism."""
    kind = mechanism_class(release)
    return release.mechanism if kind is None else kind.label


def noise_words(release: Release) -> str:
    """Name the noise; "" where none was added."""
    family = str(release.noise.get("family", ""))
    return NOISES[family].label if family in NOISES else family


def title_words(record: ReleaseRecord) -> str:
    """Name what is above a picture: what was asked, or of a run the mechanism; and whether it was released.

    The curator's picture of a run says more than what was released.
    """
    kind = "simulated, not a release" if record.release.simulated else "released"
    if not isinstance(record, RunRecord):
        return f"{query_words(record.release)}: {kind}"
    return _parts(record.run.mechanism) + (f": {kind}" if record.prepared is None else "")


def _parts(mechanism: Any) -> str:
    """Name the mechanism, or the function and the aggregator of blocks."""
    from engine.mechanisms import BlockMechanism, SampleAggregate

    if not isinstance(mechanism, BlockMechanism):
        return str(mechanism.label)
    first = mechanism.block_function if isinstance(mechanism, SampleAggregate) else mechanism
    return f"{first.label}, {mechanism.aggregator.label.lower()}"

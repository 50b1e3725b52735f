"""Labels of questions and mechanisms, by their names in the catalog."""

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
    """Return the class of the mechanism of a release; None if the catalog lacks it."""
    return MECHANISMS.get(release.mechanism)


def query_words(release: Release) -> str:
    """Return the question of a release: for a mechanism that runs any function, that function."""
    texts = {**release.parameters, **release.noise}
    kind = questions().get(release.query)
    if kind is not None and "function" in texts and any(one.kind == "function" for one in kind.parameters()):
        function = str(texts["function"])
        return FUNCTIONS[function].label if function in FUNCTIONS else function
    label = release.query if kind is None else kind.label
    return f"{label} {short(texts['q'])}" if "q" in texts else label


def mechanism_label(release: Release) -> str:
    kind = mechanism_class(release)
    return release.mechanism if kind is None else kind.label


def noise_words(release: Release) -> str:
    """Return the label of the noise; "" if none was added."""
    family = str(release.noise.get("family", ""))
    return NOISES[family].label if family in NOISES else family


def title_words(record: ReleaseRecord) -> str:
    """Return the title of a picture: the question, or the mechanism of a run, and whether it was released.

    The curator's picture of a run shows more than the release.
    """
    kind = "simulated, not a release" if record.release.simulated else "released"
    if not isinstance(record, RunRecord):
        return f"{query_words(record.release)}: {kind}"
    return _parts(record.run.mechanism) + (f": {kind}" if record.prepared is None else "")


def _parts(mechanism: Any) -> str:
    """Return the label of the mechanism, or of the function and the aggregator of blocks."""
    from engine.mechanisms import BlockMechanism, SampleAggregate

    if not isinstance(mechanism, BlockMechanism):
        return str(mechanism.label)
    first = mechanism.block_function if isinstance(mechanism, SampleAggregate) else mechanism
    return f"{first.label}, {mechanism.aggregator.label.lower()}"

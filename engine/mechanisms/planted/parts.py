"""A mistake in answers for parts of a table."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.parts import PartsMechanism
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared, PreparedFields
from engine.mechanisms.release import Release
from engine.privacy import Privacy
from engine.progress import Progress, silent


class SizesShown(Planted):
    """The exact size of each part beside its answer."""

    name: ClassVar[str] = "sizes-shown"
    label: ClassVar[str] = "Sizes shown"
    summary: ClassVar[str] = (
        "the exact number of records of each group stands beside its answer; it shows who moved"
    )
    worst: ClassVar[str] = "changes-group"
    made_in: ClassVar = (PartsMechanism,)

    def _errors(self, values: Floats, true_value: Any, domain: Any) -> Floats:
        return super()._errors(values[:, : -domain.size], true_value, domain)

    def _released(self, value: Floats, domain: Any) -> Any:
        return super()._released(value[: -domain.size], domain)

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> PreparedWithSizes:
        ready = self.right.prepare(data, privacy, progress)
        return PreparedWithSizes(ready, data.sizes, error=ready.error, diagnostics=ready.diagnostics)

    def release(
        self,
        prepared: Prepared,
        data: Any,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        assert isinstance(prepared, PreparedWithSizes)
        made = super().release(prepared.ready, data, privacy, rng, progress)
        return dataclasses.replace(made, parameters={**made.parameters, "sizes": prepared.sizes.tolist()})


@dataclasses.dataclass(frozen=True, repr=False)
class PreparedWithSizes(PreparedFields):
    """Draws of the right mechanism, followed by the sizes."""

    ready: Prepared
    sizes: Floats

    @property
    def batch_size(self) -> int:
        return self.ready.batch_size

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        drawn = self.ready.draw(rng, size, progress)
        return np.hstack([drawn, np.tile(self.sizes, (size, 1))])

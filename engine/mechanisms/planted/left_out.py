"""A test that is left out."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.base import Planted
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.propose_test_release import ProposeTestRelease, PtrPrepared
from engine.privacy import Privacy
from engine.progress import Progress, silent

PASSED = 1e9
"""A distance that passes every test."""


@dataclasses.dataclass(frozen=True)
class TestLeftOut(Planted):
    """Noise for a sensitivity that was proposed and never tested."""

    name: ClassVar[str] = "test-left-out"
    label: ClassVar[str] = "The test left out"
    summary: ClassVar[str] = "noise for a sensitivity that is hoped for, whatever the data are"
    worst: ClassVar[str] = "zeros-and-tops"
    __test__: ClassVar[bool] = False  # it is no test of pytest

    @classmethod
    def applies_to(cls, mechanism: Mechanism[Any]) -> bool:
        return isinstance(mechanism, ProposeTestRelease) or cls.name in mechanism.mistakes

    def prepare(self, data: Any, privacy: Privacy, progress: Progress = silent) -> Prepared:
        ready = self.right.prepare(data, privacy, progress)
        if isinstance(ready, PtrPrepared):
            return dataclasses.replace(ready, distance=PASSED)
        planted: Prepared = self.right.mistakes[self.name].plant(ready)
        return planted

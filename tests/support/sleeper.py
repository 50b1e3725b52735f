"""A mechanism that does not report while it looks at the data, for processes that must be ended."""

import dataclasses
import time
from typing import ClassVar

from engine.mechanisms import LaplaceRelease


@dataclasses.dataclass(frozen=True)
class Sleeper(LaplaceRelease):
    """Sleeps for so many seconds, then does what it should."""

    name: ClassVar[str] = "sleeper"
    label: ClassVar[str] = "Sleeper"

    seconds: float = 30.0

    def prepare(self, data, privacy, progress=None):
        time.sleep(self.seconds)
        return super().prepare(data, privacy)

"""Which functions from files a person has allowed to be run: what the file holds counts, not its name."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.aggregation.black_box import BlackBox


@dataclasses.dataclass(frozen=True)
class Trust:
    """A function in a file as it was when a person looked at it."""

    path: str
    function_name: str
    digest: str

    @classmethod
    def of(cls, box: BlackBox, content: bytes) -> Trust:
        """Return what it is to trust a function in a file that holds `content`."""
        return cls(str(Path(box.path).resolve()), box.function_name, hashlib.sha256(content).hexdigest())


def check_trust(box: BlackBox, trusted: Collection[Trust]) -> None:
    """Raise `ParameterError` for a function that nobody has confirmed, or a file that has changed since."""
    target = f"{Path(box.path).name}:{box.function_name}"
    try:
        found = Trust.of(box, Path(box.path).read_bytes())
    except OSError as error:
        raise ParameterError(
            "function", f"{box.path} cannot be read ({error.strerror}); choose another file"
        ) from None
    if found in trusted:
        return
    changed = any((one.path, one.function_name) == (found.path, found.function_name) for one in trusted)
    why = "has changed since it was confirmed" if changed else "is not confirmed yet"
    raise ParameterError("function", f"{target} {why}; it runs only after “Look and confirm…”")

"""The log of a ledger: events, each sealed together with all that came before it."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
import math
from collections.abc import Mapping
from typing import Any

KEPT = 20_000
"""A value of more parts is not kept, nor one with more letters; what it cost is."""

BEFORE = b""
"""What the first event is sealed with."""


@dataclasses.dataclass(frozen=True)
class LogEvent:
    """One row of the log.

    Attributes
    ----------
    id : int
        1, 2, 3 …
    kind : str
        "begin", "charge", "value", "void", "limit" or "join".
    text : bytes
        What happened, as JSON.
    seal : bytes
        Depends on the key of the ledger, this row and all rows before it.
    """

    id: int
    kind: str
    text: bytes
    seal: bytes

    @property
    def content(self) -> dict[str, Any]:
        """What happened."""
        content: dict[str, Any] = json.loads(self.text)
        return content


def sealed(key: bytes, before: bytes, id: int, kind: str, content: Mapping[str, Any]) -> LogEvent:
    """Return the event that follows the one whose seal is `before`."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
    return LogEvent(id, kind, text, seal_of(key, before, id, kind, text))


def seal_of(key: bytes, before: bytes, id: int, kind: str, text: bytes) -> bytes:
    """Return the seal of a row that follows the one with the seal `before`."""
    return keyed(key, "event", before + f"{id} {kind} ".encode() + text)


def keyed(key: bytes, purpose: str, content: bytes) -> bytes:
    """Return HMAC-SHA256 of `content`, another one for each purpose."""
    name = purpose.encode()
    return hmac.digest(key, len(name).to_bytes(4, "big") + name + content, hashlib.sha256)


def fits(content: Any) -> bool:
    """Tell whether a value is short enough to be kept, without a look at all of one that is not."""
    parts, seen = [content], 0
    while parts and seen <= KEPT:
        part = parts.pop()
        seen += len(part) if isinstance(part, (str, Mapping, list, tuple)) else getattr(part, "size", 1)
        if seen <= KEPT and isinstance(part, (Mapping, list, tuple)):
            parts.extend(part.values() if isinstance(part, Mapping) else part)
    return seen <= KEPT


def plain(content: Any) -> Any:
    """Return `content` as JSON holds it: numpy's arrays and numbers as lists and numbers, no NaN."""
    if isinstance(content, Mapping):
        return {str(name): plain(part) for name, part in content.items()}
    if hasattr(content, "tolist"):
        content = content.tolist()
    if isinstance(content, (list, tuple)):
        return [plain(part) for part in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    if content is None or isinstance(content, (bool, int, float, str)):
        return content
    return str(content)

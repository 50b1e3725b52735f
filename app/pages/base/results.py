"""What workers publish for the pictures of a page."""

from __future__ import annotations

import dataclasses
from typing import Any, Generic, TypeVar

RequestT = TypeVar("RequestT")


@dataclasses.dataclass(frozen=True)
class PictureResult(Generic[RequestT]):
    """The answer for one picture: which one, what it shows, and what was requested.

    `public` is True for what depends on public facts only.
    """

    picture: str
    result: Any
    request: RequestT
    public: bool = False

"""Errors for files that a library cannot read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

from engine.errors import DataError, SensiscopeError
from engine.progress import Cancelled

ItemT = TypeVar("ItemT")

LONGEST = 200
"""Characters shown of a library's own message."""


@contextlib.contextmanager
def refusing_damage(source: str) -> Iterator[None]:
    """Convert exceptions of a library into `DataError`; wrap only its calls."""
    try:
        yield
    except (SensiscopeError, Cancelled):
        raise
    except FileNotFoundError:
        raise DataError(
            "the file no longer exists, or not at this path on another machine; put it there again",
            source=source,
        ) from None
    except MemoryError:
        raise DataError(
            "it does not fit into the memory of this machine, or is damaged; get it again, or "
            "read fewer columns of it",
            source=source,
        ) from None
    except Exception as error:
        raise DataError(
            "it is damaged; get the whole file again", confidential=reason_of(error), source=source
        ) from None


def guarded(items: Iterable[ItemT], source: str) -> Iterator[ItemT]:
    """Yield items of a library; its exceptions become `DataError`."""
    iterator = iter(items)
    while True:
        with refusing_damage(source):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


def reason_of(error: BaseException) -> str:
    """Return the message of an exception in one short line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

"""What is said of files that a library cannot read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

from engine.errors import DataError, SensiscopeError
from engine.progress import Cancelled

ItemT = TypeVar("ItemT")

LONGEST = 200
"""Letters that are shown of a library's own message."""


@contextlib.contextmanager
def refusing_damage(source: str) -> Iterator[None]:
    """Turn what a library raises about a file into `DataError`; only its calls stand inside."""
    try:
        yield
    except (SensiscopeError, Cancelled):
        raise
    except FileNotFoundError:
        raise DataError(
            "it is gone, or not at this place on another machine; put it there again", source=source
        ) from None
    except MemoryError:
        raise DataError(
            "it does not fit into the memory of this machine, or is damaged; get it again, or read "
            "fewer columns of it",
            source=source,
        ) from None
    except Exception as error:
        raise DataError(
            "it is damaged; get the whole file again", confidential=reason_of(error), source=source
        ) from None


def guarded(items: Iterable[ItemT], source: str) -> Iterator[ItemT]:
    """Yield what a library gives piece by piece, with what it raises turned into `DataError`."""
    iterator = iter(items)
    while True:
        with refusing_damage(source):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


def reason_of(error: BaseException) -> str:
    """Return what an exception says, in one short line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

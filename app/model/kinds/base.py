"""What a desk is: which data and which queries a page works on, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from app.model.state import SessionState
    from engine.data import Example
    from engine.progress import Progress

Fields = dict[str, Any]
"""Fields of a `SessionState`, by name."""


class DataKind(Protocol):
    """What a page works on.

    Attributes
    ----------
    kind : {"table", "graph", "points"}
        What its data are like.
    reads : tuple of str
        What its queries read, as `Query.reads` says it.
    topic : str
        What its mechanisms are about, as `PointsMechanism.topic` says it; "" for queries of one number.
    query, example : str
        What a first visit shows.
    delta : float
        What delta is while nobody has chosen one.
    """

    kind: str
    reads: tuple[str, ...]
    topic: str
    query: str
    example: str
    delta: float

    def of_example(self, card: Example) -> Fields:
        """Return what the card of an example declares."""

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read from the table what `fields` name, and add it to them (in a worker)."""

    def settled(self, state: SessionState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read, and what follows from it for the rest of the desk."""

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Return what to read when a person has chosen otherwise; None if more is to be asked."""

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return the choices that bring the data back, never data; None while some are missing."""

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return the fields that `remembered` stored; `ValueError` if they make no sense."""

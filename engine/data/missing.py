"""What is done about missing values, and what is public afterwards.

To refuse them leaves n as the file has it.  So does a public value in their place: it is the same for every
record, so that files with one other record become databases with one other record.  To leave records out
makes n depend on who has a value; it is public only if it was known without the data.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.array_types import Ints
from engine.data.categories import CategoryDomain, offered
from engine.errors import ParameterError

MISSING_CHOICES = ("refuse", "fill", "drop")
"""What a caller can have done: an error, a public value instead, or the record left out and counted."""


def check_choice(missing: str) -> None:
    """Raise `ParameterError` for what is none of the choices."""
    if missing not in MISSING_CHOICES:
        raise ParameterError("missing", f"{missing!r} is not possible; it must be refuse, fill or drop")


def numbers_to_fill(fill: Sequence[float] | None, columns: Sequence[str]) -> list[float]:
    """Return the number for missing values of each column; `ParameterError` where one is needed."""
    numbers = [] if fill is None else [float(number) for number in fill]
    if len(numbers) != len(columns) or not np.isfinite(numbers).all():
        names = ", ".join(columns)
        raise ParameterError("fill", f"a number is needed for missing values of each column ({names})")
    return numbers


def weight_to_fill(fill: float | None, column: str) -> float:
    """Return the weight for missing ones; `ParameterError` where one is needed."""
    if fill is None or not 0 <= fill < np.inf:
        raise ParameterError("fill", f"a weight of at least 0 is needed for missing values of {column}")
    return fill


def places_to_fill(fill: Sequence[str] | None, domain: CategoryDomain) -> Ints:
    """Return for each column the place of the category for missing values among its categories."""
    given = list(fill or ())
    if len(given) != len(domain.columns):
        names = ", ".join(domain.columns)
        raise ParameterError("fill", f"a category is needed for missing values of each column ({names})")
    for name, label, labels in zip(domain.columns, given, domain.labels, strict=True):
        if label not in labels:
            problem = f"'{label}' is no category of {name}; choose one of {offered(labels)}"
            raise ParameterError("fill", problem)
    return np.array([labels.index(label) for label, labels in zip(given, domain.labels, strict=True)])

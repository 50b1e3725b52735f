"""Value labels of SPSS and Stata: the code book, and not the records, decides how a column is read."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

SPECIAL = 4
"""Codes below a power of ten that often mark missing values: 6 to 9, 96 to 99, 996 to 999."""


@dataclasses.dataclass(frozen=True)
class ValueLabels:
    """The labels of a column's codes.

    Attributes
    ----------
    labels : mapping
        Labels by code.
    measure : str
        Measurement level of the code book: "nominal", "ordinal" or "scale"; other texts if unknown.
    missing : sequence of pairs
        Lowest and highest code of each range that the code book declares missing.
    """

    labels: Mapping[Any, str]
    measure: str = ""
    missing: Sequence[tuple[Any, Any]] = ()

    @property
    def are_categories(self) -> bool:
        """Whether the column is read as categories unless its type is stated.

        A nominal column is; a scale is not.  Without a level, two neighbouring codes need labels, and codes
        that mark missing values do not count.
        """
        if not self.labels or self.measure == "scale":
            return False
        codes = sorted(code for code in self.labels if isinstance(code, (int, float)))
        if len(codes) < len(self.labels) and not any(_is_missing_code(code) for code in self.labels):
            return True  # codes that are texts
        valid = [code for code in codes if not self._declared_missing(code)]
        if self.measure == "nominal":
            return bool(valid)
        valid = [code for code in valid if code >= 0]
        if all(map(_looks_missing, valid)):
            return False
        return any(second - first == 1 for first, second in itertools.pairwise(valid))

    def _declared_missing(self, code: float) -> bool:
        return any(
            low <= code <= high
            for low, high in self.missing
            if isinstance(low, (int, float)) and isinstance(high, (int, float))
        )

    def texts(self, values: Sequence[Any]) -> list[str | None]:
        """Return the labels of codes; codes that share a label keep it apart by the code in brackets."""
        plain = {code: " ".join(label.split()) or _text(code) for code, label in self.labels.items()}
        given = list(plain.values())
        shared = {label for label in given if given.count(label) > 1}
        labels = {
            code: f"{label} ({_text(code)})" if label in shared else label for code, label in plain.items()
        }
        all_labels = set(given)
        texts: dict[Any, str | None] = {None: None, "": None}
        for value in {value for value in values if value == value}:
            text = _text(value)
            texts.setdefault(value, labels.get(value, f"{text} ({text})" if text in all_labels else text))
        return [texts.get(value) for value in values]


def _is_missing_code(code: Any) -> bool:
    """Tell whether a code is a letter that marks a missing value: a, or .a."""
    return isinstance(code, str) and len(code.removeprefix(".")) == 1


def _looks_missing(code: float) -> bool:
    """Tell whether a code is among the last below a power of ten."""
    return any(0 < 10**digits - code <= SPECIAL for digits in range(1, 10))


def _text(code: Any) -> str:
    if isinstance(code, float) and code.is_integer():
        return str(int(code))
    return str(code)

"""Detect columns of categories in which one record may decide how all others are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.data.arrays import array_of
from engine.data.cells import is_floating, is_spelled_number, is_string
from engine.data.names import is_number
from engine.data.sketch import FALSE, TRUE
from engine.data.table import Table

FORMATS_WITHOUT_TYPES = ("delimited", "csvy", "json-lines", "json-array", "workbook", "sqlite")
"""Formats whose cells, and not the file, decide about the type of a column."""

EXACT = 2.0**53
"""Whole numbers below are exact as float64."""

_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}(?::?[0-9]{2}){0,2}(?:\.[0-9]+)?(?:Z|[-+][0-9:]{2,5})?)?"
    r"|(?:-?[0-9]+ days?, )?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
)
_PLAIN_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: (?!00:00:00$)[0-9]{2}:[0-9]{2}:[0-9]{2})?|[0-9]{2}:[0-9]{2}:[0-9]{2}"
)

_HEXADECIMAL = re.compile("0[xX][0-9a-fA-F]+")


def _can_be_number(text: str) -> bool:
    """Tell whether a column of numbers can hold a text, be it nan or hexadecimal."""
    return is_spelled_number(text) or is_number(text) or _HEXADECIMAL.fullmatch(text) is not None


KINDS: tuple[tuple[Callable[[str], object], Callable[[str], object]], ...] = (
    (_can_be_number, re.compile("0|-?[1-9][0-9]{0,14}").fullmatch),
    ((*TRUE, *FALSE).__contains__, (TRUE[0], FALSE[0]).__contains__),
    (_TIME.fullmatch, _PLAIN_TIME.fullmatch),
)
"""Tests for a text of some type, and for one whose label is the same in a column of that type."""


def problem_of_types(table: Table, name: str, texts: Any, codes: Any) -> str:
    """Return why no release may be made of the categories in a column; "" if one may.

    In a column of numbers, 007 is the category 7.  One other text makes it a column of text, where 007 is
    007.

    Parameters
    ----------
    table : Table
    name : str
    texts : pyarrow array of str
        The distinct values.
    codes : numpy.ndarray
        Index of the value of each record.
    """
    if table.reading.format not in FORMATS_WITHOUT_TYPES or name in table.reading.typed:
        return ""
    kind = table.data.column(name).type
    if is_floating(kind):
        values = array_of(table.data.column(name).drop_null())
        is_in_doubt = bool((np.abs(values) >= EXACT).any())
    else:
        is_in_doubt = is_string(kind) and _is_mixed(
            texts.to_pylist(), np.bincount(codes, minlength=len(texts))
        )
    if not is_in_doubt:
        return ""
    return (
        f"the type of column '{name}' was detected, so one record may decide how all others are read; state "
        f"it when you open the file, or with --type {name}=category"
    )


def _is_mixed(texts: list[str], counts: Any) -> bool:
    """Tell whether all records, or all but one, have one type, and as text some get another label."""
    for is_of_type, is_plain in KINDS:
        others, changes = 0, False
        for text, count in zip(texts, counts.tolist(), strict=True):
            if not is_of_type(text):
                others += count
                if others > 1:
                    break
            elif not is_plain(text):
                changes = True
        if others <= 1 and changes:
            return True
    return False

"""Numbers, tables and JSON as text that is the same on every machine and in every run, and diffs well.

Numbers have nine digits, since the last ones differ from one version of BLAS to the next.  Of what is
long only both ends are written, and a digest of all rows with six digits.
"""

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

DIGITS, DIGEST_DIGITS = 9, 6
END = 20
"""Rows of a long table or list that are written at either end."""
WIDTH = 110

LONG_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[eE][-+]?\d+)?(?![\w])|-?\d+[eE][-+]?\d+(?![\w])")


def number(value: float, digits: int = DIGITS) -> str:
    """Write a number; 0 has no sign, since rounding errors decide it."""
    if isinstance(value, int) or not math.isfinite(value):
        return str(value)
    text = f"{value or 0.0:.{digits}g}"
    return text if set(text) & set(".e") else f"{text}.0"


def plain(value: Any) -> Any:
    """Return arrays and numbers of numpy as lists and numbers of Python."""
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return plain(value.tolist()) if hasattr(value, "tolist") else value


def cell(value: Any, digits: int = DIGITS) -> str:
    """Write one value of a table or of JSON on one line."""
    value = plain(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return number(value, digits)
    if isinstance(value, list):
        return "[" + ", ".join(cell(item, digits) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {cell(item, digits)}" for name, item in value.items()) + "}"
    return json.dumps(rounded(str(value), digits), ensure_ascii=False)


def rounded(text: str, digits: int = DIGITS) -> str:
    """Return a text whose numbers have no more digits than that."""

    def shorter(found: re.Match[str]) -> str:
        significant = found[0].lower().partition("e")[0].lstrip("-0.").replace(".", "")
        return number(float(found[0]), digits) if len(significant) > digits else found[0]

    return LONG_NUMBER.sub(shorter, text)


def ends(items: list[Any], write: Callable[[Any, int], str]) -> list[str]:
    """Return a line for each item; of many for both ends alone, with a digest of all."""
    if len(items) <= 3 * END:
        return [write(item, DIGITS) for item in items]
    digest = hashlib.sha256("\n".join(write(item, DIGEST_DIGITS) for item in items).encode())
    middle = f"… {len(items)} in all, with {DIGEST_DIGITS} digits {digest.hexdigest()[:16]} …"
    first, last = ([write(item, DIGITS) for item in part] for part in (items[:END], items[-END:]))
    return [*first, middle, *last]


def table(header: list[Any], rows: list[list[Any]]) -> list[str]:
    """Write a table, one line for each row."""
    lines = ends(list(rows), lambda row, digits: " | ".join(cell(value, digits) for value in row))
    return [f"{len(rows)} rows", " | ".join(map(str, header)), *lines]


def structure(value: Any, name: str = "", depth: int = 0) -> list[str]:
    """Write what JSON holds, with one line for each thing that fits on one."""
    indent = "  " * depth
    label = f"{indent}{name}: " if name else indent
    value = plain(value)
    short = cell(value)
    if not isinstance(value, list | dict) or not value or len(label) + len(short) <= WIDTH:
        return [label + short]
    if isinstance(value, dict):
        inner = [line for key, item in value.items() for line in structure(item, str(key), depth + 1)]
        return [f"{label.rstrip()} {{" if name else f"{indent}{{", *inner, f"{indent}}}"]
    if any(isinstance(item, dict) and len(cell(item)) > 4 * WIDTH for item in value):
        inner = [line for item in value for line in structure(item, "-", depth + 1)]
        return [f"{label}{len(value)} items", *inner]
    lines = ends(value, cell)
    return [f"{label}{len(value)} items", *(f"{indent}  {line}" for line in lines)]

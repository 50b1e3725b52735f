"""Text about which rows count, what was left out, and what a record is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.model.wording.numbers import format_exact

RULES = {
    "mean": "the mean of the rows",
    "sum": "the sum of the rows",
    "largest": "the largest of the rows",
    "last": "the last row",
    "count": "the number of rows",
}
"""The record of a person, by the rule that combines the rows of a person."""


def rows_words(statements: Mapping[str, Any]) -> str:
    """Write public statements about rows: a rule, never a number of rows; "" if every row counts."""
    sentences = []
    if "person" in statements:
        rule = RULES[statements["person_rule"]]
        sentences.append(f"one record for each {statements['person']}: {rule}")
    if "where" in statements:
        sentences.append(f"only where {' and '.join(map(str, statements['where']))}")
    if statements.get("missing") == "drop":
        by = statements.get("by", [])
        names = [*filter(None, [statements.get("column")]), *([by] if isinstance(by, str) else by)]
        without = f"without a value of {' or '.join(names)}" if names else "without a value"
        sentences.append(f"rows {without} are left out")
    if statements.get("unlisted") == "drop":
        sentences.append("rows of other groups are left out")
    for name, fill in statements.get("fill", {}).items():
        sentences.append(
            f"a missing {name} counts as {fill if isinstance(fill, str) else format_exact(fill)}"
        )
    return "; ".join(sentences)

"""The pictures of a comparison: what their tabs say, and where they are drawn."""

from __future__ import annotations

from app.model.picture_spec import TabTitle

PICTURES = {
    "errors": "app.plots.compare.errors:ComparisonErrors",
    "frontier": "app.plots.compare.frontier:ComparisonFrontier",
    "time": "app.plots.compare.time:ComparisonTime",
    "needed": "app.plots.compare.needed:ComparisonNeeded",
}
"""References to the pictures."""

TITLES = {
    "errors": TabTitle(
        "Errors",
        "Errors",
        "How far simulated releases are from the truth, at one value of what is varied",
        "The same data and the same seeds for all; smaller is better.",
    ),
    "frontier": TabTitle(
        "Frontier",
        "Frontier",
        "Error against what is varied",
        "How much accuracy more budget or more records buy; a click shows a single run.",
    ),
    "time": TabTitle(
        "Run time",
        "Time",
        "How long a release takes",
        "Looking at the data once, and then a draw.",
    ),
    "table": TabTitle(
        "Table",
        "Table",
        "All numbers, to be sorted and saved",
        "One row for each contender at each value.",
    ),
    "needed": TabTitle(
        "Which ε?",
        "Which ε?",
        "The smallest epsilon for an error that is small enough",
        "Found by search over simulated releases; the bar is what the runs leave open.",
    ),
}

"""The question before a long comparison: its size and duration."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.model.wording.numbers import format_approx, format_count, short
from app.pages.compare.request import ComparisonRequest, ComparisonResult, times_tried
from app.widgets.card import Card, caption
from engine.comparison import Comparison, Outcome
from engine.comparison.processes import processors
from engine.mechanisms.base import Mechanism

LONG = 10.0
"""Longer durations, in seconds, are shown in advance."""

MINUTE, HOUR, DAY = 60, 3600, 86_400


class LongRunDialog(QDialog):
    """Asks for confirmation of a large comparison.

    `values`: number of values of the sweep. `seconds`: estimated duration, None if not known.
    """

    def __init__(
        self, request: ComparisonRequest, values: int, seconds: float | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Start a long comparison?")
        self.setMinimumSize(QSize(460, 0))
        card = Card(f"{format_count(len(request.contenders) * values)} trials")
        self.message = caption(asking_words(request, values, seconds))
        card.body.addWidget(self.message)
        self.buttons = QDialogButtonBox()
        self.go = self.buttons.addButton("Co&mpare", QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setObjectName("run")
        self.go.setAutoDefault(False)
        cancel = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(10)
        column.addWidget(card)
        column.addWidget(self.buttons)
        cancel.setFocus()


def asking_words(request: ComparisonRequest, values: int, seconds: float | None) -> str:
    """Return size and estimated duration as text."""
    many = len(request.contenders)
    fewer = " (slow ones fewer)" if request.fewer else ""
    much = (
        f"{format_count(many)} mechanisms at {format_count(values)} values, "
        f"{format_count(request.runs)} runs each{fewer}: "
        f"{format_count(values * sum(request.each))} simulated releases."
    )
    long = "A small comparison first would show how long this takes."
    if seconds is not None:
        long = f"Judging by the last comparison, this takes about {duration_words(seconds)}."
    return f"{much} {long} You can cancel at any time and keep the results so far."


def expected_seconds(
    request: ComparisonRequest, last: Comparison | None, values: int | None = None
) -> float | None:
    """Return the estimated seconds of a comparison, from the last one; None if not known.

    `values` is the number of values if it is smaller than the requested one. New mechanisms use the catalog's
    estimate for data of this size.
    """
    known = defaultdict[Mechanism[Any], list[Outcome]](list)
    if last is not None:
        for outcome in last.outcomes:
            if outcome.runs:
                known[last.contenders[outcome.trial.contender].mechanism].append(outcome)
    source, alone = request.source, 0.0
    for mechanism, runs in zip(request.mechanisms, request.each, strict=True):
        tried = known[mechanism]
        preparing = sum(one.preparing for one in tried) / max(1, len(tried))
        drawing = sum(one.drawing for one in tried) / max(1, sum(one.runs for one in tried))
        each = drawing or mechanism.resources(source.domain, source.n).seconds
        alone += times_tried(mechanism, request.choice, values) * (preparing + runs * each)
    return alone / processors() if alone else None


def long_words(seconds: float | None) -> str:
    """Return the estimated duration as text; "" if it is short."""
    return "" if seconds is None or seconds <= LONG else f"takes about {duration_words(seconds)}"


def duration_words(seconds: float) -> str:
    """Return a rounded duration in a fitting unit as text.

    >>> duration_words(0.2), duration_words(200), duration_words(9000)
    ('a second', '3 minutes', '2.5 hours')
    """
    if seconds < 1.5:
        return "a second"
    if seconds < 2 * MINUTE:
        return f"{format_approx(round(seconds))} seconds"
    if seconds < 2 * HOUR:
        return f"{format_approx(round(seconds / MINUTE))} minutes"
    if seconds < 2 * DAY:
        return f"{short(seconds / HOUR, 2)} hours"
    return f"{format_approx(round(seconds / DAY))} days"


def expected_words(request: ComparisonRequest | None, last: ComparisonResult | None) -> str:
    """Return the duration of a long comparison as text, estimated from the last one."""
    if request is None:
        return ""
    return long_words(expected_seconds(request, None if last is None else last.comparison))

"""Before a comparison that takes long: how much it is, how long that may take, and whether it shall begin."""

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
"""Seconds of which users are told before they wait."""

MINUTE, HOUR, DAY = 60, 3600, 86_400


class LongRunDialog(QDialog):
    """Asks whether a large comparison shall begin.

    `values`: how many values the sweep has.
    `seconds`: how long it may take, as far as the last comparison tells.
    """

    def __init__(
        self, request: ComparisonRequest, values: int, seconds: float | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Compare that much?")
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
    """Say how much it is, and how long it may take."""
    many = len(request.contenders)
    much = (
        f"{format_count(many)} mechanisms at {format_count(values)} values, "
        f"{format_count(request.runs)} runs each: "
        f"{format_count(many * values * request.runs)} simulated releases."
    )
    long = "How long that takes is known once a small comparison was made."
    if seconds is not None:
        long = f"As far as the last comparison tells, that takes about {duration_words(seconds)}."
    return f"{much} {long} It can be cancelled at any time, and what was found by then stays."


def expected_seconds(
    request: ComparisonRequest, last: Comparison | None, values: int | None = None
) -> float | None:
    """Return how long a comparison may take, from the last one; None if that is not known.

    It has as many values as were asked for, unless these are fewer.

    Contenders that were not in the last one take as long as is known of all data of that size.
    """
    known = defaultdict[Mechanism[Any], list[Outcome]](list)
    if last is not None:
        for outcome in last.outcomes:
            if outcome.runs:
                known[last.contenders[outcome.trial.contender].mechanism].append(outcome)
    source, alone = request.source, 0.0
    for mechanism in request.mechanisms:
        tried = known[mechanism]
        preparing = sum(one.preparing for one in tried) / max(1, len(tried))
        drawing = sum(one.drawing for one in tried) / max(1, sum(one.runs for one in tried))
        each = drawing or mechanism.resources(source.domain, source.n).seconds
        alone += times_tried(mechanism, request.choice, values) * (preparing + request.runs * each)
    return alone / processors() if alone else None


def long_words(seconds: float | None) -> str:
    """Say how long a comparison may take; "" if that is not long."""
    return "" if seconds is None or seconds <= LONG else f"takes about {duration_words(seconds)}"


def duration_words(seconds: float) -> str:
    """Write a duration with the unit that fits, and no more digits than an estimate has.

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
    """Say how long a comparison takes, if that is long; the last one tells how long each trial took."""
    if request is None:
        return ""
    return long_words(expected_seconds(request, None if last is None else last.comparison))

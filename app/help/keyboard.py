"""The table of all keys."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from app.actions import ACTIONS


def keyboard_table() -> list[tuple[str, str]]:
    """Return (keys, what they do) for the help; the keys that no menu shows are last."""
    table = [
        (
            QKeySequence(spec.keys).toString(QKeySequence.SequenceFormat.NativeText),
            spec.tip or spec.text.replace("&&", "\0").replace("&", "").replace("\0", "&"),
        )
        for spec in ACTIONS
        if spec.keys
    ]
    return [
        *table,
        ("Ctrl+Tab", "Next picture"),
        ("↑ ↓  on the data", "Choose a dot or an edge"),
        ("← →  on the data", "Move it by a hundredth of its range (with Shift: a tenth)"),
        ("← → ↑ ↓  on the frontier", "Look at a run at another value, or of another contender"),
        ("Alt+→ Alt+←  in a lesson", "Next step, step before"),
        ("1 2 3 4  in a lesson", "Answer the question"),
    ]

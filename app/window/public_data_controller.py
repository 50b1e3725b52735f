"""Data that the user calls public or synthetic: said once in full, and taken back by Undo."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.widgets.asking import ChoiceDialog
from app.widgets.card import PUBLIC_DATA, ConfidentialBadge
from app.window.dialog_slot import DialogSlot

WHAT = (
    "Say so only if everyone may see every record: the data are published, or they were made up and follow "
    "from no one's data."
)
FOLLOWS = (
    "Nothing that is computed from them is stamped “Confidential” in files any more, and the Release view "
    "shows comparisons. What a release promises, and what it costs, stays the same. It is kept with the "
    "session, and Undo takes it back."
)
FOLLOWED = frozenset({"page", "workspace", "lesson", "dataset", "published"})
"""The fields of the state that tell whether its data are public."""


class PublicDataController(QObject):
    """Asks before data are called public, and marks the action and what follows from them when they are."""

    def __init__(self, window: QWidget, session: Session, action: QAction) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._action = action
        self.asking = DialogSlot(window, session)
        session.watch(FOLLOWED, self, self.refresh)
        self.refresh()

    def call_public(self, on: bool) -> None:
        """Ask whether the data of the page are public; call them confidential again without asking."""
        state = self._session.state
        self.refresh()  # nothing is said yet
        if state.dataset is None or state.dataset.is_public:
            return
        if not on:
            kept = state.published - {state.dataset.content}
            self._session.edit("call the data confidential", published=kept)
            return
        dialog = ChoiceDialog(
            "Public or synthetic data?",
            state.dataset.title,
            (WHAT, FOLLOWS),
            {"public": ("They are &public", "Nothing computed from these data is confidential")},
            self._window,
        )
        dialog.answered.connect(self._on_answered)
        self.asking.show(dialog)

    def refresh(self) -> None:
        """Mark the action, and what follows from the data; bundled data that are public stay so."""
        state = self._session.state
        with QSignalBlocker(self._action):
            self._action.setChecked(state.has_public_data)
        self.mark(state.has_public_data and state.lesson is None)  # in a lesson they play confidential ones
        self._action.setEnabled(state.dataset is not None and not state.dataset.is_public)

    def mark(self, public: bool = True) -> None:
        """Say of all in the window that it follows from public data, or that it is confidential."""
        if public != self._window.property(PUBLIC_DATA):
            self._window.setProperty(PUBLIC_DATA, public)
            for one in self._window.findChildren(ConfidentialBadge):
                one.show_public(public)

    def _on_answered(self, answer: str) -> None:
        state = self._session.state
        if answer and state.dataset is not None:
            published = state.published | {state.dataset.content}
            self._session.edit("call the data public", published=published)

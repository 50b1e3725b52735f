"""What the window says: the status line, the progress of work, and what went wrong."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QProgressBar

from app.jobs.channels import Channel, Failure, JobProgress
from app.session import Session
from app.widgets.messages import MessageArea
from engine.errors import DataError

VIEWS = {
    "curator": "Curator view: what is marked “not private” must not leave the room",
    "release": "Release view: everything here may leave the room",
}


class StatusReporter(QObject):
    """Says things in the status line and the messages of a window, as far as the view allows."""

    def __init__(self, session: Session, status: QLabel, progress: QProgressBar, area: MessageArea) -> None:
        super().__init__(session)
        self._session = session
        self._status = status
        self._progress = progress
        self._area = area

    @property
    def progressing(self) -> bool:
        """Whether the progress of some work is on the screen."""
        return self._progress.isVisible()

    def follow(self, channel: Channel) -> None:
        """Show the progress of the work of a channel."""
        channel.progressed.connect(self._on_progress)
        channel.busy_changed.connect(self._on_busy)

    def say(self, words: str) -> None:
        """Say something in the status line."""
        self._status.setText(words)

    def say_view(self) -> None:
        """Say what the view of the session means."""
        self.say(VIEWS[self._session.state.view])

    def tell(self, failure: Failure, area: MessageArea | None = None) -> None:
        """Say what went wrong, in the messages of the window or in another place."""
        area = area or self._area
        error = failure.error
        if self._session.state.view == "release" and isinstance(error, DataError) and error.row is not None:
            # such a message quotes the cell
            place = f"{error.source}, column '{error.column}'"
            area.show_message(f"{place}: a cell cannot be used; the Curator view says which one, and why")
        else:
            area.show_message(failure.message, failure.details)

    def _on_progress(self, report: JobProgress) -> None:
        if report.seconds_left is not None:
            what = report.message or "working"
            left = f" · {max(1, round(report.seconds_left))} s left" if report.seconds_left > 0.5 else ""
            self.say(f"{what[:1].upper()}{what[1:]}: {report.fraction:.0%}{left} · Esc cancels")
            self._progress.setValue(round(1000 * report.fraction))
            self._progress.show()

    def _on_busy(self, busy: bool) -> None:
        if not busy and self._progress.isVisible():
            self._progress.hide()
            self.say_view()

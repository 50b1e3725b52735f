"""The status line, the progress of work, and messages about failures."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QProgressBar, QStatusBar

from app.jobs.channels import Channel, Failure
from app.jobs.tasks import JobProgress
from app.pages.base.view import View
from app.session import Session
from app.widgets.card import plain
from app.widgets.messages import MessageArea, Offer

VIEWS = {
    "curator": "Curator view: do not share anything marked “Confidential”",
    "public": "Curator view: nothing here is confidential",
    "release": "Release view: everything here can be shared",
}
WIDTH, STEPS = 180, 1000
"""Pixels of the progress bar, and its steps."""


class StatusReporter(QObject):
    """Writes to the status bar and the messages of a window, within the limits of the view."""

    failed = Signal(object)  # Failure: the messages explain it now

    def __init__(self, session: Session, bar: QStatusBar, area: MessageArea) -> None:
        super().__init__(session)
        self._session = session
        self._area = area
        self._line = plain()
        self._line.setAccessibleName("Status")
        bar.addWidget(self._line, 1)
        self._progress = ""  # the newest line about progress
        self.progress_bar = QProgressBar(textVisible=False)  # how far the work in the background is
        self.progress_bar.setAccessibleName("Progress")
        self.progress_bar.setFixedWidth(WIDTH)
        self.progress_bar.setRange(0, STEPS)
        self.progress_bar.hide()
        bar.addPermanentWidget(self.progress_bar)
        bar.setSizeGripEnabled(False)

    @property
    def progressing(self) -> bool:
        """Whether some work shows its progress."""
        return not self.progress_bar.isHidden()

    def text(self) -> str:
        """Return what the status line says."""
        return self._line.text()

    def follow(self, channel: Channel) -> None:
        """Show the progress of the work of a channel."""
        channel.progressed.connect(self._on_progress)
        channel.busy_changed.connect(self._on_busy)

    def take_in(self, page: View) -> None:
        """Show the progress and the failures of what a page works on."""
        for channel in page.channels:
            self.follow(channel)
        page.refused.connect(self._area.show_message)
        page.saved.connect(self.show_message)
        page.failed.connect(self.show_failure)

    def show_message(self, text: str) -> None:
        """Write something into the status line."""
        self._line.setText(text)

    def show_view(self) -> None:
        """Explain the view of the session."""
        state = self._session.state
        marked = state.visible_dataset is not None and not state.has_public_data
        self.show_message(VIEWS["public" if state.view == "curator" and not marked else state.view])

    def follow_data(self) -> None:
        """Explain the view again, unless the status line says something else."""
        if self.text() in VIEWS.values():
            self.show_view()

    def show_failure(
        self, failure: Failure, area: MessageArea | None = None, offer: Offer | None = None
    ) -> None:
        """Explain what went wrong, in the messages of the window or in another place."""
        self.failed.emit(failure)
        details = failure.details if self._shows_records else ""
        (area or self._area).show_message(self.text_of(failure), details, offer=offer)

    def text_of(self, failure: Failure) -> str:
        """Return the text of a failure that the current view may show."""
        return failure.curator_text if self._shows_records else failure.message

    @property
    def _shows_records(self) -> bool:
        return self._session.state.view == "curator"

    def _on_progress(self, report: JobProgress) -> None:
        if report.seconds_left is not None:
            what = report.message or "working"
            left = f" · {max(1, round(report.seconds_left))} s left" if report.seconds_left > 0.5 else ""
            self._progress = f"{what[:1].upper()}{what[1:]}: {report.fraction:.0%}{left} · Esc cancels"
            self.show_message(self._progress)
            self.progress_bar.setRange(0, STEPS)
            self.progress_bar.setValue(round(STEPS * report.fraction))
            self.progress_bar.show()

    def _on_busy(self, busy: bool) -> None:
        if not busy and self.progressing:
            self.progress_bar.hide()
            if self.text() == self._progress:  # what was said since then stays
                self.show_view()

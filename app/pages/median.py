"""The page "Median & quantiles": dots that can be dragged, and what they do to sensitivity."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.jobs import Channel, Failure, Jobs
from app.pages import median_advice, median_work
from app.pages.median_work import Drawn, Judgement, Question
from app.pages.pictures_card import PicturesCard
from app.pages.strip_card import StripCard
from app.session import Session
from app.theme import Palette
from app.widgets.card import say
from engine.errors import ParameterError

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

DATA = frozenset({"dataset", "column", "numbers"})
LIVE = DATA | {
    "lower",
    "upper",
    "edits",
    "query",
    "method",
    "noise",
    "parameters",
    "epsilon",
    "delta",
    "view",
}
TIMES_SENSITIVITY = "× S"
"""The unit of noise at scale 1: multiples of the sensitivity, whatever that is."""


class MedianPage(QWidget):
    """Shows the session's data, its sensitivities and its noise.

    Signals
    -------
    judged(Judgement or None)
        What can be said about the chosen mechanism on these data (private).
    clamped(object)
        How many records the bounds move (private).
    certified(object)
        What the chosen noise was found to give, a `Certified` (public).
    failed(Failure)
        A job ended with an error.
    """

    judged = Signal(object)
    clamped = Signal(object)
    certified = Signal(object)
    failed = Signal(object)

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self._scale = 1.0
        self._answers = median_work.Answers(session.samples)
        self.curves: Channel = jobs.channel("curves")
        self.curves.result.connect(self._on_drawn)
        self.curves.failed.connect(self._on_failed)
        self._certificates: Channel = jobs.channel("certificate")
        self._certificates.result.connect(self.certified)
        self._certificates.failed.connect(self._on_failed)
        self._pictures: Channel = jobs.channel("pictures")
        self._pictures.result.connect(self._on_pictures)
        self._pictures.failed.connect(self.failed)
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.setInterval(0)
        self._ask.timeout.connect(self._request)
        self.strip = StripCard(session)
        self.card = PicturesCard()
        self.card.asked.connect(self._ask.start)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.strip)
        column.addWidget(self.card, 1)
        session.changed.connect(self.refresh)

    @property
    def pending(self) -> bool:
        """Whether a request is about to start."""
        return self._ask.isActive()

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture of the open tab."""
        return self.card.canvas

    def show_tab(self, tab: str) -> None:
        """Open "k", "epsilon", "path", "noise" or "distribution"."""
        self.card.show_tab(tab)

    def start(self) -> None:
        """Make the first pictures; called once the window has been painted."""
        self._pictures.request(median_work.load_pictures)

    def _on_pictures(self, _: bool) -> None:
        self.strip.make(self._palette, self._scale)
        self.card.set_palette(self._palette)
        self.refresh(LIVE)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        if self.strip.canvas is not None:
            self.strip.canvas.set_palette(palette)
            self.card.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self._scale = scale
        self.strip.set_scale(scale)
        self.card.set_scale(scale)

    def cancel(self) -> None:
        """Stop drawing; an old picture must not pass for the new one."""
        self.curves.cancel()
        self.card.show_waiting("Cancelled. Change anything, or open another picture, to draw again.")

    def refresh(self, fields: frozenset[str]) -> None:
        """Follow the session."""
        if self.strip.canvas is None:
            return
        if "releases" in fields:
            self._show_release()
        if not fields & LIVE:
            return
        state = self._session.state
        curator = state.view == "curator"
        if "view" in fields:
            self.strip.setVisible(curator)
            self.card.show_view(curator)
        if fields & (DATA | {"view"}):
            # no picture of other data stays, nor one that this view must not show
            self.curves.cancel()
            self.strip.forget()
            self.card.forget(state.unit if curator else TIMES_SENSITIVITY)
            say(self.card.advice, "")
            self.judged.emit(None)
        self._ask.start()

    def _request(self) -> None:
        """Ask for what is to be seen; the newest question wins."""
        if self.strip.canvas is None:
            return
        state = self._session.state
        try:
            setup = state.setup()
        except ParameterError as error:
            canvas = self.canvas
            if canvas is not None and canvas.picture.result is not None:
                say(self.card.advice, "The picture still shows the last choices that made sense.")
            else:
                words = f"{error.problem[:1].upper()}{error.problem[1:]}."
                self.card.show_waiting(words if state.dataset else "")
            return
        self.card.open()
        if state.uses_noise:
            self._certificates.request(partial(median_work.certificate, setup), live=True)
        if state.view == "release":
            self.curves.request(partial(median_work.public, setup))
            return
        question = Question(setup, self.card.tab, self.card.target, self.card.simulation.seed)
        self.curves.request(partial(self._answers.answer, question), live=True)

    def _on_drawn(self, drawn: Drawn) -> None:
        curator = self._session.state.view == "curator"
        if drawn.picture == "public":
            if not curator:
                self._show_noise(drawn)
        elif not curator:
            return
        elif drawn.picture == "strip":
            self.strip.show_view(drawn.result)
            self.clamped.emit(drawn.result.clamped)
        elif drawn.picture == "judgement":
            self._show_judgement(drawn.result)
        elif drawn.picture == "distribution":
            self.card.show_simulation(drawn.result, self._last_release())
        elif drawn.picture == "noise":
            self._show_noise(drawn)
        else:
            self.card.show_result(drawn.picture, drawn.result)

    def _on_failed(self, failure: Failure) -> None:
        """Pass on what went wrong, unless it is explained beside its field."""
        error = failure.error
        fields = {problem.field for problem in self._session.state.problems()}
        if not (isinstance(error, ParameterError) and error.field in fields):
            self.failed.emit(failure)

    def _show_noise(self, drawn: Drawn) -> None:
        setup = drawn.question.setup
        self.card.show_result("noise", drawn.result)
        self.card.show_families(
            median_advice.absent(drawn.result, setup.privacy, self._session.state.uses_noise)
        )

    def _show_judgement(self, judgement: Judgement) -> None:
        unit = self._session.state.unit
        words = median_advice.warnings(judgement, unit) or [median_advice.summary(judgement, unit)]
        say(self.card.advice, " ".join(words))
        self.judged.emit(judgement)

    def _show_release(self) -> None:
        """Mark the newest release where its distribution is on the screen."""
        if self._session.state.view == "curator" and self.card.tab == "distribution":
            self._ask.start()

    def _last_release(self) -> float | None:
        """Return the newest release of the present query on the present column."""
        state = self._session.state
        for record in reversed(state.releases):
            if state.dataset and (record.dataset, record.column) == (state.dataset.key, state.column):
                return record.release.value if record.release.query == state.query else None
        return None

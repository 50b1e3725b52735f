"""What the pages about one number have in common: the data above, curves and noise below."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.jobs import Channel, Failure, Jobs
from app.neighbours import WORDS
from app.pages import sensitivity_advice, sensitivity_work
from app.pages.judging import Judgement
from app.pages.pictures_card import PicturesCard
from app.pages.sensitivity_work import Answers, Drawn, Question
from app.pages.top_card import TopCard
from app.session import Session
from app.state import SessionState
from app.theme import Palette
from app.widgets.card import say
from engine.errors import ParameterError

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

DATA = frozenset({"dataset", "column", "numbers", "edge_columns", "edges"})
FOLLOWED = DATA | {
    "page",
    "vertices",
    "lower",
    "upper",
    "edits",
    "absent",
    "query",
    "method",
    "noise",
    "parameters",
    "epsilon",
    "delta",
    "view",
    "releases",
}
TIMES_SENSITIVITY = "× S"
"""The unit of noise at scale 1: multiples of the sensitivity, whatever that is."""


class SensitivityPage(QWidget):
    """Shows the session's data, their sensitivities and their noise, while it is open.

    Parameters
    ----------
    top : TopCard
        The picture of the data.
    answers : Answers
        What works out what is to be seen.

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

    name: ClassVar[str]

    judged = Signal(object)
    clamped = Signal(object)
    certified = Signal(object)
    failed = Signal(object)

    def __init__(
        self, session: Session, jobs: Jobs, palette: Palette, top: TopCard, answers: Answers
    ) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self._scale = 1.0
        self._answers = answers
        self._seen = SessionState()
        self._view: object = None
        self.curves: Channel = jobs.channel(f"curves of {self.name}")
        self.curves.result.connect(self._on_drawn)
        self.curves.failed.connect(self._on_failed)
        self._certificates: Channel = jobs.channel(f"certificate of {self.name}")
        self._certificates.result.connect(self.certified)
        self._certificates.failed.connect(self._on_failed)
        self.pictures: Channel = jobs.channel(f"pictures of {self.name}")
        self.pictures.result.connect(self._on_pictures)
        self.pictures.failed.connect(self.failed)
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.setInterval(0)
        self._ask.timeout.connect(self._request)
        self.top = top
        self.top.asked.connect(self._ask.start)
        self.card = PicturesCard()
        self.card.asked.connect(self._ask.start)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.top)
        column.addWidget(self.card, 1)
        session.changed.connect(self.refresh)

    @property
    def is_open(self) -> bool:
        """Whether it is the page that people look at."""
        return self._session.state.page == self.name

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
        if self.top.canvas is None and not self.pictures.busy:
            self.pictures.request(partial(sensitivity_work.load_pictures, self.top.modules))

    def _on_pictures(self, _: bool) -> None:
        self.top.make(self._palette, self._scale)
        self.card.set_palette(self._palette)
        self.refresh()
        self._ask.start()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        if self.top.canvas is not None:
            self.top.set_palette(palette)
            self.card.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self._scale = scale
        self.top.set_scale(scale)
        self.card.set_scale(scale)

    def cancel(self) -> None:
        """Stop drawing; an old picture must not pass for the new one."""
        self.curves.cancel()
        self.card.show_waiting("Cancelled. Change anything, or open another picture, to draw again.")

    def refresh(self, _: object = None) -> None:
        """Follow the session, as far as it is another one than was seen last."""
        if self.top.canvas is None:
            return
        state, seen = self._session.state, self._seen
        if not self.is_open:
            self._ask.stop()
            self.curves.cancel()
            self._certificates.cancel()
            # whoever comes back shall find everything drawn to its end
            self._seen = dataclasses.replace(self._seen, page="")
            return
        fields = frozenset(name for name in FOLLOWED if getattr(state, name) is not getattr(seen, name))
        self._seen = state
        curator = state.view == "curator"
        if fields & {"view", "query"}:
            self.top.setVisible(curator or self.top.is_public)
        if "view" in fields:
            self.card.show_view(curator)
        if fields & {"query", "vertices"} | (fields & DATA):
            self.card.show_words(WORDS[state.neighbours])
            self.card.show_targets(state.reads, state.vertices or 0)
        if fields & (DATA | {"view"}) or state.reads != seen.reads:
            # no picture of other data stays, nor one that this view must not show
            self.curves.cancel()
            self.top.forget()
            self._view = None
            self.card.forget(state.unit if curator else TIMES_SENSITIVITY)
            say(self.card.advice, "")
            self.judged.emit(None)
        if fields - {"releases"} or (fields and self._shows_releases):
            self._ask.start()

    def _request(self) -> None:
        """Ask for what is to be seen; the newest question wins."""
        if self.top.canvas is None:
            return
        state = self._session.state
        try:
            setup = state.setup()
        except ParameterError as error:
            self._explain(error.problem)
            return
        wrong = setup.source.problem()
        if wrong is not None:
            self._explain(wrong.message)
            return
        self.card.open()
        if state.uses_noise:
            self._certificates.request(partial(sensitivity_work.certificate, setup), live=True)
        question = Question(
            setup, self.card.tab, self.card.target, self.card.simulation.seed, self.top.choice
        )
        answer = self._answers.public if state.view == "release" else self._answers.answer
        self.curves.request(partial(answer, question), live=state.view == "curator")

    def _explain(self, problem: str) -> None:
        """Say in the place of a picture why there is none, unless an older one still stands."""
        canvas = self.canvas
        if canvas is not None and canvas.picture.result is not None:
            say(self.card.advice, "The picture still shows the last choices that made sense.")
        else:
            words = f"{problem[:1].upper()}{problem[1:]}."
            self.card.show_waiting(words if self._session.state.dataset else "")

    def _on_drawn(self, drawn: Drawn) -> None:
        curator = self._session.state.view == "curator"
        if drawn.public:
            if not curator:
                self._show_public(drawn)
        elif not curator:
            return
        elif drawn.picture == "view":
            self._show_view(drawn)
        elif drawn.picture == "clamped":
            self.clamped.emit(drawn.result)
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

    def _show_public(self, drawn: Drawn) -> None:
        if drawn.picture == "view":
            self._show_view(drawn)
        else:
            self._show_noise(drawn)

    def _show_view(self, drawn: Drawn) -> None:
        # drawing takes longer than anything else here, and epsilon changes nothing in it
        if drawn.result is not self._view:
            self._view = drawn.result
            self.top.show_view(drawn.result)

    def _show_noise(self, drawn: Drawn) -> None:
        setup = drawn.question.setup
        self.card.show_result("noise", drawn.result)
        self.card.show_families(
            sensitivity_advice.absent(drawn.result, setup.privacy, self._session.state.uses_noise)
        )

    def _show_judgement(self, judgement: Judgement) -> None:
        unit = self._session.state.unit
        words = sensitivity_advice.warnings(judgement, unit) or [sensitivity_advice.summary(judgement, unit)]
        say(self.card.advice, " ".join(words))
        self.judged.emit(judgement)

    @property
    def _shows_releases(self) -> bool:
        """Whether the newest release is to be marked in the open picture."""
        return self._session.state.view == "curator" and self.card.tab == "distribution"

    def _last_release(self) -> float | None:
        """Return the newest release of the present query on the present data."""
        state = self._session.state
        for record in reversed(state.releases):
            if state.dataset and (record.dataset, record.place) == (state.dataset.key, state.place):
                return record.release.value if record.release.query == state.query else None
        return None

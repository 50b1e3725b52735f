"""The page "Histogram": cells with counts, what can be learned from them, and how they are attacked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from PySide6.QtWidgets import QVBoxLayout

from app.jobs import Jobs
from app.pages.histogram_card import DRAWN, OF_HISTOGRAMS, PICTURES, PUBLIC, HistogramCard
from app.pages.histogram_work import HistogramQuestion, Histograms
from app.pages.page import SHARED
from app.pages.points_page import DATA, NOTHING, PointsPage
from app.pages.sensitivity_work import Drawn
from app.session import Session
from app.setups import PointsSetup
from app.state import SessionState
from app.theme import Palette
from engine.errors import ParameterError
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.histograms.exact import WHY_NOT_PRIVATE

NOTICE = f"{WHY_NOT_PRIVATE[0].upper()}{WHY_NOT_PRIVATE[1:]}."


class HistogramPage(PointsPage):
    """Shows the cells of a histogram level by level, and what follows from them."""

    name: ClassVar[str] = "histogram"
    followed = SHARED | DATA | {"bounds"}
    card: HistogramCard

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(session, jobs, palette, HistogramCard())
        self._work = Histograms(session.databases)
        self._setup: PointsSetup | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.card, 1)

    @property
    def modules(self) -> Sequence[str]:
        """What the pictures need."""
        return tuple(dict.fromkeys(f"app.plots.{module}" for module, _ in PICTURES.values()))

    def cancel(self) -> None:
        """Stop drawing, and playing."""
        self.card.levels.stop()
        super().cancel()

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        curator = state.view == "curator"
        if "view" in fields:
            self.card.show_view(curator)
        if "releases" in fields:
            self.card.draws.show_real()
        if fields & (DATA | {"view", "query"}):
            self._drop(state.unit)
        try:
            setup = state.setup()
        except ParameterError:
            self._setup = None
            return
        assert isinstance(setup, PointsSetup)
        self._setup = setup
        self.card.show_only([tab for tab in OF_HISTOGRAMS if curator or tab in PUBLIC])
        self.card.show_directions(setup.source.columns)
        mechanism = setup.mechanism
        self.card.show_kind(isinstance(mechanism, ShiftedHistogram), "" if mechanism.is_private else NOTICE)

    def _ask_about(self, setup: PointsSetup) -> None:
        card, curator = self.card, self._session.state.view == "curator"
        problems = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        if problems:
            self._explain(problems[0].message)
            return
        released = self._newest(setup, exactly=curator) if self._shows_releases else None
        real = released is not None and not (curator and card.draws.simulated)
        if not curator and (released is None or released.value is None):
            card.show_waiting(NOTHING)
            return
        card.draws.say_source(real)
        question = HistogramQuestion(
            setup,
            card.tab,
            card.directions.axes,
            card.draws.seed,
            released if real else None,
            card.levels.level,
            card.records and curator,
            card.grid,
            card.per_area,
        )
        canvas = card.open()
        if curator:
            self.curves.request(partial(self._work.answer, question), live=True)
        else:
            canvas.private = False
            self.curves.request(partial(self._work.public, question))

    def _on_drawn(self, drawn: Drawn) -> None:
        curator = self._session.state.view == "curator"
        if not self._is_about(drawn.question.setup) or not (curator or drawn.public):
            return
        if drawn.picture == "clamped":
            self.clamped.emit(drawn.result)
        elif drawn.picture == "levels":
            self.card.offer_levels(drawn.result.deepest)
        elif self.canvas is None or self.canvas.picture.result is not drawn.result:
            self.card.show_result(drawn.picture, drawn.result)

    def _is_about(self, setup: PointsSetup) -> bool:
        """Tell whether an answer, which may come late, is about the data and the mechanism of now."""
        now = self._setup
        return now is not None and (setup.mechanism.name, setup.source.columns) == (
            now.mechanism.name,
            now.source.columns,
        )

    @property
    def _shows_releases(self) -> bool:
        return self.card.tab in DRAWN

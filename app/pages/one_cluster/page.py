"""The page "1-cluster": a small ball that holds many points, how it is found, and what it is worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from functools import partial

from PySide6.QtWidgets import QVBoxLayout

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.one_cluster import ATTEMPTS, CloseUp
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest
from app.pages.base.page import SHARED
from app.pages.base.points_page import DATA, NOTHING, DeclaredPointsPage
from app.pages.base.results import PictureResult
from app.pages.one_cluster.analysis import TRIES, answer, answer_bare
from app.pages.one_cluster.plot_panel import BallPlotPanel
from app.pages.one_cluster.quality import advice, expected
from app.pages.one_cluster.steps_panel import StepsPanel
from app.session import Session
from app.theme import Palette
from app.widgets.card import set_text
from engine.analysis.ball_quality import BallWorth
from engine.analysis.expected_error import ErrorEstimate
from engine.errors import ParameterError
from engine.mechanisms import Release, ScreenedMean

PROJECTED = (
    "In so many dimensions boxes are drawn in a random projection to 25 axes; they have no place in the "
    "space of the data."
)
DEMONSTRATION = "A demonstration, not your data:"
STEPS = ("radius", "boxes")
"""Pictures of a step of the way to a ball, beside what the steps cost."""
UNFOUND = "The newest release found nothing; its budget is spent all the same."


class OneClusterPage(DeclaredPointsPage):
    """Shows a ball among the data, and each step that leads to it."""

    followed = SHARED | DATA | {"bounds"}
    card: BallPlotPanel

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(declared, session, jobs, palette, BallPlotPanel(declared))
        self._setup: Selection | None = None
        self.card.mean_wanted.connect(self.release_mean)
        self.card.asked.connect(self._fold)
        self.top = StepsPanel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.top)
        column.addWidget(self.card, 1)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.top.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode); the picture needs the room of the budget."""
        super().set_scale(scale)
        self.top.set_compact(scale > 1)
        self._fold()

    def _fold(self) -> None:
        """In large type, show the budget beside the steps that it pays for only."""
        self.top.setVisible(self._scale == 1 or self.card.tab in STEPS)

    def release_mean(self) -> None:
        """Ask for the mean inside the ball, too, with the choices that were made for the ball."""
        if not self.is_open:  # a click that comes late
            return
        state = self._session.state
        mean = state.known.specify("mechanism", ScreenedMean.name)
        mean = dataclasses.replace(mean, values={**mean.values, **state.mechanism.values})
        self._session.edit("release the mean inside the ball", **state.choosing(mean))

    @property
    def _tabs(self) -> Collection[str]:
        return self.card.shown

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
            setup = selection(state)
        except ParameterError:
            self._setup = None
            self.top.show_setup(None)
            return
        self._setup = setup
        self.top.show_setup(setup)
        offered = (spec for spec in self.declared.pictures if not spec.why_absent(setup))
        self.card.show_only((*(spec.name for spec in offered if curator or spec.is_public), AUDIT))
        self.card.show_directions(setup.source.columns, curator and len(setup.source.columns) > 2)
        self.card.show_balls(getattr(setup.mechanism, "how_many", 1))
        self.card.offer_mean(state.query == "one-cluster")

    def _ask_about(self, setup: Selection) -> None:
        card, curator = self.card, self._session.state.view == "curator"
        if card.tab in ATTEMPTS:
            self._request_public(self._request(setup, None, public=True))
            return
        problems = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        if problems:
            self._refuse(setup, problems[0].message)
            return
        released = self._newest(setup, exactly=curator) if self._shows_releases else None
        real = released is not None and not (curator and card.draws.simulated)
        if not curator and (released is None or released.value is None):
            card.show_waiting(NOTHING if released is None else UNFOUND)
            return
        card.draws.say_source(real)
        # a run that has found nothing is a release, too
        value = None if not real or released is None else released.value or []
        request = self._request(setup, value, public=not curator)
        if curator:
            card.open()
            work = partial(answer, self.declared.estimate, request, self._session.databases)
            self.curves.request(work, live=True)
        else:
            self._request_public(request)

    def _refuse(self, setup: Selection, problem: str) -> None:
        """Say why there is no ball; where none stands from before, show the records alone."""
        card, curator = self.card, self._session.state.view == "curator"
        result = self.canvas.picture.result if self.canvas and self.canvas.has_result else None
        if not curator or card.tab != "ball" or (result is not None and (result.balls or result.truth)):
            self._explain(problem)
            return
        card.open()
        set_text(card.advice, f"No ball: {problem}.")
        request = self._request(setup, None, public=False)
        self.curves.request(partial(answer_bare, request, self._session.databases), live=True)

    def _request_public(self, request: PictureRequest) -> None:
        canvas = self.card.open()
        canvas.private = False
        why = self.declared.picture(self.card.tab).title.why
        said = f"{DEMONSTRATION} {why[0].lower()}{why[1:]}" if self.card.tab in ATTEMPTS else ""
        set_text(self.card.advice, said)
        self.curves.request(partial(answer, "", request, self._session.databases))

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        curator = self._session.state.view == "curator"
        if not self._is_about(drawn.request.setup) or not (curator or drawn.public):
            return
        if drawn.picture == CLAMPED:
            self.clamped.emit(drawn.result)
        elif drawn.picture == ESTIMATE:
            self._show_estimate(drawn.result)
        elif drawn.picture == TRIES:
            self.card.show_tries(drawn.result.boxes, drawn.result.radii)
            self.card.draws.say_source(False, drawn.result.why)
        elif getattr(drawn.result, "projected", False):
            self.card.show_waiting(PROJECTED)
        elif self.canvas is None or self.canvas.picture.result is not drawn.result:
            self.card.show_result(drawn.picture, drawn.result)
            if CloseUp in self.declared.picture(drawn.picture).options:
                self.card.show_near(drawn.result.is_closeup)

    def _show_estimate(self, estimate: BallWorth | ErrorEstimate) -> None:
        unit = self._session.state.unit
        if self.card.tab not in ATTEMPTS:
            set_text(self.card.advice, advice(estimate, unit))
        self.judged.emit(expected(estimate, unit))

    def _fits(self, setup: Selection, release: Release) -> bool:
        """Tell whether as many balls were released, if any."""
        return not isinstance(release.value, list) or len(release.value) == setup.mechanism.how_many

    @property
    def _shows_releases(self) -> bool:
        return self.card.tab in ("ball", "number")

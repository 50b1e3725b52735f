"""The page "Clustering": from the data over blocks to a release, stage by stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.audit import TITLE
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.wording.expected import expected_words
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest
from app.pages.base.page import SHARED
from app.pages.base.points_page import DATA, NOTHING, DeclaredPointsPage
from app.pages.base.results import PictureResult
from app.pages.clustering.advice import advice
from app.pages.clustering.analysis import PIPELINE, answer
from app.pages.clustering.pipeline_facts import private_facts, public_facts, stages, stages_of
from app.pages.clustering.pipeline_panel import PipelinePanel
from app.session import Session
from app.theme import Palette
from app.widgets.card import Card, set_text
from app.widgets.pipeline import Pipeline
from engine.analysis.expected_error import ErrorEstimate
from engine.analysis.shared.outputs import coordinates
from engine.errors import ParameterError
from engine.mechanisms import Release


class ClusteringPage(DeclaredPointsPage):
    """Shows how a release of points is made, and each stage as a picture."""

    followed = SHARED | DATA | {"bounds", "function", "sampling", "aggregator", "guess", "trusted"}
    card: PipelinePanel

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(declared, session, jobs, palette, PipelinePanel(declared))
        self._setup: Selection | None = None
        self._found: Mapping[str, Any] = {}
        self._estimate: ErrorEstimate | None = None
        self.top = Card("From the data to a release", private=True)
        self.pipeline = Pipeline("Stages of the mechanism", stages(declared))
        self.pipeline.chosen.connect(self.show_tab)
        self.top.body.addWidget(self.pipeline)
        self.top.head.insertWidget(
            self.top.head.count() - 1, self.pipeline.beside(AUDIT, TITLE.long, TITLE.shows)
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.top)
        column.addWidget(self.card, 1)
        self.pipeline.show_choice(self.card.tab)

    def show_tab(self, tab: str) -> None:
        """Open a stage."""
        self.pipeline.show_choice(tab)
        super().show_tab(tab)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.pipeline.set_palette(palette)

    @property
    def _tabs(self) -> Collection[str]:
        curator = self._session.state.view == "curator"
        return (*(self.pipeline.shown if curator else ("release",)), AUDIT)

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        if "view" in fields:
            self._show_view(state.view == "curator")
        if "releases" in fields:
            self.card.draws.show_real()
        if fields & (DATA | {"view", "query", "function", "aggregator"}):
            self._found, self._estimate = {}, None
        if fields & (DATA | {"view", "query", "function"}):
            self._drop(state.unit)
        try:
            setup = selection(state)
        except ParameterError:
            self._setup = None
            self.pipeline.show_facts({})
            return
        self._setup = setup
        names = tuple(direction.name for direction in coordinates(setup.mechanism, setup.source))
        together = setup.mechanism.lives_with_data(setup.source.domain)
        k = setup.mechanism.space(setup.source.domain).dimension // len(names)
        self.card.show_centers(setup.mechanism.noun, k)
        self.card.show_directions(names, together and len(names) > 2 and state.view == "curator")
        self.pipeline.show_only(stages_of(self.declared, setup))
        if self.card.tab not in (*self.pipeline.shown, AUDIT):
            self.show_tab("release")
        self._show_facts()

    def _show_view(self, curator: bool) -> None:
        self.top.badge.setVisible(curator)
        for key, stage in self.pipeline.stages.items():
            stage.setEnabled(curator or key == "release")
        self.card.show_view(curator)
        if not curator and self.card.tab != AUDIT:
            self.show_tab("release")

    def _show_facts(self) -> None:
        if self._setup is not None and self._session.state.view == "curator":
            self.pipeline.show_facts(private_facts(self._setup, self._found, self._estimate))
        elif self._setup is not None:
            self.pipeline.show_facts(public_facts(self._setup))

    def _ask_about(self, setup: Selection) -> None:
        problems = setup.mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        if problems:
            self._explain(problems[0].message)
            return
        curator = self._session.state.view == "curator"
        tab = self.card.tab
        released = self._newest(setup, exactly=curator) if tab == "release" else None
        if not curator and released is None:
            self.card.show_waiting(NOTHING)
            return
        request = self._request(setup, None, public=not curator)
        assert request.picture is not None
        absent = request.picture.why_absent(setup)
        if absent:
            self.card.show_waiting(absent)
            request = dataclasses.replace(request, picture=None)
        else:
            self.card.open()
        shown = None if curator and self.card.draws.simulated else released
        self.card.draws.say_source(shown is not None)
        if shown is not None:
            request = dataclasses.replace(request, released=shown.value)
        databases = self._session.databases
        work = partial(answer, self.declared.estimate, request, databases)
        self.curves.request(work, live=curator)

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        curator = self._session.state.view == "curator"
        if drawn.public != (not curator) or not self._is_about(drawn.request.setup):
            return
        if drawn.picture == CLAMPED:
            self.clamped.emit(drawn.result)
        elif drawn.picture == PIPELINE:
            self._found = drawn.result
            self._show_facts()
        elif drawn.picture == ESTIMATE:
            self._estimate = drawn.result
            self._show_facts()
            set_text(self.card.advice, advice(drawn.request.setup, self._found, drawn.result))
            self.judged.emit(expected_words(drawn.result, self._session.state.unit))
        elif self.canvas is None or self.canvas.picture.result is not drawn.result:
            self.card.show_result(drawn.picture, drawn.result)

    def _is_about(self, setup: Any) -> bool:
        """Tell whether an answer, which may come late, is about the parts that are chosen now."""
        if self._setup is None:
            return False
        told, chosen = (
            (
                one.mechanism.name,
                one.mechanism.estimand,
                getattr(getattr(one.mechanism, "aggregator", None), "name", ""),
                one.source.columns,
            )
            for one in (setup, self._setup)
        )
        return told == chosen

    @property
    def _shows_releases(self) -> bool:
        return self.card.tab == "release"

    def _fits(self, setup: Selection, release: Release) -> bool:
        """Tell whether it has as many numbers."""
        if release.value is None:
            return False
        numbers = setup.mechanism.points_of(release.value).size
        return bool(numbers == setup.mechanism.space(setup.source.domain).dimension)

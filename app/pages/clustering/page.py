"""The page "Clustering": from the data over blocks to a release, stage by stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.audit import TITLE
from app.model.pages.clustering import SEPARATION
from app.model.picture_spec import PictureSpec, module_of
from app.model.selection import Selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.wording.grids import sentence
from app.model.wording.neighbours import WORDS
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.answering import ESTIMATE, PictureRequest, PictureWork, Publisher
from app.pages.base.results import PictureResult
from app.pages.clustering.advice import advice, offer, preview_cost
from app.pages.clustering.pipeline_facts import private_facts, public_facts, stages, stages_of
from app.session import Session
from app.widgets.card import Card
from app.widgets.pipeline import Pipeline
from app.widgets.stale_overlay import StaleOverlay
from engine.analysis.expected_error import ErrorEstimate
from engine.analysis.preparing import prepare
from engine.mechanisms import Release
from engine.progress import part

PIPELINE = "pipeline"
"""What is published of the prepared mechanism, for the words of the stages (private)."""
ALTERNATIVE, OFFERING = "alternative", "release"
"""What is published of other mechanisms (private), and the picture beside which the best is offered."""


class ClusteringPage(AnalysisPage):
    """Shows how a release of points is made, and each stage as a picture."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.top = Card("From the data to a release", private=True)
        super().__init__(declared, session, jobs, palette, self.top)
        self._answered: set[str] = set()
        self._found: Mapping[str, Any] = {}
        self._estimate: ErrorEstimate | None = None
        self.pipeline = Pipeline(
            "Stages of the mechanism", stages(declared, WORDS[session.state.neighbours]), apart=(SEPARATION,)
        )
        # no mechanism has all of them, which would make the window wider in large type
        self.pipeline.show_only(tuple(self.pipeline.stages)[:1])
        self.pipeline.chosen.connect(self.show_tab)
        self.top.body.addWidget(self.pipeline)
        self.top.head.insertWidget(
            self.top.head.count() - 1, self.pipeline.beside(AUDIT, TITLE.name, TITLE.shows)
        )
        self._old_facts = StaleOverlay(self.pipeline)
        self.card.tabs.hide()  # the stages are tabs
        self._show_stage()
        self.card.tabs.currentChanged.connect(self._show_stage)

    def set_palette(self, palette: Palette) -> None:
        super().set_palette(palette)
        self.pipeline.set_palette(palette)
        self._old_facts.set_palette(palette)

    @property
    def modules(self) -> Sequence[str]:
        return tuple(dict.fromkeys(module_of(spec.drawn_by) for spec in self.declared.pictures))

    def _show_stage(self) -> None:
        """Say which stage is open."""
        tab = self.card.tab
        if tab != OFFERING:
            self.card.alternative.show_offer(None)
        self.pipeline.show_choice(tab)
        spec = self.card.spec
        is_shown = spec is None or self._curator
        self.card.set_title(
            (self.card.titles[spec.name] if spec else TITLE).shows if is_shown else "What was released"
        )

    def _offered(self, setup: Selection) -> Collection[PictureSpec]:
        return [self.declared.picture(stage) for stage in stages_of(self.declared, setup)]

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        if "view" in fields:
            self.top.badge.setVisible(self._curator)
            for key, stage in self.pipeline.stages.items():
                stage.setEnabled(self._may_see(key))
        if "aggregator" in fields:
            self._forget_facts()
        super()._follow(fields, seen)
        self._show_stage()

    def _forget(self) -> None:
        super()._forget()
        self._forget_facts()

    def _forget_facts(self) -> None:
        """Say nothing any more that a worker has found."""
        self._found, self._estimate = {}, None
        self._old_facts.draw(False)

    def _outdate(self, changed: frozenset[str]) -> None:
        super()._outdate(changed)
        if changed - {"page"}:
            self._answered = set()
            self._old_facts.draw(bool(self._found or self._estimate))

    def _answer(self, request: PictureRequest, fact: str) -> None:
        """Show the facts as they are once all of them are about the choices of now."""
        if request is self.card.freshness.newest:
            self._answered.add(fact)
        if self._answered >= {PIPELINE, ESTIMATE}:
            self._old_facts.draw(False)

    def _take_back(self) -> None:
        super()._take_back()
        if self._old_facts.is_drawn:
            if PIPELINE not in self._answered:
                self._found = {}
            if ESTIMATE not in self._answered:
                self._estimate = None
            self._old_facts.draw(False)
            if self._setup is not None:
                self._show_facts(self._setup)

    def _problem(self, setup: Selection, spec: PictureSpec) -> str:
        return super()._problem(setup, spec) or (preview_cost(setup) if spec.runs else "")

    def _refuse(self, setup: Selection, problem: str) -> None:
        if preview_cost(setup):
            self.card.show_waiting(sentence(problem))
        else:
            super()._refuse(setup, problem)

    def _show_setup(self, setup: Selection) -> None:
        offered = stages_of(self.declared, setup)
        self.pipeline.show_only(offered)
        if self.card.tab not in (*offered, AUDIT):
            self.show_tab("release")
        super()._show_setup(setup)
        self._show_facts(setup)

    def _show_no_setup(self) -> None:
        self.pipeline.show_facts({})
        super()._show_no_setup()

    def _show_facts(self, setup: Selection) -> None:
        private = self._curator
        facts = private_facts(setup, self._found, self._estimate) if private else public_facts(setup)
        self.pipeline.show_facts(facts)

    @property
    def _work(self) -> PictureWork:
        if self._setup is None or preview_cost(self._setup):
            return PictureWork()
        # the data are seen before anything is worked out
        at_once = self.card.spec is not None and not self.card.spec.runs
        before, after = ((), (publish_stages,)) if at_once else ((publish_stages,), ())
        offering = self.card.tab == OFFERING and self._session.state.lesson is None
        late = (publish_alternative,) if offering else ()
        return dataclasses.replace(super()._work, before=before, after=after, late=late)

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        if drawn.picture not in (PIPELINE, ALTERNATIVE):
            super()._on_drawn(drawn)
        elif not self._curator or not self._is_about(drawn.request.setup):
            return
        elif drawn.picture == ALTERNATIVE:
            if drawn.request is self.card.freshness.newest:
                self.card.alternative.show_offer(offer(drawn.result))
        else:
            self._found = drawn.result
            self._answer(drawn.request, PIPELINE)
            self._show_facts(drawn.request.setup)

    def _show_estimate(self, estimate: ErrorEstimate, request: PictureRequest) -> None:
        super()._show_estimate(estimate, request)
        self._estimate = estimate
        self._answer(request, ESTIMATE)
        self._show_facts(request.setup)
        text = advice(request.setup, self._found, estimate)
        self.card.freshness.say(self.card.advice, text, request)

    def _identity(self, setup: Selection) -> Hashable:
        mechanism = setup.mechanism
        part = getattr(getattr(mechanism, "aggregator", None), "name", "")
        return mechanism.name, mechanism.estimand, part, setup.source.columns

    def _fits(self, setup: Selection, release: Release) -> bool:
        if release.value is None:
            return False
        numbers = setup.mechanism.points_of(release.value).size
        return bool(numbers == setup.mechanism.space(setup.source.domain).dimension)


def publish_stages(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish what a prepared mechanism knows of its stages (private)."""
    ready = prepare(request.setup.mechanism, data, request.setup.privacy, part(task, 0.0, 0.4))
    task.publish(PictureResult(PIPELINE, ready.diagnostics, request))


def publish_alternative(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish the mechanism that would do best in the place of the chosen one (private)."""
    # here, in a worker: importing what compares mechanisms holds the window up for 50 ms
    from engine.analysis.points_errors import best_alternative

    match = best_alternative(request.setup.mechanism, data, request.setup.privacy, progress=task)
    task.publish(PictureResult(ALTERNATIVE, match, request))

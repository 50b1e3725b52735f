"""The page "Clustering": the stages from the data to a release."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.audit import TITLE
from app.model.pages.clustering import AGGREGATE, AGREEMENT, SEPARATION
from app.model.picture_spec import PictureSpec
from app.model.references import Loader
from app.model.selection import Selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.wording.neighbours import WORDS, NeighbourWords
from app.model.wording.numbers import format_count, number, quantity, superscript
from app.model.wording.releases import sentence
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.page_part import PagePart
from app.pages.base.request import ESTIMATE, PictureRequest, PictureResult, Publisher, Step, publish_picture
from app.pages.clustering.advice import advice, offer, preview_cost
from app.session import Session
from app.widgets.pipeline import Fact, Pipeline
from app.widgets.stale_overlay import StaleOverlay
from engine.analysis.expected_error import ErrorEstimate
from engine.analysis.preparing import prepare
from engine.components import part_of
from engine.mechanisms import NoisyHistogram, Release
from engine.mechanisms.points import points_of
from engine.progress import part

PIPELINE = "pipeline"
"""The name of results about the stages (private)."""
ALTERNATIVE, OFFERING = "alternative", "release"
"""The name of results about other mechanisms (private), and the picture that shows the offer."""

LINE = 14
"""The most characters of a line."""

Facts = dict[str, tuple[Fact, ...]]


class PipelinePanel(PagePart):
    """Shows the stages of the mechanism, with facts about each."""

    def __init__(self, declared: PageSpec, session: Session) -> None:
        super().__init__("From the data to a release", private=True)
        self._declared = declared
        self._session = session
        self._current: set[str] = set()  # which of the two below are current
        self.diagnostics: Mapping[str, Any] = {}  # of the prepared mechanism (private)
        self.estimate: ErrorEstimate | None = None  # (private)
        self.pipeline = Pipeline(
            "Stages of the mechanism", stages(declared, WORDS[session.state.neighbours]), apart=(SEPARATION,)
        )
        # no mechanism has all stages; together they would widen the window in large type
        self.pipeline.show_only(tuple(self.pipeline.stages)[:1])
        self.body.addWidget(self.pipeline)
        self.head.insertWidget(self.head.count() - 1, self.pipeline.beside(AUDIT, TITLE.name, TITLE.shows))
        self._overlay = StaleOverlay(self.pipeline)

    @property
    def is_dimmed(self) -> bool:
        """Whether the facts are outdated."""
        return self._overlay.is_drawn

    def set_palette(self, palette: Palette) -> None:
        self.pipeline.set_palette(palette)
        self._overlay.set_palette(palette)

    def show_setup(self, setup: Selection | None) -> None:
        if setup is None:
            self.pipeline.show_facts({})
            return
        self.pipeline.show_only(stages_of(self._declared, setup))
        private = self._session.state.view == "curator"
        self.pipeline.show_facts(
            private_facts(setup, self.diagnostics, self.estimate) if private else public_facts(setup)
        )

    def show_diagnostics(self, diagnostics: Mapping[str, Any], setup: Selection, *, newest: bool) -> None:
        """Show the facts of a prepared mechanism."""
        self.diagnostics = diagnostics
        self._accept(PIPELINE, setup, newest)

    def show_estimate(self, estimate: ErrorEstimate, setup: Selection, *, newest: bool) -> None:
        """Show the expected error."""
        self.estimate = estimate
        self._accept(ESTIMATE, setup, newest)

    def _accept(self, result: str, setup: Selection, newest: bool) -> None:
        """Undim the facts once all of them are current."""
        if newest:
            self._current.add(result)
        if self._current >= {PIPELINE, ESTIMATE}:
            self._overlay.draw(False)
        self.show_setup(setup)

    def outdate(self, changed: frozenset[str]) -> None:
        self._current = set()
        self._overlay.draw(bool(self.diagnostics or self.estimate))

    def clear_outdated(self, setup: Selection | None) -> None:
        """Drop outdated facts that no worker will replace."""
        if self._overlay.is_drawn:
            if PIPELINE not in self._current:
                self.diagnostics = {}
            if ESTIMATE not in self._current:
                self.estimate = None
            self._overlay.draw(False)
            if setup is not None:
                self.show_setup(setup)

    def forget(self) -> None:
        self.diagnostics, self.estimate = {}, None
        self._overlay.draw(False)


class ClusteringPage(AnalysisPage):
    """Shows the stages of a release of points, each as a picture."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.stages = PipelinePanel(declared, session)
        self.pipeline = self.stages.pipeline
        super().__init__(declared, session, jobs, palette, self.stages)
        self.pipeline.chosen.connect(self.show_tab)
        self.card.tabs.hide()  # the stages are tabs
        self._show_stage()
        self.card.tabs.currentChanged.connect(self._show_stage)

    @property
    def loaders(self) -> Sequence[Loader]:
        return tuple(self.declared.drawn_by.values())

    def _show_stage(self) -> None:
        """Mark the stage that is open."""
        tab, spec = self.card.tab, self.card.spec
        if tab != OFFERING:
            self.card.alternative.show_offer(None)
        self.pipeline.show_choice(tab)
        is_shown = spec is None or self._curator
        title = self.card.titles[spec.name] if spec else TITLE
        self.card.set_title(title.shows if is_shown else "Release")

    def _offered(self, setup: Selection) -> Collection[PictureSpec]:
        return [self.declared.picture(stage) for stage in stages_of(self.declared, setup)]

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        if "view" in fields:
            self.stages.badge.setVisible(self._curator)
            for key, stage in self.pipeline.stages.items():
                stage.setEnabled(self._may_see(key))
        if "aggregator" in fields:
            self.stages.forget()
        super()._follow(fields, seen)
        self._show_stage()

    def _clear_outdated(self) -> None:
        super()._clear_outdated()
        self.stages.clear_outdated(self._setup)

    def _problem(self, setup: Selection, spec: PictureSpec) -> str:
        return super()._problem(setup, spec) or (preview_cost(setup) if spec.runs else "")

    def _refuse(self, setup: Selection, problem: str) -> None:
        if preview_cost(setup):
            self.card.show_waiting(sentence(problem))
        else:
            super()._refuse(setup, problem)

    def _show_setup(self, setup: Selection) -> None:
        if self.card.tab not in (*stages_of(self.declared, setup), AUDIT):
            self.show_tab("release")
        super()._show_setup(setup)

    def _steps(self, request: PictureRequest) -> tuple[Step, ...]:
        if request.public or preview_cost(request.setup):
            return (publish_picture,)
        # show the data before any computation
        at_once = self.card.spec is not None and not self.card.spec.runs
        _, *others = super()._steps(request)
        first = (publish_picture, publish_stages) if at_once else (publish_stages, publish_picture)
        offering = self.card.tab == OFFERING and self._session.state.lesson is None
        return (*first, *others, *((publish_alternative,) if offering else ()))

    def _on_result(self, result: PictureResult) -> None:
        if result.picture not in (PIPELINE, ALTERNATIVE):
            super()._on_result(result)
            return
        request, newest = result.request, result.request is self.card.stale.newest
        if not self._curator or not self._is_about(request.setup):
            return
        if result.picture == PIPELINE:
            self.stages.show_diagnostics(result.result, request.setup, newest=newest)
        elif newest:
            self.card.alternative.show_offer(offer(result.result))

    def _show_estimate(self, estimate: ErrorEstimate, request: PictureRequest) -> None:
        super()._show_estimate(estimate, request)
        newest = request is self.card.stale.newest
        self.stages.show_estimate(estimate, request.setup, newest=newest)
        text = advice(request.setup, self.stages.diagnostics, estimate)
        self.card.stale.say(self.card.advice, text, request)

    def _identity(self, setup: Selection) -> Hashable:
        mechanism = setup.mechanism
        part = getattr(getattr(mechanism, "aggregator", None), "name", "")
        return mechanism.name, mechanism.estimand, part, setup.source.columns

    def _fits(self, setup: Selection, release: Release) -> bool:
        if release.value is None:
            return False
        numbers = points_of(setup.mechanism, release.value).size
        return bool(numbers == setup.mechanism.space(setup.source.domain).dimension)


def publish_stages(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish the facts of a prepared mechanism about its stages (private)."""
    ready = prepare(request.setup.mechanism, data, request.setup.privacy, progress=part(task, 0.0, 0.4))
    task.publish(PictureResult(PIPELINE, ready.diagnostics, request))


def publish_alternative(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish the best alternative to the chosen mechanism (private)."""
    # imported in the worker: it takes 50 ms
    from engine.analysis.points_errors import best_alternative

    match = best_alternative(request.setup.mechanism, data, request.setup.privacy, progress=task)
    task.publish(PictureResult(ALTERNATIVE, match, request))


def stages(page: PageSpec, neighbour_words: NeighbourWords) -> dict[str, tuple[str, str]]:
    """Return name and description of each stage."""
    titles = {spec.name: spec.title.about(neighbour_words) for spec in page.pictures}
    return {name: (title.name, title.why) for name, title in titles.items()}


def stages_of(page: PageSpec, setup: Selection) -> tuple[str, ...]:
    """Return the stages of a mechanism."""
    return tuple(spec.name for spec in page.pictures if not spec.why_absent(setup))


def public_facts(setup: Selection) -> Facts:
    """Return the public facts of a stage."""
    source, mechanism = setup.source, setup.mechanism
    d = len(source.columns)
    facts: Facts = {"data": (Fact(f"n = {format_count(source.n)}"), Fact(f"{d} column{'s' * (d > 1)}"))}
    dimension = mechanism.space(source.domain).dimension
    k = dimension // d if mechanism.vectors.unordered else 1
    facts["release"] = (
        Fact(
            f"{k} center{'s' * (k > 1)}"
            if mechanism.vectors.unordered
            else f"{dimension} number{'s' * (dimension > 1)}"
        ),
    )
    facts[SEPARATION] = (Fact("only read"),)
    if hasattr(mechanism, "histogram"):  # it uses the cells of one
        made = mechanism.histogram(source.domain, source.n, setup.privacy)
        bins = f"{made.bins}{superscript(d)} cells" if isinstance(made, NoisyHistogram) else ""
        facts["cells"] = (Fact("grid"), Fact(bins)) if bins else (Fact(made.label),)
    if not part_of(mechanism, "sampling"):
        facts["noise"] = _lines(mechanism.facts.hides)
        return facts
    sampling, family = mechanism.sampling, getattr(mechanism.aggregator, "noise", None)
    s, _ = sampling.overlap(source.n)
    facts["blocks"] = (
        Fact(f"{format_count(sampling.blocks)} × {format_count(sampling.block_size(source.n))}"),
        Fact(f"s = {s}"),
    )
    facts["outputs"] = (
        Fact(
            f"{format_count(sampling.blocks)} of {k} × {d}"
            if mechanism.vectors.unordered
            else f"D = {dimension}"
        ),
    )
    facts[_aggregating(mechanism)] = _lines(mechanism.aggregator.label)
    facts["noise"] = _lines(family.label if family else mechanism.aggregator.hides)
    return facts


def private_facts(setup: Selection, results: Mapping[str, Any], estimate: ErrorEstimate | None) -> Facts:
    """Return public and confidential facts of a stage."""
    facts, unit = public_facts(setup), setup.unit
    if "fell_back" in results:
        fell_back = results["fell_back"]
        facts["outputs"] += (Fact(f"{format_count(fell_back)} fell back", True),)
    noise = getattr(getattr(setup.mechanism, "aggregator", None), "noise", None)
    if "smooth" in results and noise is not None:
        bound = Fact(f"S = {quantity(results['smooth'], unit)}", True)
        radius = (Fact(f"r = {quantity(results['radius'], unit)}", True),) if "radius" in results else ()
        stage = _aggregating(setup.mechanism)
        facts[stage] = (*(radius or facts[stage][:1]), bound)
        facts["noise"] = (Fact(noise.name), Fact(f"scale {number(results['scale'])}", True))
    elif "scale" in results:
        facts["noise"] += (Fact(f"scale {number(_largest(results['scale']))}"),)
    if estimate is not None:
        facts["release"] += (Fact(f"error {quantity(estimate.errors.typical, unit)}", True),)
    return facts


def _aggregating(mechanism: Any) -> str:
    """Return the stage that combines all outputs into one."""
    return AGGREGATE if mechanism.aggregator.by_radii else AGREEMENT


def _lines(text: str) -> tuple[Fact, ...]:
    """Wrap a label for a box."""
    return tuple(map(Fact, textwrap.wrap(text, LINE)[:2]))


def _largest(scale: Any) -> float:
    return float(max(scale)) if hasattr(scale, "__len__") else float(scale)

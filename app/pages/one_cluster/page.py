"""The page "1-cluster": a small ball with many points, the steps to find it, and its quality."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.references import Analysis
from app.model.selection import Selection
from app.model.wording.guarantees import promise_sentence
from app.model.wording.numbers import number
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.page_part import PagePart
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.request import PictureRequest, PictureResult, Publisher, Step
from app.session import Session
from app.widgets.stacked_bar import BarPiece, StackedBar
from engine import analysis as scenes
from engine.analysis.ball_scenes import found_in_run
from engine.errors import ParameterError
from engine.mechanisms import BallMechanism, Release, ScreenedMean
from engine.mechanisms.one_cluster import Share
from engine.progress import part

RUN = "run"
"""The results of the shown simulated run (private)."""

PROJECTED = (
    "In so many dimensions, boxes exist only in a random projection to 25 axes, not in the space of the data."
)
MEAN_HELP = (
    "A released ball is public and excludes outliers. The mean of the points inside needs noise for the "
    "size of the ball only. Both releases use the budget."
)
OF_ONE_RUN = ("ball", "radius", "boxes")
"""Pictures of a single run."""

RECORDS = Analysis(lambda: scenes.records_scene)
"""The records alone, without a ball."""

STEPS = "Steps to a small ball with many records, and their budget"
MORE = (
    "The ball shows a dense spot, or data without outliers. Steps compose: together they cost exactly the "
    "budget at the right."
)


class StepsPanel(PagePart):
    """Shows the budget of each step; explains the guarantee on request."""

    below_tabs = True

    def __init__(self) -> None:
        super().__init__(STEPS)
        self.bar = StackedBar(STEPS)
        self.body.addWidget(self.bar)

    def is_seen(self, card: PicturePanel, height: int, scale: float, *, curator: bool) -> bool:
        return scale == 1  # in large type the picture needs the space

    def show_setup(self, setup: Selection | None) -> None:
        self.bar.show_pieces([piece(share) for share in shares(setup)])
        self.bar.setWhatsThis(f"{MORE} {'' if setup is None else promise_sentence(setup)}".strip())


def shares(setup: Selection | None) -> tuple[Share, ...]:
    """Return the cost of each step."""
    if setup is None:
        return ()
    mechanism = setup.mechanism
    if mechanism.facts.shape != "balls":
        return (Share(mechanism.name, mechanism.label, mechanism.cost(setup.privacy)),)
    try:
        return tuple(mechanism.shares(setup.source.domain, setup.source.n, setup.privacy))
    except ParameterError:
        return ()


def piece(share: Share) -> BarPiece:
    delta = f", δ {number(share.privacy.delta, 2)}" if share.privacy.delta else ""
    text = f"ε {number(share.privacy.epsilon)}{delta}"
    return BarPiece(share.purpose, share.privacy.epsilon, text, share.label)


class OneClusterPage(AnalysisPage):
    """Shows a ball among the data, and each step that leads to it."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs) -> None:
        super().__init__(declared, session, jobs, StepsPanel())
        self.mean = self.card.add_button("Next: mean inside the &ball", MEAN_HELP, "ball")
        self.mean.clicked.connect(self.release_mean)

    def release_mean(self) -> None:
        """Request the mean inside the ball, with the settings of the ball."""
        if not self.is_open:  # a late click
            return
        state = self._session.state
        mean = state.known.specify("mechanism", ScreenedMean.name)
        mean = dataclasses.replace(mean, values={**mean.values, **state.mechanism.values})
        self._session.edit("release the mean inside the ball", **state.choosing(mean))

    def _show_setup(self, setup: Selection) -> None:
        self.mean.setEnabled(setup.mechanism.name == "one-cluster")
        super()._show_setup(setup)

    def value_of(self, release: Release) -> Any:
        # a run without a ball is a release, too
        return [] if release.value is None else release.value

    def _refuse(self, setup: Selection, problem: str) -> None:
        """Say why there is no ball; show the records alone unless an older ball is visible."""
        result = self.canvas.result if self.canvas else None
        spec = self.card.spec
        if not self._curator or self.card.tab != "ball" or (result and (result.balls or result.truth)):
            super()._refuse(setup, problem)
            return
        assert spec is not None
        self.card.open()
        self.card.tell(f"No ball: {problem}.")
        bare = dataclasses.replace(spec, analysis=RECORDS)
        self.requester.send(PictureRequest(setup, bare, self.card.arguments))

    def _steps(self, request: PictureRequest) -> tuple[Step, ...]:
        steps = super()._steps(request)
        return steps if request.public else (publish_run, *steps)

    def _on_result(self, result: PictureResult) -> None:
        if result.picture != RUN:
            super()._on_result(result)
        elif self._curator and self._is_about(result.request.setup):
            self.card.take(result.result, result.request.options)
            if self.card.draws is not None:
                self.card.draws.say_source(False, result.result.why)

    def why_nothing(self, result: Any) -> str:
        return PROJECTED if getattr(result, "projected", False) else ""

    def _fits(self, setup: Selection, release: Release) -> bool:
        mechanism = setup.mechanism
        if not isinstance(mechanism, BallMechanism) or not isinstance(release.value, list):
            return True
        return len(release.value) == mechanism.search.k


def publish_run(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish the steps of the shown simulated run (private)."""
    if request.picture is None or request.picture.name not in OF_ONE_RUN or request.released is not None:
        return
    options = {name: request.options[name] for name in ("seed", "ball")}
    setup, progress = request.setup, part(task, 0.0, 0.5)
    result = found_in_run(setup.mechanism, data, setup.privacy, **options, progress=progress)
    task.publish(PictureResult(RUN, result, request))

"""The page "1-cluster": a small ball that holds many points, how it is found, and what it is worth."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec
from app.model.references import DATA, Late, known
from app.model.selection import Selection
from app.model.theme import Palette
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.answering import PictureRequest, PictureWork, Publisher
from app.pages.base.results import PictureResult
from app.pages.one_cluster.steps_panel import StepsPanel
from app.session import Session
from engine import analysis as scenes
from engine.analysis.ball_scenes import found_in_run
from engine.mechanisms import BallMechanism, Release, ScreenedMean
from engine.progress import part

RUN = "run"
"""What is published of the simulated run that is looked at (private)."""

PROJECTED = (
    "In so many dimensions boxes are drawn in a random projection to 25 axes; they have no place in the "
    "space of the data."
)
MEAN_HELP = (
    "The ball is public once it is released: it screens outliers off, and the mean of what is inside needs "
    "noise for the ball's size only. Both releases share the budget."
)
OF_ONE_RUN = ("ball", "radius", "boxes")
"""Pictures of a single run."""

STEPS = ("radius", "boxes")
"""Pictures of a step of the way to a ball, beside what the steps cost."""


RECORDS = Late(lambda: scenes.records_scene).takes(data=DATA, across=known("across"), up=known("up"))
"""The records alone, without a ball."""


class OneClusterPage(AnalysisPage):
    """Shows a ball among the data, and each step that leads to it."""

    unreleased = "The newest release found nothing; its budget is spent all the same."

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        self.top = StepsPanel()
        super().__init__(declared, session, jobs, palette, self.top)
        self.mean = self.card.add_button(1, "Then the mean inside the &ball", MEAN_HELP, "ball")
        self.mean.clicked.connect(self.release_mean)
        self.card.asked.connect(self._fold)

    def set_palette(self, palette: Palette) -> None:
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

    def _show_setup(self, setup: Selection) -> None:
        self.top.show_setup(setup)
        self.mean.setEnabled(setup.mechanism.name == "one-cluster")
        super()._show_setup(setup)

    def _show_no_setup(self) -> None:
        self.top.show_setup(None)
        super()._show_no_setup()

    def _requested(self, setup: Selection, spec: PictureSpec, released: Release | None) -> PictureRequest:
        request = super()._requested(setup, spec, released)
        # a run that has found nothing is a release, too
        nothing = released is not None and released.value is None
        return dataclasses.replace(request, released=[]) if nothing else request

    def _refuse(self, setup: Selection, problem: str) -> None:
        """Say why there is no ball; where none stands from before, show the records alone."""
        result = self.canvas.result if self.canvas else None
        spec = self.card.spec
        if not self._curator or self.card.tab != "ball" or (result and (result.balls or result.truth)):
            super()._refuse(setup, problem)
            return
        assert spec is not None
        self.card.open()
        self.card.tell(f"No ball: {problem}.")
        bare = dataclasses.replace(spec, analysis=RECORDS)
        request = PictureRequest(setup, bare, self.card.arguments)
        self._put(request, partial(PictureWork().answer, request, self._session.databases), live=True)

    @property
    def _work(self) -> PictureWork:
        return dataclasses.replace(super()._work, before=(publish_run,))

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        if drawn.picture == RUN and self._curator and self._is_about(drawn.request.setup):
            self.card.take(drawn.result, drawn.request.options)
            if self.card.draws is not None:
                self.card.draws.say_source(False, drawn.result.why)
        else:
            super()._on_drawn(drawn)

    def why_nothing(self, result: Any) -> str:
        return PROJECTED if getattr(result, "projected", False) else ""

    def _fits(self, setup: Selection, release: Release) -> bool:
        mechanism = setup.mechanism
        if not isinstance(mechanism, BallMechanism) or not isinstance(release.value, list):
            return True
        return len(release.value) == mechanism.search.k


def publish_run(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish how a ball was found in the simulated run that is looked at (private)."""
    if request.picture is None or request.picture.name not in OF_ONE_RUN or request.released is not None:
        return
    options = {name: request.options[name] for name in ("seed", "ball")}
    find = partial(found_in_run, request.setup.mechanism, data, request.setup.privacy, **options)
    task.publish(PictureResult(RUN, find(progress=part(task, 0.0, 0.5)), request))

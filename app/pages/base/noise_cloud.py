"""Possible answers in the picture of a page's data, and their handle, which changes epsilon."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, QVariantAnimation
from PySide6.QtWidgets import QStyle

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.model.state import EPSILON_RANGE
from app.model.wording.numbers import number
from app.pages.base.request import PictureRequest
from app.releases.registry import SHAPES
from app.session import DRAG, Session
from app.widgets.card import Card
from engine.analysis.memory import is_remembered, remembered
from engine.analysis.possible_answers import SEED, ErrorCurve, answers_around, error_curve
from engine.array_types import Floats
from engine.mechanisms.release import Release

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

FRAME_MS, FADE_MS = 160, 500
"""Milliseconds for which one answer is drawn strongly, and in which the truth fades."""
NO_ANSWER = "The method refused to answer in every simulated run: no possible answers are shown."
NO_PLACE = "This picture cannot show the answer, so no possible answers are shown."
NOT_PUBLIC = "No possible answers are shown: they need a release whose noise has a public width."
NOTE = "{count} possible answers at ε = {epsilon}, simulated with seed {seed}."
PUBLIC_NOTE = "{count} plausible true answers around the release, simulated with seed {seed}."
TIP = "Possible answers (N); pull the handle to change ε"


@dataclasses.dataclass(frozen=True, eq=False)
class DrawnAnswers:
    """Possible answers for a request, and the errors for other epsilons once they are known.

    Private, unless the request is public: then they lie around a release with public noise.
    """

    request: PictureRequest
    answers: tuple[Any, ...]  # as `Picture.answer_path` takes them
    curve: ErrorCurve | None = None


def publish_answers(
    request: PictureRequest,
    databases: DatabaseCache,
    page: Any,
    around: Release | None,
    task: JobTask,
) -> None:
    """Publish possible answers, then the curve of the handle (in a worker)."""
    setup, spec = request.setup, request.picture
    mechanism, privacy = setup.mechanism, setup.privacy
    data: Any = None
    if request.public:
        releases = [] if around is None else answers_around(around, seed=SEED)
    else:
        data = databases.get(setup.source)
        draw = SHAPES[mechanism.facts.shape].possible_answers
        releases = draw(mechanism, data, privacy, seed=SEED, progress=task)
    answers = [release.value for release in releases]
    if spec is not None:  # each is drawn as if it was released
        known = request.known(data, task)
        values = map(page.value_of, releases)
        answers = [spec.compute({**known, "released": one}, public=spec.is_public) for one in values]
    drawn = DrawnAnswers(request, tuple(answers))
    key = ("error curve", mechanism, privacy.delta)
    if data is None or not answers or not is_remembered(data, key):  # else it is drawn once
        task.publish(drawn)
    if data is None or not answers:
        return
    lowest, highest = EPSILON_RANGE
    curve = partial(error_curve, lowest=lowest, highest=highest, seed=SEED, progress=task)
    result = remembered(data, key, lambda: curve(mechanism, data, privacy))
    task.publish(dataclasses.replace(drawn, curve=result))


class NoiseCloud(QObject):
    """Shows possible answers in the picture of the data of a page while it is switched on.

    One answer after another is drawn strongly, unless the desktop asks for less motion. `page` is an
    `AnalysisPage`.
    """

    def __init__(self, page: Any, session: Session, jobs: Jobs) -> None:
        super().__init__(page)
        self._page = page
        self._session = session
        self.on = False
        self.channel = jobs.channel(f"possible answers of {page.name}", self._on_result)
        self._request: PictureRequest | None = None
        self._drawn: DrawnAnswers | None = None
        self._canvas: PlotCanvas | None = None
        self._paths: list[Floats] = []
        self._subject: tuple[object, ...] = ()  # answers and result of these paths
        self._pulls = 0
        self._start: float | None = None  # epsilon before the handle was pulled
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self.step)
        card: Card = page.noise_part or page.card
        label = "Possible answers" if page.noise_part else ""  # beside tabs there is no room for them
        self.button = card.add_tool("noise", TIP, label, checkable=True)
        self.button.clicked.connect(self.switch)

    def toggle(self) -> None:
        """Show possible answers, or hide them."""
        self.switch(not self.on)

    def switch(self, on: bool) -> None:
        """Show possible answers, or hide them."""
        self.on = on
        self.button.setChecked(on)
        self._page.show_noise(on)
        if on:
            self._ask()
        else:
            self.channel.cancel()
            self._forget()

    def follow(self, request: PictureRequest) -> None:
        """Take the newest request of the page."""
        self._request = request
        self.button.setEnabled(self._page.noise_canvas is not None)
        self.refresh()

    def refresh(self) -> None:
        """Draw the answers again, if they are shown."""
        if self.on:
            self._ask()

    def fade(self, then: Callable[[], None]) -> None:
        """Let all but the answers fade from the picture, and then do something."""
        canvas = self._canvas
        if canvas is None or canvas.surface is None or not self.moves or not canvas.picture.cloud.active:
            then()
            return
        cloud = canvas.picture.cloud

        def show(faded: float) -> None:
            cloud.faded = faded
            canvas.draw_answers()

        self._fading = QVariantAnimation(self, duration=FADE_MS, startValue=0.0, endValue=1.0)
        self._fading.valueChanged.connect(show)
        self._fading.finished.connect(then)
        self._fading.start()

    def forget(self) -> None:
        """Hide answers about other data, or about another view."""
        self.channel.cancel()
        self._request = None
        self._forget()

    def step(self) -> None:
        """Draw the next answer strongly."""
        if self._canvas is not None and self._canvas.surface is not None:
            self._canvas.picture.cloud.step()
            self._canvas.draw_answers(strong=True)

    def pause(self) -> None:
        """Let the answers stand still, or move again."""
        if self._timer.isActive():
            self._timer.stop()
        elif self._drawn is not None:
            self._timer.start()

    def _ask(self) -> None:
        request, canvas = self._request, self._page.noise_canvas
        if canvas is not self._canvas:
            self._forget()
            self._connect(canvas)
        if request is None or canvas is None:
            self.channel.cancel()
            return
        request, around = self._page.noise_request(request)
        work = partial(publish_answers, request, self._session.databases, self._page, around)
        self.channel.request(work, live=not request.public)

    def _connect(self, canvas: PlotCanvas | None) -> None:
        slots = {"updated": self._draw, "pulled": self._on_pulled, "paused": self.pause}
        for name, slot in slots.items():
            if self._canvas is not None:
                getattr(self._canvas, name).disconnect(slot)
            if canvas is not None:
                getattr(canvas, name).connect(slot)
        self._canvas = canvas

    def _on_result(self, drawn: DrawnAnswers) -> None:
        if not self.on or drawn.request.public != self._page.is_public:
            return
        if drawn.curve is None and self._drawn is not None and self._start is not None:
            # a pull changes epsilon alone, and its handle stays
            drawn = dataclasses.replace(drawn, curve=self._drawn.curve)
        first, self._drawn = self._drawn is None, drawn
        if first and self.moves:
            self._timer.start()
        self._draw()

    @property
    def moves(self) -> bool:
        """Whether answers may move: not if the desktop asks for less motion."""
        hint = QStyle.StyleHint.SH_Widget_Animation_Duration
        return bool(self._page.style().styleHint(hint, None, self._page) > 0)

    def _draw(self) -> None:
        """Draw the answers over the picture as it is now."""
        drawn, canvas = self._drawn, self._canvas
        if drawn is None or canvas is None or not canvas.has_picture or canvas.picture.result is None:
            return
        picture = canvas.picture
        subject = drawn.answers, picture.result
        if [*map(id, subject)] != [*map(id, self._subject)]:
            self._subject = subject
            self._paths = [picture.answer_path(picture.result, answer) for answer in drawn.answers]
        paths = self._paths
        strong = False
        if not any(len(path) for path in paths):
            picture.cloud.hide()
            none = NOT_PUBLIC if self._page.is_public else NO_PLACE if paths else NO_ANSWER
            self._page.card.say(none)
        else:
            epsilon, curve, ratio = self._session.state.epsilon, drawn.curve, 1.0
            if curve is not None and self._start is not None:  # until the answers for it are there
                ratio = curve.error(epsilon) / curve.error(drawn.request.setup.privacy.epsilon)
            handle = curve is not None and curve.epsilons.size > 1
            note, drawn_for = PUBLIC_NOTE if drawn.request.public else NOTE, drawn.request.setup.privacy
            known = {"count": len(paths), "epsilon": number(drawn_for.epsilon), "seed": SEED}
            canvas.answers_note = note.format(**known)
            strong = picture.cloud.show(paths, ratio, f"ε = {number(epsilon)}", handle=handle)
        canvas.draw_answers(strong=strong)

    def _on_pulled(self, ratio: float) -> None:
        """Choose the epsilon whose error is `ratio` times that before the pull; 0 ends the pull."""
        if self._drawn is None or self._drawn.curve is None or self._canvas is None:
            return
        curve = self._drawn.curve
        if ratio == 0.0:
            self._start = None
            self._canvas.picture.cloud.let_go()
        else:
            if self._start is None:
                self._start = self._session.state.epsilon
                self._pulls += 1
            epsilon = curve.epsilon(ratio * curve.error(self._start))
            self._session.edit("change epsilon", merge=f"{DRAG}{self._pulls}", epsilon=epsilon)
        self._draw()

    def _forget(self) -> None:
        self._timer.stop()
        self._drawn = self._start = None
        if self._canvas is not None and self._canvas.surface is not None:
            self._canvas.picture.cloud.hide()
            self._canvas.draw_answers()

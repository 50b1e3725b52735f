"""An analysis page, made from its declaration: pictures in tabs, a caption, and the expected error."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent

from app.jobs.channels import Channel, Failure, Jobs
from app.jobs.tasks import JobTask
from app.model.kinds.base import fields_of
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.pages.workspaces import RunButton
from app.model.picture_spec import PictureSpec, Seeded
from app.model.references import Loader
from app.model.release_record import ReleaseRecord
from app.model.selection import Selection, problems, selection
from app.model.state import SessionState
from app.model.view_states import AuditChoice, ViewState, WallView
from app.model.views import RELEASE
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import number
from app.pages.audit.controller import AuditController
from app.pages.audit.options_bar import AUDIT_HELP
from app.pages.base.noise_cloud import NoiseCloud
from app.pages.base.page_part import PagePart
from app.pages.base.picture_panel import AUDIT_TAB, PicturePanel
from app.pages.base.request import (
    CLAMPED,
    ESTIMATE,
    PictureRequest,
    PictureRequester,
    PictureResult,
    PublishEstimate,
    Step,
    publish_picture,
)
from app.pages.base.second_picture import RequestedSecondPicture
from app.pages.base.view import View
from app.releases.text import asked_words, value_words
from app.session import Session
from app.widgets.card import MARGINS, set_text
from app.widgets.layouts import stack, tab_through
from app.widgets.style import THEME
from engine import analysis
from engine.components import part_of, release_parameters
from engine.errors import ParameterError
from engine.mechanisms import PLANTED, Release

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

FOLLOWED = frozenset(
    {"page", "dataset", "query", "noise", "parameters", "epsilon", "delta", "view", "releases"}
    | {"method", "guess", "trusted"}
)
"""The fields of the state that every page follows besides those of its data."""

STALE = "The picture still shows the last valid choices."
CANCELLED = "Cancelled. Change anything, or open another picture, to draw again."
NOTHING, FIRST = "No release to show here yet", "Run makes one and spends ε = {}"
NO_ANSWER = "The newest release found nothing, but used its budget."


class AnalysisPage(View):
    """Shows analyses of the session's data while it is open.

    A picture comes in five steps: the user or the session asks (`PictureRequester.ask`), the page makes a
    request (`request_for`) and sends it, a worker computes it (`PictureRequest.compute`), and the page shows
    the result (`_on_result`).

    `parts`: cards above the pictures, or between their tabs and them.
    """

    card: PicturePanel
    second: RequestedSecondPicture
    noise: NoiseCloud

    # the expected error of the chosen mechanism on these data, `ExpectedWords`; None: not known
    judged = Signal(object)
    clamped = Signal(object)  # the number of records that the bounds move (private)
    certified = Signal(object)  # the certified guarantee of the noise, `NoiseCertificates` (public)
    outdated = Signal()  # the announced results belong to older choices

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, *parts: PagePart) -> None:
        self.declared = declared
        self.name = declared.name
        self.parts = parts
        super().__init__(session, jobs)
        assert declared.data is not None
        self._followed = FOLLOWED | fields_of(declared.data.choice)
        self._seen = SessionState()
        self._setup: Selection | None = None
        self._estimated = True
        self._advice = ""  # the newest sentences about the expected error, as from `PageSpec.advice`
        self.wall: WallView | None = None  # in a lesson on the wall
        self.card = PicturePanel(declared, AUDIT_TAB)
        self.requester = PictureRequester(
            f"curves of {self.name}", jobs, session.databases, self.card.stale, self
        )
        self._certificates: Channel = jobs.channel(
            f"certificate of {self.name}", self.certified, self._on_failed
        )
        self._uncertified: Selection | None = None  # whose picture comes first
        self.audit = AuditController(self.name, session, jobs, self.card)
        # tabs stand above parts that come and go, and so keep their place
        over = [part for part in parts if not part.below_tabs]
        under = [part for part in parts if part.below_tabs]
        tabs = [self.card.heading] if under else []
        for heading in tabs:  # at the same place as inside a card
            heading.setContentsMargins(MARGINS[0], MARGINS[1], MARGINS[2], 0)
        self.column = stack(self, *over, *tabs, *under, (self.card, 3), spacing=8)
        self.second = RequestedSecondPicture(self, self.name, session, jobs, self)
        self.card.alternative.serve(session)
        self.noise = NoiseCloud(self, session, jobs)
        self._connect()

    def _connect(self) -> None:
        self.requester.due.connect(self._make_request)
        self.requester.result.connect(self._on_result)
        self.requester.ended.connect(self._settle)
        self.card.pictures.finished.connect(self._certify)
        self.requester.channel.failed.connect(self._on_failed)
        for source in (self.pictures, self.audit, self.second.channel):
            source.failed.connect(self.failed)
        self.card.pictures.made.connect(lambda _: tab_through(self))
        self.card.asked.connect(self.requester.ask)
        self.card.asked.connect(self._arrange)
        self.card.pointed.connect(self._session.pointer.point_at)
        self.second.panel.pictures.picked.connect(self.audit.pick)
        self.card.audit.asked.connect(self._on_audit)
        self.card.audit.shown.connect(self._arrange)
        self.card.audit.changed.connect(self._arrange)
        self.card.tabs.currentChanged.connect(self.purpose_changed)
        for changed in (self.audit.running.busy_changed, self.audit.shown):
            changed.connect(self.purpose_changed)
        for part in self.parts:
            part.asked.connect(self.requester.ask)
        self._session.changed.connect(self.refresh)
        THEME.scaled.connect(self._arrange)

    # Following the session.

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        if not self._made:
            return
        state, seen = self._session.state, self._seen
        if not self.is_open:
            self._leave(fields or frozenset())
            return
        changed = self._followed & state.differences(seen)
        self._seen = state
        if state.data is not seen.data:
            self.audit.follow(seen, state)
        self._follow(changed, seen)
        other = self._apply_pending_view_state()
        shows_releases = self.card.spec is not None and self.card.spec.takes_release
        if other or changed - {"releases"} or (changed and shows_releases):
            if changed - {"page"}:
                self._outdate(changed)
            self.requester.ask()

    def _leave(self, fields: frozenset[str]) -> None:
        """Stop the work: another page is open."""
        self.requester.cancel()
        self.noise.channel.cancel()
        self.audit.stop()
        self._certificates.cancel()
        self._uncertified = None
        if "view" in fields and self._session.state.view == RELEASE:
            self._forget()
            self._seen = SessionState()
            return
        if self._seen.dataset is not self._own_state.dataset:
            self._seen = SessionState()  # it must keep no data of the earlier session
        # on return, the animation must be complete
        self._seen = dataclasses.replace(self._seen, page="", other_pages={})

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        if fields & {"view", "query"}:
            self._arrange()
        if "view" in fields:
            self.card.show_view(self._curator)
        if "releases" in fields and self.card.draws is not None:
            self.card.draws.simulated = False
        if "releases" in fields and self.is_public:
            self.noise.refresh()
        if self._shows_other_data(fields, seen):
            self._forget()
        try:
            self._setup = selection(state)
        except ParameterError:
            self._setup = None
            self._show_no_setup()
        else:
            self._show_setup(self._setup)
        released = self._released_words(self._setup)
        self.card.show_released(released)
        for part in self.parts:
            part.show_released(released)
        if fields != {"epsilon"}:  # which changes during a drag of a slider
            self.card.show_words(WORDS[state.neighbours], self._setup)

    def _shows_other_data(self, fields: frozenset[str], seen: SessionState) -> bool:
        """Return whether data, query or view differ from those of the pictures."""
        state = self._session.state
        if fields & {"view", "function", "units"}:
            return True
        other_answer = state.reads != seen.reads or state.unit != seen.unit
        if "query" in fields and (state.asked is state.kind_of_mechanism or other_answer):
            return True
        return state.has_other_records(seen)

    def _show_setup(self, setup: Selection) -> None:
        """Show the tabs of a selection, and its options."""
        for part in self.parts:
            part.show_setup(setup)
        offered = (spec.name for spec in self._offered(setup))
        self.card.show_only((*filter(self._may_see, offered), AUDIT))
        self.card.offer(setup)

    def _show_no_setup(self) -> None:
        """Keep the visible results while the choices are invalid."""
        for part in self.parts:
            part.show_setup(None)
        self.card.show_only([tab for tab in self.card.shown if tab == AUDIT or self._may_see(tab)])

    def _offered(self, setup: Selection) -> Collection[PictureSpec]:
        return [spec for spec in self.declared.pictures if spec.is_offered(setup)]

    def _outdate(self, changed: frozenset[str]) -> None:
        """Dim outdated results at once, until a worker replaces them."""
        self._estimated, self._advice = False, ""
        self.card.outdate()
        for part in self.parts:
            part.outdate(changed)
        self.outdated.emit()

    def _settle(self) -> None:
        """Clear outdated results that no worker will replace."""
        if not self.requester.busy:
            self.card.stale.end()
            if not self._estimated:
                self.judged.emit(None)
            self._certify()

    def _forget(self) -> None:
        """Drop everything that belongs to other data, or to another view."""
        unit = self._own_state.unit
        for part in self.parts:
            part.forget()
            unit = unit if self._curator or part.public_unit is None else part.public_unit
        self.second.forget()
        self.requester.channel.cancel()
        self.audit.forget()
        self.noise.forget()
        self.card.forget(unit)
        self.card.say("")
        self.card.alternative.show_offer(None)
        self.judged.emit(None)

    @property
    def _own_state(self) -> SessionState:
        return self._session.state.at(self.name)

    @property
    def _curator(self) -> bool:
        return self._session.state.view == "curator"

    def _may_see(self, tab: str) -> bool:
        return self._curator or self.declared.picture(tab).is_public

    # Requests.

    def _on_audit(self) -> None:
        if not self.is_stopped():
            self.audit.start_anew()

    def _begin(self) -> None:
        super()._begin()
        self.requester.ask()

    def _make_request(self) -> None:
        """Send the request for the visible pictures; the newest replaces older ones."""
        if self.is_ready_to_show:  # the pictures may load after another page was opened
            self._request_picture()
            self._settle()
        self.second.ask()

    def _request_picture(self) -> None:
        self._uncertified = None
        try:
            setup = selection(self._session.state)
        except ParameterError as error:
            self._explain(error.problem)
            return
        wrong = setup.source.problem()
        if wrong is not None:
            self._explain(wrong.message)
            return
        if self.card.advice.text() == STALE:
            self.card.say("")
        if self.card.tab == AUDIT:
            self.audit.ask(setup)
            self._uncertified = setup
            self.judged.emit(None)  # the data are not visible now
            if any(part.canvas is not None for part in self.parts):
                self._send(PictureRequest(setup, None, self.card.arguments, public=not self._curator))
            return
        spec = self.card.spec
        assert spec is not None
        problem = "" if spec.is_demonstration else self._problem(setup, spec)
        if problem:
            self._refuse(setup, problem)
            return
        if not self._curator and self.declared.public_error:
            noise = self.declared.public_error()(setup.mechanism, setup.source.domain, setup.privacy)
            self._estimated = True
            self.judged.emit(noise)
        request = self.request_for(setup, spec)
        self.card.tools.setEnabled(request is not None)
        if request is None:
            if self._released_for(setup, spec) is None:
                first = FIRST.format(number(setup.privacy.epsilon))
                self.card.show_waiting(f"{first}.", NOTHING, "answers")
            else:
                self.card.show_waiting(NO_ANSWER)
            return
        if spec.is_demonstration:
            self.card.tell(self.card.titles[spec.name].why)
        else:
            if self.card.draws is not None and Seeded in spec.options:
                self.card.draws.say_source(request.released is not None)
            self._uncertified = setup
        absent = spec.why_absent(setup)
        if absent:  # other results are still shown
            self.card.show_waiting(absent)
            request = dataclasses.replace(request, picture=None)
        self._send(request)

    def request_for(self, setup: Selection, spec: PictureSpec) -> PictureRequest | None:
        """Return the request for a picture; None where there is no release to show."""
        if spec.is_demonstration:
            return PictureRequest(setup, spec, self.card.arguments_of(spec), public=True)
        released = self._released_for(setup, spec)
        if not self._curator and spec.takes_release and (released is None or released.value is None):
            return None
        value = None if released is None else self.value_of(released)
        more = spec.arguments_of(self._session.state, self._view_state()) if spec.arguments else {}
        return PictureRequest(setup, spec, self.card.arguments_of(spec), value, not self._curator, more)

    def value_of(self, release: Release) -> Any:
        """Return the released value for analyses."""
        return release.value

    def why_not(self, setup: Selection, spec: PictureSpec) -> str:
        """Say why a picture of a selection cannot be shown; "" if it can."""
        return spec.why_absent(setup) or self._problem(setup, spec)

    def _send(self, request: PictureRequest) -> None:
        if request.picture is not None:
            canvas = self.card.open()
            canvas.private = canvas.private and not request.public
        self.requester.send(dataclasses.replace(request, steps=self._steps(request)))
        self.noise.follow(request)

    def _steps(self, request: PictureRequest) -> tuple[Step, ...]:
        """Return the work of a request, in reading order of the results."""
        parts = [part.steps(request) for part in self.parts]
        # an audit reads other data, so there is no expected error to show
        estimate = None if request.public or self.card.tab == AUDIT else self.declared.estimate
        return (
            *(step for before, _ in parts for step in before),
            publish_picture,
            *(step for _, after in parts for step in after),
            *((PublishEstimate(estimate),) if estimate else ()),
        )

    def _certify(self) -> None:
        """Request the certificates of the newest selection, once its picture is drawn."""
        setup, canvas = self._uncertified, self.canvas
        if setup is None or self.requester.busy or (canvas is not None and canvas.drawing):
            return
        self._uncertified = None
        self._certificates.request(partial(_publish_certificates, setup), live=True)

    def _problem(self, setup: Selection, spec: PictureSpec) -> str:
        """Say why a selection has no such picture; "" if it has."""
        mechanism, source = setup.mechanism, setup.source
        if not spec.runs and part_of(mechanism, "query"):  # it has more pictures than its releases
            return ""
        problems = mechanism.problems(setup.privacy, source.domain, source.n)
        return problems[0].message if problems else ""

    def _refuse(self, setup: Selection, problem: str) -> None:
        """Show why there is no picture."""
        self._explain(problem)

    def _explain(self, problem: str) -> None:
        """Show why there is no picture, unless an older one is visible."""
        canvas = self.canvas
        if canvas is not None and canvas.has_result:
            self.card.open()  # the picture of another tab may be in front
            self.card.say(STALE)
        else:
            self.card.say("")
            text = f"{problem[:1].upper()}{problem[1:]}."
            self.card.show_waiting(text if self._session.state.dataset else "")

    def _released_for(self, setup: Selection, spec: PictureSpec) -> Release | None:
        """Return the release to show in a picture; None for none, or for a simulated one."""
        draws = self.card.draws if Seeded in spec.options else None
        if not spec.takes_release or (self._curator and draws is not None and draws.simulated):
            return None
        # only a release of exactly this mechanism may replace a simulated one
        exactly = self._curator and draws is not None
        newest = newest_release(self._session, setup, self._fits, exactly=exactly)
        return None if newest is None else newest.release

    def _released_words(self, setup: Selection | None) -> str:
        """Return, for the Release view, the newest released answer or else that Run makes one."""
        if self._curator or setup is None or self._session.state.lesson is not None:
            return ""
        newest = newest_release(self._session, setup, self._fits, exactly=False)
        if newest is None:
            return f"{NOTHING}. {FIRST.format(number(setup.privacy.epsilon))}"
        return f"{asked_words(newest)}, released: {value_words(newest)}"

    def _fits(self, setup: Selection, release: Release) -> bool:
        """Return whether a release suits the pictures of the mechanism."""
        return True

    # Results.

    def _on_result(self, result: PictureResult) -> None:
        """Show a result of a worker, unless it is outdated."""
        newest = result.request is self.card.stale.newest
        if any(part.take(result, newest=newest) for part in self.parts):
            return
        spec = self.card.specs.get(result.picture)
        public = not self._curator or (spec is not None and spec.is_demonstration)
        if result.public != public or not self._is_about(result.request.setup):
            return
        if result.picture == CLAMPED:
            self.clamped.emit(result.result)
        elif result.picture == ESTIMATE:
            self._show_estimate(result.result, result.request)
        elif spec is not None:
            self._show_picture(spec, result)
            self.card.stale.accept(result.request, result.picture)

    def _show_picture(self, spec: PictureSpec, result: PictureResult) -> None:
        """Show a picture, with its note and caption."""
        setup, nothing = result.request.setup, self.why_nothing(result.result)
        if nothing:
            self.card.show_waiting(nothing)
            return
        self.card.show_result(spec.name, result.result, result.request.options)
        if spec.note:
            self.card.show_note(spec.note()(setup, result.result), result.request)
        if spec.advice and spec.name == self.card.tab and not self.card.layers.get(spec.name):
            self.card.tell(spec.advice()(setup, result.result))

    def _show_estimate(self, estimate: Any, request: PictureRequest) -> None:
        """Show the expected error, and offer a better mechanism."""
        unit = self._session.state.unit
        if self.card.tab != AUDIT and self.declared.advice and estimate is not None:
            self._advice = self.declared.advice()(estimate, unit)
            if self.card.spec is None or not self.card.spec.advice:
                self.card.stale.say(self.card.advice, self._advice_shown, request)
        if request is self.card.stale.newest:
            self._estimated = True
            expected = None if estimate is None else self.declared.error_words()(estimate, unit)
            self.card.show_typical(expected.headline if expected else "")
            self.judged.emit(expected)
            spec = self.card.spec
            if spec and spec.makes_offers and self.declared.suggestion:
                self.card.alternative.show_offer(self.declared.suggestion()(request.setup, estimate))

    @property
    def _shows_error(self) -> bool:
        """Whether sentences about the expected error are visible; on the wall, below the first picture."""
        wall, spec, first = self.wall, self.card.spec, next(iter(self.card.specs))
        if wall is None:
            # in a lesson they would speak of lines that are not drawn yet
            return spec is not None and not spec.advice and not self.card.layers.get(spec.name)
        return wall.has_error if wall.sentence else self.card.tab == first

    @property
    def _advice_shown(self) -> str:
        """The sentences about the expected error that are visible."""
        return self._advice if self._shows_error else ""

    def why_nothing(self, result: Any) -> str:
        """Say why a result cannot be drawn; "" if it can."""
        return ""

    def _is_about(self, setup: Selection) -> bool:
        """Return whether a result, which may come late, is about the current data and mechanism."""
        return self._setup is not None and self.is_alike(setup, self._setup)

    def is_alike(self, one: Selection, other: Selection) -> bool:
        """Return whether the picture of a selection may stay until that of another is ready."""
        return self._identity(one) == self._identity(other)

    def _identity(self, setup: Selection) -> Hashable:
        """Return a key; pictures of selections with another key cannot stay."""
        return setup.mechanism.name, getattr(setup.source, "columns", ())

    def _on_failed(self, failure: Failure) -> None:
        """Emit an error, unless its field shows it."""
        error, fields = failure.error, {problem.field for problem in problems(self._session.state)}
        if not (isinstance(error, ParameterError) and error.field in fields):
            self.failed.emit(failure)

    # Interface to the window.

    @property
    def purpose(self) -> RunButton | None:
        """On the tab Audit, the large button audits: it makes no release."""
        if self.card.tab != AUDIT:
            return None
        able = not self.audit.running.busy
        return RunButton("Aud&it", AUDIT_HELP, able, primary=True)

    def is_ready(self, form: bool) -> bool:
        return form and (self.purpose is None or self.purpose.able)

    def run(self) -> bool:
        if self.purpose is not None:
            self._on_audit()
        return self.purpose is not None

    def take(self) -> bool:
        return self.run()

    def show_start(self, shown: bool) -> None:
        self.card.audit.show_start(shown)

    @property
    def channels(self) -> tuple[Channel, ...]:
        return self.requester.channel, self.audit.running, self.second.channel

    @property
    def pending(self) -> bool:
        return self.requester.pending

    @property
    def busy(self) -> bool:
        return self.audit.running.busy

    # Possible answers.

    @property
    def is_public(self) -> bool:
        """Whether only public results are shown."""
        return not self._curator

    @property
    def noise_part(self) -> PagePart | None:
        """The part with the picture of the data, if it is not the open picture."""
        return next((part for part in self.parts if part.shows_answers), None)

    @property
    def noise_canvas(self) -> PlotCanvas | None:
        """The picture in which possible answers are drawn now; None if the open one cannot show them."""
        if self.noise_part is not None:
            return self.noise_part.canvas
        spec, canvas = self.card.spec, self.canvas
        can = spec is not None and spec.takes_release and (spec.is_public or self._curator)
        return canvas if can and canvas is not None and canvas.picture_class.answer_marks else None

    def show_noise(self, on: bool) -> None:
        """Show what belongs to possible answers, in the Release view too."""
        if self.noise_part is not None:
            self.noise_part.has_answers = on
            self._arrange()
            if self.is_public and on:
                self.requester.ask()

    def noise_request(self, request: PictureRequest) -> tuple[PictureRequest, Release | None]:
        """Return the request for possible answers; in the Release view with the release to draw around."""
        newest = newest_release(self._session, request.setup, self._fits, exactly=False)
        around = None if newest is None or newest.looked else newest.release
        picture = request.picture if self.noise_part is None else None
        return dataclasses.replace(request, picture=picture), around

    @property
    def loaders(self) -> Sequence[Loader]:
        first = list(self.declared.drawn_by.values())[:1]
        return (*first, *(loader for part in self.parts for loader in part.loaders))

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        own = (part.canvas for part in self.parts if part.canvas is not None)
        return (*super().canvases, *own)

    def cancel(self) -> None:
        """Stop an audit, else the drawing; an old picture must not look like the new one."""
        self.second.cancel()
        if self.audit.running.busy:
            self.audit.running.cancel()
            return
        self.requester.cancel()
        self._show_cancelled()
        self._settle()

    def _show_cancelled(self) -> None:
        self.card.show_waiting(CANCELLED)

    def rewrite(self) -> None:
        super().rewrite()
        self._seen = SessionState()
        self.refresh()

    def show_tab(self, tab: str) -> None:
        if tab == AUDIT or self._may_see(tab):
            self.card.show_tab(tab)

    def choose(self, **chosen: Any) -> None:
        if chosen.keys() & self.card.options.keys():
            self.card.choose_options(**chosen)

    def choose_layers(self, layers: frozenset[str]) -> None:
        self.card.choose_layers({self.card.picture_name: layers})

    def show_wall(self, wall: WallView | None) -> None:
        self.wall = wall
        super().show_wall(wall)
        for part in self.parts:
            part.show_wall(wall)
        self._show_advice()
        self._arrange()

    def _show_advice(self) -> None:
        """Show the sentence about the expected error where no other one is."""
        label = self.card.advice
        if label.text() in self._advice or label.text() == label.property("otherwise"):
            set_text(label, self._advice_shown)

    def show_audit(self, choice: AuditChoice, shows: str | None = None, *, played: Any = None) -> None:
        """Open the audit with these choices, and start it.

        `shows` is a key of `app.model.pages.audit.SHOWS`, by default the last one. `played`: a game that
        goes on, as in `GuessPlayer.played`.
        """
        self.card.audit.player.resume(played)
        self.card.audit.choose(choice, shows)
        self.audit.want()
        self.show_tab(AUDIT)
        self.requester.ask()

    def _view_state(self) -> ViewState:
        card = self.card
        return ViewState(
            tab=card.tab,
            log=dict(card.log),
            audit=dataclasses.replace(card.audit.view_state, done=self.audit.done),
            beside=card.split.view_state,
            options=card.options,
            simulated=card.draws is not None and card.draws.simulated,
            noise=self.noise.on,
        )

    def _apply_view_state(self, view_state: ViewState) -> None:
        card = self.card
        card.split.restore_view_state(view_state.beside)
        card.show_options(view_state.options)
        if view_state.noise != self.noise.on:
            self.noise.switch(view_state.noise)
        if card.draws is not None:
            card.draws.simulated = view_state.simulated
        card.choose_log(view_state.log)
        card.choose_layers({})
        card.audit.restore_view_state(view_state.audit)
        if view_state.audit.done:
            self.audit.resume()
        if view_state.tab in card.shown and view_state.tab != card.tab:
            self.show_tab(view_state.tab)

    # Appearance.

    def _make(self) -> None:
        for part in self.parts:
            part.make()
            if part.canvas is not None:
                part.canvas.pointed.connect(self._session.pointer.point_at)
                part.canvas.picked.connect(self.audit.pick)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Show the parts that fit."""
        for part in self.parts:
            part.setVisible(self._is_seen(part))
        self.card.setVisible(self._shows_pictures)
        self._show_advice()

    def _is_seen(self, part: PagePart) -> bool:
        """Return whether a part is visible."""
        seen = part.is_seen(self.card, self.height(), THEME.scale, curator=self._curator)
        if self.wall is None:
            return seen
        fits = seen or bool(self.wall.sentence)  # a step chooses what it shows
        return fits and self.wall.has_data and part.canvas is not None

    @property
    def _shows_pictures(self) -> bool:
        return self.wall is None or self.wall.has_picture


def _publish_certificates(setup: Selection, task: JobTask) -> None:
    """Publish the certificate of the noise, first from its density, then from pairs (public; in a worker).

    Then import the mistakes that the tab "Audit" offers: the window would have to wait for them.
    """
    if part_of(setup.mechanism, "noise"):
        known = analysis.certify_noise(setup.mechanism, setup.privacy, publish=task.publish, progress=task)
        task.publish(known)
    dict(PLANTED)


def newest_release(
    session: Session,
    setup: Selection,
    fits: Callable[[Selection, Release], bool] = lambda *_: True,
    *,
    exactly: bool,
) -> ReleaseRecord | None:
    """Return the newest release of the query that `fits`; `exactly`: of the same mechanism."""
    state = session.state
    for record in reversed(state.releases):
        release = record.release
        same = session.is_here(record) and release.query == state.query
        if not same or not fits(setup, release):
            continue
        stated = release_parameters(setup.mechanism).items() if exactly else ()
        matches = all(release.parameters.get(name) == value for name, value in stated)
        if not exactly or (matches and release.privacy == setup.mechanism.cost(setup.privacy)):
            return record
    return None

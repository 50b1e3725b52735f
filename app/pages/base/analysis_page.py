"""A page as it is declared: its pictures in tabs, what is said below them, and what can be expected."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.jobs.channels import Channel, Jobs
from app.model.kinds.base import FOUND
from app.model.kinds.page_data import fields_of
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.picture_spec import PictureSpec
from app.model.references import Loader
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.view_states import ViewState
from app.model.wording.neighbours import WORDS
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest, publish_certificates
from app.pages.base.asking_page import AskingPage
from app.pages.base.beside import BesideController
from app.pages.base.following import SHARED
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.results import PictureResult
from app.session import Session
from engine.components import part_of
from engine.errors import ParameterError

if TYPE_CHECKING:
    pass


class AnalysisPage(AskingPage):
    """Shows what analyses make of the session's data, while it is open.

    Parameters
    ----------
    declared : PageSpec
    above : QWidget
        What stands above the pictures.

    Attributes
    ----------
    column : QVBoxLayout
        What stands on it, from the top.
    """

    def __init__(
        self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette, *above: QWidget
    ) -> None:
        super().__init__(declared, session, jobs, palette, PicturePanel(declared))
        assert declared.data is not None
        self.followed = SHARED | {"method", "guess", "trusted"} | fields_of(declared.data.choice)
        self._setup: Selection | None = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        for widget in above:  # first, so that Tab comes to them first
            self.column.addWidget(widget)
        self.column.addWidget(self.card, 1)
        self.two = self.beside = BesideController(self, session, jobs)
        self.card.pointed.connect(session.pointer.point_at)

    @property
    def loaders(self) -> Sequence[Loader]:
        return tuple(self.declared.drawn_by.values())[:1]

    @property
    def _tabs(self) -> Collection[str]:
        return self.card.shown

    def _offered(self, setup: Selection) -> Collection[PictureSpec]:
        """Return the pictures that have a tab for a setup."""
        return [spec for spec in self.declared.pictures if spec.is_offered(setup)]

    def _view_state(self) -> ViewState:
        simulated = self.card.draws is not None and self.card.draws.simulated
        shown = dataclasses.replace(super()._view_state(), beside=self.card.split.view_state)
        return dataclasses.replace(shown, options=self.card.options, simulated=simulated)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.split.restore_view_state(view_state.beside)
        self.card.show_options(view_state.options)
        if self.card.draws is not None:
            self.card.draws.simulated = view_state.simulated
        super()._apply_view_state(view_state)

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*super().channels, self.beside.channel)

    def _start_request(self) -> None:
        super()._start_request()
        self.beside.ask()

    def _drop(self, unit: str) -> None:
        self.beside.forget()
        super()._drop(unit)

    def cancel(self) -> None:
        self.card.rest()
        self.beside.cancel()
        super().cancel()

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        if "view" in fields:
            self.card.show_view(self._curator)
        if "releases" in fields and self.card.draws is not None:
            self.card.draws.simulated = False
        if fields != {"epsilon"}:  # which moves as long as a slider does
            self.card.show_words(WORDS[state.neighbours])
        if self._shows_other_data(fields, seen):
            self._forget()
        try:
            self._setup = selection(state)
        except ParameterError:
            self._setup = None
            self._show_no_setup()
        else:
            self._show_setup(self._setup)

    def _show_setup(self, setup: Selection) -> None:
        """Show the tabs that there are of a setup, and what can be chosen."""
        offered = (spec.name for spec in self._offered(setup))
        self.card.show_only((*filter(self._may_see, offered), AUDIT))
        self.card.offer(setup)

    def _show_no_setup(self) -> None:
        """Leave what can be seen, where what was chosen makes no sense."""
        shown = [tab for tab in self.card.shown if tab == AUDIT or self._may_see(tab)]
        self.card.show_only(shown)

    def show_tab(self, tab: str) -> None:
        if tab == AUDIT or self._may_see(tab):
            super().show_tab(tab)

    def choose(self, **chosen: Any) -> None:
        if chosen.keys() & self.card.options.keys():
            self.card.choose_options(**chosen)

    def _shows_other_data(self, fields: frozenset[str], seen: SessionState) -> bool:
        """Tell whether what is drawn belongs to other data, to another question, or to another view."""
        state = self._session.state
        now, before = state.read_data, seen.read_data
        if fields & {"view", "dataset", "function"} or type(now) is not type(before):
            return True
        other_answer = state.reads != seen.reads or state.unit != seen.unit
        if "query" in fields and (state.asked is state.kind_of_mechanism or other_answer):
            return True
        return any(getattr(now, name) is not getattr(before, name) for name in now.names(FOUND))

    def _forget(self) -> None:
        self._drop(self._own_state.unit)

    def _ask_beside(self, setup: Any) -> None:
        if part_of(setup.mechanism, "noise"):
            self._certificates.request(partial(publish_certificates, setup), live=True)
        if self.card.tab == AUDIT:
            self.card.alternative.show_offer(None)
            self.judged.emit(None)  # the data are not looked at now

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        spec = self.card.specs.get(drawn.picture)
        public = not self._curator or (spec is not None and spec.is_demonstration)
        if drawn.public != public or not self._is_about(drawn.request.setup):
            return
        if drawn.picture == CLAMPED:
            self.clamped.emit(drawn.result)
        elif drawn.picture == ESTIMATE:
            self._show_estimate(drawn.result, drawn.request)
        elif spec is not None:
            self._show_picture(spec, drawn)
            self.card.freshness.answered(drawn.request, drawn.picture)

    def _show_picture(self, spec: PictureSpec, drawn: PictureResult[PictureRequest]) -> None:
        """Show a picture, and what is said of it."""
        setup, nothing = drawn.request.setup, self.why_nothing(drawn.result)
        if nothing:
            self.card.show_waiting(nothing)
            return
        self.card.show_result(drawn.picture, drawn.result, drawn.request.options)
        if spec.note:
            self.card.show_note(spec.note(setup, drawn.result), drawn.request)
        if spec.advice and spec.name == self.card.tab:
            self.card.tell(spec.advice(setup, drawn.result))

    def _show_estimate(self, estimate: Any, request: PictureRequest) -> None:
        unit = self._session.state.unit
        if self.card.tab != AUDIT and self.declared.advice and estimate is not None:
            text = self.declared.advice(estimate, unit)
            self.card.freshness.say(self.card.advice, text, request)
        if request is self.card.freshness.newest:
            self._estimated = True
            self.judged.emit(None if estimate is None else self.declared.expected(estimate, unit))
            if self.card.tab != AUDIT and self.declared.offer:
                self.card.alternative.show_offer(self.declared.offer(request.setup, estimate))

    def _is_about(self, setup: Selection) -> bool:
        """Tell whether an answer, which may come late, is about the data and the mechanism of now."""
        return self._setup is not None and self.is_alike(setup, self._setup)

    @property
    def _shows_releases(self) -> bool:
        return self.card.spec is not None and self.card.spec.takes_release

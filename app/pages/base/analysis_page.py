"""A page as it is declared: its pictures in tabs, what is said below them, and what can be expected."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.jobs.channels import Jobs, JobTask
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.references import module_of, resolve
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.wording.expected import expected_words
from app.model.wording.neighbours import WORDS
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest, answer
from app.pages.base.page import SHARED, Page
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.results import PictureResult
from app.session import Session
from app.theme import Palette
from app.widgets.card import set_text
from engine.analysis.noise import certify_noise


class AnalysisPage(Page):
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

    followed = SHARED | {"method"}
    card: PicturePanel

    def __init__(
        self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette, *above: QWidget
    ) -> None:
        card = PicturePanel(declared.subject, declared.pictures, dense=True)
        super().__init__(declared, session, jobs, palette, card)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        for widget in above:  # first, so that Tab comes to them first
            self.column.addWidget(widget)
        self.column.addWidget(self.card, 1)

    @property
    def modules(self) -> Sequence[str]:
        """What the first picture needs."""
        return (module_of(self.declared.pictures[0].drawn_by),)

    @property
    def _curator(self) -> bool:
        return self._session.state.view == "curator"

    @property
    def _tabs(self) -> Collection[str]:
        return (*(spec.name for spec in self.declared.pictures if self._curator or spec.is_public), AUDIT)

    def _view_state(self) -> ViewState:
        return dataclasses.replace(super()._view_state(), options=self.card.options)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.show_options(view_state.options)
        super()._apply_view_state(view_state)

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        if "view" in fields:
            self.card.show_view(self._curator)
            self.card.show_only(self._tabs)
        self.card.show_words(WORDS[state.neighbours])
        if self._shows_other_data(fields, seen):
            self._forget()

    def _shows_other_data(self, fields: frozenset[str], seen: SessionState) -> bool:
        """Tell whether what is drawn belongs to other data, or to another view."""
        return "view" in fields or self._session.state.data is not seen.data

    def _forget(self) -> None:
        """Let nothing stay that belongs to other data, or to another view."""
        self._drop(self._session.state.unit)

    def _ask_about(self, setup: Any) -> None:
        self.card.open()
        self._ask_beside(setup)

    def _ask_beside(self, setup: Any) -> None:
        if hasattr(setup.mechanism, "noise"):
            self._certificates.request(partial(publish_certificates, setup), live=True)
        self.card.offer(setup)
        released = self._last_release() if self._shows_releases else None
        request = PictureRequest(setup, self.card.spec, self.card.options, released, public=not self._curator)
        self.curves.request(self._work(request), live=self._curator)

    def _work(self, request: PictureRequest) -> Callable[[JobTask], None]:
        """Return what a worker does, who must not ask the page for anything."""
        return partial(answer, self.declared.estimate, request, self._session.databases)

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        if drawn.public == self._curator:
            return
        if drawn.picture == CLAMPED:
            self.clamped.emit(drawn.result)
        elif drawn.picture == ESTIMATE:
            self._show_estimate(drawn.result)
        else:
            self.card.show_result(drawn.picture, drawn.result)
            note = self.declared.picture(drawn.picture).note
            if note:
                self.card.show_note(resolve(note)(drawn.request.setup, drawn.result))

    def _show_estimate(self, estimate: Any) -> None:
        unit = self._session.state.unit
        if self.card.tab != AUDIT and self.declared.advice:
            set_text(self.card.advice, resolve(self.declared.advice)(estimate, unit))
        self.judged.emit(expected_words(estimate, unit))

    @property
    def _shows_releases(self) -> bool:
        """Whether the newest release is to be marked in the open picture."""
        spec = self.card.spec
        return self._curator and spec is not None and spec.marks_releases

    def _last_release(self) -> Any:
        """Return the newest release of what is asked of these data, if there is one."""
        state = self._session.state
        for record in reversed(state.releases):
            if self._session.is_here(record):
                return record.release.value if record.release.query == state.query else None
        return None


def publish_certificates(setup: Any, task: JobTask) -> None:
    """Publish what the noise was found to give, then what the pairs in print give (public)."""
    task.publish(certify_noise(setup.mechanism, setup.privacy, publish=task.publish, progress=task))

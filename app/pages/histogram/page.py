"""The page "Histogram": cells with counts, what can be learned from them, and how they are attacked."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from functools import partial
from typing import Any

from app.jobs.channels import Channel, Jobs
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec
from app.model.selection import Selection
from app.model.theme import Palette
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.answering import PictureRequest
from app.pages.histogram.mechanisms import NOTICE, notice
from app.pages.histogram.saving import save_points
from app.releases.counts import NO_TABLE
from app.session import Session
from app.widgets.card import caption, set_text
from app.widgets.dialogs import SaveDialog
from engine.analysis.histogram_contents import WITH_EMPTY
from engine.mechanisms import Release

POINTS = "CSV table (*.csv);;Parquet file (*.parquet)"
PARTIAL = "Cancelled: the runs so far. Change anything, or open another picture, to start again."
SYNTHETIC_HELP = (
    "Draw points evenly from the cells, as many as they hold, and save them as CSV or Parquet. Of a release "
    "they can be shared like the release itself; of a simulated histogram they may not."
)


class HistogramPage(AnalysisPage):
    """Shows the cells of a histogram level by level, and what follows from them."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(declared, session, jobs, palette)
        self.notice = caption()
        self.card.body.addWidget(self.notice)
        self.synthetic = self.card.add_button(1, "&Synthetic points…", SYNTHETIC_HELP, "cells")
        self.synthetic.clicked.connect(self.ask_points)
        self._shown: PictureRequest | None = None
        self.saving = jobs.channel("synthetic points")
        self.saving.result.connect(self.saved)
        self.saving.failed.connect(self.failed)

    def _show_cancelled(self) -> None:
        """Say so below what was compared so far, which holds of fewer runs, else in place of a picture."""
        canvas = self.canvas
        if self.card.tab == "compare" and canvas is not None and canvas.has_result:
            self.card.tell(PARTIAL)
        else:
            super()._show_cancelled()

    def _offered(self, setup: Selection) -> Collection[PictureSpec]:
        all_drawn = len(setup.source.columns) <= WITH_EMPTY
        return [spec for spec in super()._offered(setup) if not (all_drawn and spec.name == "levels")]

    def _forget(self) -> None:
        super()._forget()
        self._shown = None

    def _show_setup(self, setup: Selection) -> None:
        super()._show_setup(setup)
        set_text(self.notice, notice(setup))

    def _show_no_setup(self) -> None:
        state = self._session.state
        set_text(self.notice, "" if state.kind_of_mechanism.facts.is_private else NOTICE)
        if state.reads == "categories":  # no tab of what was there before
            self.card.show_only(("bars",))
        else:
            super()._show_no_setup()

    def _requested(self, setup: Selection, spec: PictureSpec, released: Release | None) -> PictureRequest:
        request = super()._requested(setup, spec, released)
        return dataclasses.replace(request, released=released)  # whose bounds are its own

    def _request(self, request: PictureRequest) -> None:
        self._shown = request
        super()._request(request)

    def why_nothing(self, result: Any) -> str:
        return NO_TABLE if result is None else ""

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*super().channels, self.saving)

    def ask_points(self) -> None:
        """Ask where to save points drawn from the histogram that is shown."""
        request = self._shown
        if request is None or self.canvas is None or not self.canvas.has_result:
            return
        real = request.released is not None
        name = f"{request.setup.mechanism.name}-synthetic{'' if real else '-simulated-confidential'}.csv"
        title = "Save synthetic points" + (", derived from confidential data" * (not real))
        dialog = SaveDialog(self, title, name, POINTS)
        dialog.fileSelected.connect(self.save_points)
        dialog.open()

    def save_points(self, path: str) -> None:
        """Save points drawn from the histogram that is shown, as far as this view allows."""
        request = self._shown
        if request is not None and (self._curator or request.released is not None):
            self.saving.request(partial(save_points, request, self._session.databases, path))

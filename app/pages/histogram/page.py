"""The page "Histogram": cells with counts, their uses, and attacks on them."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.model.page_spec import PageSpec
from app.model.picture_spec import PictureSpec
from app.model.selection import Selection
from app.model.wording.not_dp import WARNING
from app.model.wording.numbers import number
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.request import PictureRequest
from app.pages.histogram.mechanisms import notice
from app.releases.counts import NO_TABLE
from app.session import Session
from app.widgets.card import caption, set_text
from app.widgets.dialogs import SaveDialog
from engine.analysis.histogram_contents import WITH_EMPTY
from engine.analysis.prepared_histograms import released_histogram, simulated_histogram
from engine.data.writing import write_points
from engine.histograms.synthetic import synthetic_points
from engine.mechanisms import Release
from engine.progress import part
from engine.randomness import public_generator, secure

POINTS = "CSV table (*.csv);;Parquet file (*.parquet)"
PARTIAL = "Cancelled: the runs so far. Change anything, or open another picture, to start again."
SYNTHETIC_HELP = (
    "Draw points uniformly from the cells, as many as their counts, and save them as CSV or Parquet. You "
    "may share points from a release, but not from a simulated histogram."
)


class HistogramPage(AnalysisPage):
    """Shows the cells of a histogram level by level, and their uses."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs) -> None:
        super().__init__(declared, session, jobs)
        self.notice = caption(name="warning")
        self.card.body.insertWidget(1, self.notice)
        self.synthetic = self.card.add_button("&Synthetic points…", SYNTHETIC_HELP, "cells")
        self.synthetic.clicked.connect(self.ask_points)
        self._shown: PictureRequest | None = None
        self.saving = jobs.channel("synthetic points")
        self.saving.result.connect(self.saved)
        self.saving.failed.connect(self.failed)

    def _show_cancelled(self) -> None:
        """Show it below partial results, else instead of a picture."""
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

    def _request_picture(self) -> None:
        super()._request_picture()
        self.synthetic.setEnabled(self._shown is not None)
        self.synthetic.setToolTip(SYNTHETIC_HELP if self._shown else "There is no histogram to draw from.")

    def _show_setup(self, setup: Selection) -> None:
        super()._show_setup(setup)
        set_text(self.notice, notice(setup))

    def _show_no_setup(self) -> None:
        state = self._session.state
        set_text(self.notice, "" if state.kind_of_mechanism.facts.is_private else WARNING)
        if state.reads == "categories":  # no tab of the earlier mechanism
            self.card.show_only(("bars",))
        else:
            super()._show_no_setup()

    def value_of(self, release: Release) -> Any:
        return release  # its bounds are its own

    def _send(self, request: PictureRequest) -> None:
        self._shown = request
        super()._send(request)

    def why_nothing(self, result: Any) -> str:
        return NO_TABLE if result is None else ""

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (*super().channels, self.saving)

    def ask_points(self) -> None:
        """Ask where to save points drawn from the shown histogram."""
        request = self._shown
        if request is None or self.canvas is None or not self.canvas.has_result:  # it is still computed
            return
        real = request.released is not None
        name = f"{request.setup.mechanism.name}-synthetic{'' if real else '-simulated-confidential'}.csv"
        title = "Save synthetic points" + (", derived from confidential data" * (not real))
        dialog = SaveDialog(self, title, name, POINTS)
        dialog.fileSelected.connect(self.save_points)
        dialog.open()

    def save_points(self, path: str) -> None:
        """Save points drawn from the shown histogram, if this view allows it."""
        request = self._shown
        if request is not None and (self._curator or request.released is not None):
            self.saving.request(partial(save_points, request, self._session.databases, path))


def save_points(request: PictureRequest, databases: DatabaseCache, path: str, task: JobTask) -> str:
    """Draw points from the shown histogram, write them, and return a summary.

    Points from a release are public, and need no data.
    """
    if request.released is not None:
        histogram = released_histogram(request.released)
    else:
        setup, data = request.setup, databases.get(request.setup.source)
        seed, share = request.options["seed"], part(task, 0.0, 0.4)
        histogram = simulated_histogram(setup.mechanism, data, setup.privacy, seed=seed, progress=share)
    task(0.4, "drawing synthetic points")
    rng, many = public_generator(secure()), request.setup.source.n
    drawn = synthetic_points(histogram, rng, many, progress=part(task, 0.4, 0.5))
    write_points(path, request.setup.source.columns, drawn, progress=part(task, 0.5, 1.0))
    said = f"Saved {path}: {number(len(drawn))} points drawn from"
    if request.released is not None:
        return f"{said} the newest release"
    return f"{said} a simulated histogram, which was derived from confidential data"

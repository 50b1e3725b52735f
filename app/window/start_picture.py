"""The first picture of a window, as it was drawn last time, until it is drawn again.

It is on the screen after 0.92 s of CPU, its drawing after 1.58 s (medians of seven starts).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.model.dataset import Dataset
from app.model.state import SessionState
from app.model.views import CURATOR
from app.model.wording.numbers import current
from app.pages.base.analysis_page import AnalysisPage
from app.session import Session
from app.widgets.deferred import deferred_call
from app.window.appearance import Appearance
from app.window.layout import WindowLayout
from app.window.open_controller import OpenController
from app.window.pages import first_look
from app.window.start_picture_cache import PlacedImage, StartPictureCache

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

QUIET_MS = 1000
"""Time without a drawing after which a picture is kept."""


class StartPictureOverlay(QWidget):
    """Covers a window with its stored image, within the panel's area; the mouse passes through.

    Other parts of the window may come later. `painted` announces its first painting.
    """

    def __init__(self, panel: QWidget, drawn: PlacedImage) -> None:
        super().__init__(panel)
        self._panel, self._drawn = panel, drawn
        self.painted = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._size = panel.window().size()
        panel.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.ChildAdded):
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(0, 0, self._drawn.image)
        painter.end()
        self.painted = True

    def _fit(self) -> None:
        now, then = rect_in_window(self._panel), self._drawn.panel
        self.setGeometry(self._drawn.rect.translated(then.topLeft() - now.topLeft()))
        self.setVisible(now.contains(then) and self.window().size() == self._size)
        self.raise_()


def rect_in_window(widget: QWidget) -> QRect:
    """Return where a widget stands in its window."""
    return QRect(widget.mapTo(widget.window(), widget.rect().topLeft()), widget.size())


class StartPicture(QObject):
    """Shows at once what a start on a bundled example will draw, and keeps what was drawn.

    Of other data nothing is kept, and nothing once anything was chosen. `covered` tells that a kept picture
    is shown, which follows from public data. Without a `cache` nothing is kept.
    """

    covered = Signal()
    uncovered = Signal()

    def __init__(
        self,
        window: QWidget,
        session: Session,
        jobs: Jobs,
        body: WindowLayout,
        data: OpenController,
        appearance: Appearance,
        cache: StartPictureCache | None,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._body = window, session, body
        self._data, self._appearance, self._cache = data, appearance, cache
        self._example = self._chosen = ""
        self._opened: SessionState | None = None
        self._page: AnalysisPage | None = None
        self._canvas: PlotCanvas | None = None
        self._known: QImage | None = None
        self._about: Mapping[str, Any] = {}
        self.cover: StartPictureOverlay | None = None
        self._drawn = deferred_call(self, self._look)
        self._later = deferred_call(self, self._keep, QUIET_MS)
        self._writing = jobs.channel("opening picture")

    def begin(self, example: str) -> None:
        """Show what is kept of an example that is about to be read: the first one of this window."""
        page, state = self._body.pages.shown, self._session.state
        if self._cache is None or not example or state.view != CURATOR or not isinstance(page, AnalysisPage):
            return
        self._page, self._example = page, example
        self._chosen = repr((state.mechanism, state.remembered, state.epsilon, state.delta, state.guess))
        self._data.opened.connect(self._on_opened)
        self._data.failed.connect(self.leave)
        self._session.changed.connect(self._on_changed)
        self._appearance.restyled.connect(self.uncover)
        for chosen in (page.card.asked, *(editor.redrawn for editor in page.card.editors.values())):
            chosen.connect(self.leave)
        page.card.picture_opened.connect(self._on_picture)
        self._about = self._now
        result = self._cache.find(self._about) if self._is_first_look else None
        if result is not None:
            self._known = result.image
            self.cover = StartPictureOverlay(page.card.pictures, result)
            page.card.pictures.cover(self.cover)
            self.covered.emit()
            self.cover.repaint()  # at once: workers that begin to import would have it wait

    def uncover(self, *_: object) -> None:
        """Show the place of the picture as it is now."""
        if self.cover is not None and self._page is not None:
            self._page.card.pictures.uncover()
            self.cover = None
            self.uncovered.emit()

    def leave(self, *_: object) -> None:
        """Neither show nor keep anything any more: something else was chosen."""
        self.uncover()
        for timer in (self._drawn, self._later):
            timer.stop()
        self._page = self._canvas = None

    # What is drawn in this session.

    @property
    def _now(self) -> Mapping[str, Any]:
        """All that the picture depends on, but for the program."""
        assert self._page is not None
        window = self._window
        return {
            "page": self._page.name,
            "picture": self._page.card.picture_name,
            "example": self._example,
            "chosen": self._chosen,
            "colours": dataclasses.asdict(self._appearance.palette),
            "scale": self._appearance.font_scale,
            "size": window.size().toTuple(),
            "ratio": window.devicePixelRatioF(),
            "numbers": dataclasses.asdict(current()),
        }

    @property
    def _is_first_look(self) -> bool:
        """Whether the page looks as it is declared; what is chosen of its options is heard of by `leave`."""
        if self._page is None:
            return False
        now, first = self._page.view_state, first_look(self._page.name)
        return dataclasses.replace(now, options=first.options) == first

    def _on_opened(self, dataset: Dataset) -> None:
        state = self._session.state
        other = dataset.example != self._example or self._session.undo_stack.count() or state.releases
        if other or self._page is None or not self._page.is_open:
            self.leave()
        elif self._opened is None:
            self._opened = state

    def _on_changed(self, fields: frozenset[str]) -> None:
        if "dataset" not in fields or self._opened is not None:
            self.leave()

    def _on_picture(self) -> None:
        if self._page is not None and self._canvas is None:
            self._canvas = self._page.card.canvas
            assert self._canvas is not None
            self._canvas.updated.connect(self._drawn.start)

    def _look(self) -> None:
        """Once the picture is drawn, show it, and keep it as soon as nothing more comes."""
        canvas = self._canvas
        if canvas is None:
            return
        if canvas.drawing or not canvas.has_picture:
            self._drawn.start()
            return
        self.uncover()
        self._later.start()

    def _keep(self) -> None:
        page, canvas, state = self._page, self._canvas, self._session.state
        if page is None or canvas is None or canvas.surface is None or self._opened is not state:
            return
        if any(channel.busy for channel in page.channels) or canvas.drawing:
            self._later.start()
            return
        plain = self._is_first_look and not canvas.zoomed and self._session.pointer.pointed is None
        if not plain or canvas.surface.picture.cursor.get_visible():
            return
        assert state.has_public_data
        image, about = canvas.surface.grab().toImage(), self._now
        if about == self._about and image == self._known:
            return
        self._about, self._known = about, image
        assert self._cache is not None
        drawn = PlacedImage(image, canvas.surface.geometry(), rect_in_window(page.card.pictures))
        self._writing.request(partial(_keep, self._cache, about, drawn))


def _keep(cache: StartPictureCache, about: Mapping[str, Any], drawn: PlacedImage, _: JobTask) -> bool:
    """Write a picture (in a worker)."""
    return cache.keep(about, drawn)

"""The page "Released": the releases of the open data, ready to hand over."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from PySide6.QtCore import QEvent, QObject, QRect, QSize, QStringListModel, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QTextBrowser

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.budget import Budget
from app.model.figure_style import FigureStyle
from app.model.pages.workspaces import QUESTIONS_VIEW, RELEASED
from app.model.release_record import ReleaseRecord
from app.model.theme import LIGHT, Palette
from app.model.view_states import WallView
from app.model.wording.guarantees import odds_words
from app.pages.base.view import View
from app.panels.budget_text import line_words, promises
from app.releases.answers import scale_of
from app.releases.handout import TYPE, Handout, listed
from app.releases.registry import shape_of
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import Card, Invitation, Title
from app.widgets.deferred import deferred_call
from app.widgets.interval_bar import interval_image
from app.widgets.layouts import stack
from app.widgets.open_invitation import OpenInvitation
from app.widgets.style import THEME

FOLLOWED = frozenset({"releases", "dataset", "table", "workspace", "lesson", "view"})
MAX_PICTURES, DPI = 8, 360
"""Number of newest releases that have a picture, and its resolution: enough for a slide."""
NOTHING = "Each released answer appears here with its interval and its cost."
HEADLINE = "No privacy budget is used yet. Each released answer will cost some ε."
TOGETHER = "All releases together: if one row of the file is replaced, "
SLIDE, EDGE = (1920, 1080), 60
"""Size of a slide and its margin, in pixels."""
SLIDE_SCALES = (3.0, 2.5, 2.0, 1.6, 1.3)
"""Sizes of type on a slide: the largest one with which all releases fit."""
SCROLL_BAR = 16

Pictures = dict[int, QImage]
"""Images by index of the release."""


class ReleasedPage(View):
    """Shows each released value with its interval, the promise and the budget; all of it can be shared."""

    name = RELEASED.name
    opening: OpenInvitation
    budget_requested = Signal()
    report_requested = Signal()

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session, jobs)
        self.handout = Handout("")
        self._budget: Budget | None = None
        self._pictures: Pictures = {}
        self._on_wall = False
        self._turn = deferred_call(self, self._show)
        self.drawing: Channel = jobs.channel("pictures to hand over", self._on_drawn, self.failed)
        self.sheet = Card("")
        self.title = Title("")
        self.sheet.head.insertWidget(0, self.title)
        self.ask = push_button("Ask &questions", clicked=self._show_questions, name="run")
        self.empty = Invitation("Nothing released yet", NOTHING, self.ask, drawing="answers")
        self.opening = OpenInvitation("Nothing released yet", NOTHING, drawing="answers")
        self.copy_text = push_button("&Copy text", clicked=self._on_copy_text)
        tip = "Copy a picture of 1920 × 1080 pixels, and formatted text"
        self.copy_slide = push_button("Copy sli&de", tip, self._on_copy_slide)
        tip = "Create a report of these releases (HTML or PDF)"
        self.report = push_button("Re&port…", tip, self.report_requested)
        self.budget = push_button("&Budget…", clicked=self.budget_requested)
        self.page = QTextBrowser(openLinks=False)
        self.page.setAccessibleName("Releases to hand over")
        self.page.setObjectName("page")
        self.page.installEventFilter(self)
        for button in (self.budget, self.copy_text, self.copy_slide, self.report):
            self.sheet.head.addWidget(button)
        for part in (self.empty, self.opening, self.page):
            self.sheet.body.addWidget(part, 1)
        stack(self, (self.sheet, 1))
        session.watch(FOLLOWED, self, self.refresh)
        THEME.changed.connect(self._draw_again)

    def _draw_again(self) -> None:
        self.handout = Handout("")  # its pictures have other colours
        self.refresh()

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        if not self.is_open:
            self.drawing.cancel()
            return
        handout = handout_of(self._session, self._budget)
        if handout.records != self.handout.records:
            self._pictures = {}
            self.drawing.request(partial(draw_pictures, handout.records, THEME.palette))
        self.handout = handout
        self._show()

    def show_budget(self, budget: Budget | None) -> None:
        """Show the budget used; None: not known yet."""
        self._budget = budget
        self.refresh()

    @property
    def pending(self) -> bool:
        return self.drawing.busy or self._turn.isActive()

    @property
    def table(self) -> tuple[str, list[str], list[list[object]]] | None:
        rows: list[list[object]] = [list(row) for row in self.handout.rows()]
        return ("released", ["question", "value", "facts"], rows) if rows else None

    @property
    def headline(self) -> str:
        return (self.handout.promise or self.handout.budget) if self.handout.records else HEADLINE

    def show_wall(self, wall: WallView | None) -> None:
        self._on_wall = wall is not None
        self.sheet.show_heading(wall is None)
        bars = Qt.ScrollBarPolicy
        self.page.setVerticalScrollBarPolicy(bars.ScrollBarAlwaysOff if wall else bars.ScrollBarAsNeeded)
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the room of the page."""
        if event.type() == QEvent.Type.Resize:
            self._turn.start()  # once its viewport has room, too
        return False

    def _show(self) -> None:
        if not self.is_open:
            return
        handout, document, there = self.handout, self.page.document(), bool(self.handout.records)
        for button in (self.copy_text, self.copy_slide, self.report):
            button.setEnabled(there)
        asks = self._session.state.table is not None
        self.empty.setVisible(asks and not there)
        self.opening.setVisible(not asks and not there)
        self.budget.setEnabled(there or has_own_data(self._session))
        self.page.setVisible(there)
        self.title.set_text(handout.title)
        shown, ratio = dataclasses.replace(handout, title=""), self.page.devicePixelRatioF()
        if self._on_wall:
            budget = handout.budget if handout.promise else ""  # else it is the sentence above
            shown = dataclasses.replace(shown, promise="", budget=budget, making=False)
            sides = self.page.viewport().size().toTuple()
            fill_room(document, shown, THEME.palette, (THEME.scale,), self._pictures, sides, ratio)
        else:
            position, room = self.page.verticalScrollBar().value(), self.page.width() - SCROLL_BAR
            for content in (shown, dataclasses.replace(shown, narrow=True)):
                fill(document, content, THEME.palette, THEME.scale, self._pictures, ratio)
                document.setTextWidth(room)
                if document.size().width() <= room:
                    break
            self.page.verticalScrollBar().setValue(position)
        self.purpose_changed.emit()

    def _show_questions(self) -> None:
        self._session.show_page(QUESTIONS_VIEW.name)

    def _on_drawn(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._show()

    def _on_copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.handout.text())
        self.saved.emit("Copied as text")

    def _on_copy_slide(self) -> None:
        # one that Python made would crash the program when it ends, where Qt frees the clipboard last
        model = QStringListModel([""])
        content = model.mimeData([model.index(0)])
        content.clear()
        content.setImageData(slide(self.handout, THEME.palette, self._pictures))
        content.setHtml(self.handout.html(LIGHT))
        content.setText(self.handout.text())
        QGuiApplication.clipboard().setMimeData(content)
        self.saved.emit("Copied as a slide")


def handout_of(session: Session, budget: Budget | None) -> Handout:
    """Return the releases of the open data, with the promise for all of them."""
    dataset = session.state.visible_dataset
    records = tuple(reversed(session.releases_here(() if budget is None else budget.records)))
    title = f"Released from {dataset.title}" if dataset and (records or has_own_data(session)) else "Released"
    if budget is None or budget.spent is None:
        return Handout(title, records)
    if not promises(budget.spent):
        return Handout(title, records, budget=line_words(budget))
    whole = budget.spent.tightest
    promise = f"{TOGETHER}{odds_words(whole.epsilon, whole.delta)}"
    return Handout(title, records, promise, f"Budget: {line_words(budget)}.")


def has_own_data(session: Session) -> bool:
    """Tell whether the user has opened the data; each page begins with an example."""
    dataset = session.state.visible_dataset
    return dataset is not None and (dataset.example is None or dataset is session.state.table)


def draw_pictures(records: Sequence[ReleaseRecord], palette: Palette, task: JobTask) -> Pictures:
    """Draw the releases of several numbers (in a worker)."""
    from app.plots.elements.labels import figure_of

    results: Pictures = {}
    style = FigureStyle("single", text_around="none")
    for index, record in enumerate(records[:MAX_PICTURES]):
        drawn = record.release.value is not None and not listed(record)
        panel = shape_of(record.release).panel(record, task) if drawn else None
        if panel is not None:
            content = io.BytesIO()
            figure = figure_of(panel.draw(palette, style).axes)
            figure.savefig(content, format="png", dpi=DPI, bbox_inches="tight", pad_inches=0.05)
            results[index] = QImage.fromData(content.getvalue())
    return results


def fill(
    document: QTextDocument,
    handout: Handout,
    palette: Palette,
    scale: float,
    pictures: Pictures,
    ratio: float = 1.0,
) -> None:
    """Write a handout into a document; `ratio` is that of the pixels of its screen to those of Qt."""
    document.clear()
    document.setDocumentMargin(0)
    room = QSize(480, 280) if handout.making else QSize(380, 230)
    images = {}
    for index, picture in pictures.items():
        # Qt scales images in a text without smoothing: give them the pixels that they will have
        smooth = Qt.TransformationMode.SmoothTransformation
        image = picture.scaled(room * (scale * ratio), Qt.AspectRatioMode.KeepAspectRatio, smooth)
        image.setDevicePixelRatio(ratio)
        images[str(index)] = image
    width = round(handout.widths[2] * scale)
    for index, record in enumerate(handout.records):
        shown = listed(record)
        whole = scale_of(shown)
        for position, one in enumerate(shown):
            drawn = whole is not None and not one.may_be_empty
            if drawn and one.value is not None and one.interval is not None:
                numbers = one.interval[0], one.value, one.interval[1]
                images[f"{index}:{position}"] = interval_image(whole, numbers, palette, scale, width, ratio)
    for name, image in images.items():
        document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(f"picture:{name}"), image)
    document.setHtml(handout.html(palette, scale, {name: f"picture:{name}" for name in images}))


def fill_room(
    document: QTextDocument,
    handout: Handout,
    palette: Palette,
    scales: Sequence[float],
    pictures: Pictures,
    room: tuple[int, int],
    ratio: float = 1.0,
) -> None:
    """Write a handout in the largest type that fits, with pictures and all of its lines if there is room.

    If the releases do not fit, the earliest are left out.
    """
    width, height = room
    none: Pictures = {}
    brief = dataclasses.replace(handout, brief=True)
    two, both = (dataclasses.replace(one, abreast=2, narrow=True) for one in (handout, brief))
    ways = [(content, pictures) for content in (handout, two, brief)] if pictures else []
    if pictures and not handout.making and not any(map(listed, handout.records)):
        ways.append((two.first(2), pictures))
    ways += [(content, none) for content in (handout, two, brief, both)]
    layouts = [(content, shown, scale) for content, shown in ways for scale in scales]
    lines = [*accumulate((max(1, len(listed(record))) for record in handout.records), initial=0)]
    layouts += [(both.first(some), none, scales[-1]) for some in range(len(lines) - 2, 0, -1)]
    for content, shown, scale in layouts:
        least = lines[len(content.records)] * TYPE * scale / content.abreast
        if least > height and content is not layouts[-1][0]:
            continue  # to lay out very many releases takes long
        fill(document, content, palette, scale, shown, ratio)
        document.setTextWidth(width)
        if document.size().height() <= height and document.size().width() <= width:
            break


def slide(handout: Handout, palette: Palette, pictures: Pictures) -> QImage:
    """Return a slide with all releases that fit."""
    width, height = (side - 2 * EDGE for side in SLIDE)
    document = QTextDocument()
    fill_room(document, handout, palette, SLIDE_SCALES, pictures, (width, height))
    image = QImage(*SLIDE, QImage.Format.Format_RGB32)
    image.fill(QColor(palette.card))
    painter = QPainter(image)
    painter.translate(EDGE, EDGE)
    document.drawContents(painter, QRect(0, 0, width, height))
    painter.end()
    return image

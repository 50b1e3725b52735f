"""Cards, badges and captions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QSizePolicy, QToolButton, QWidget

from app.model.theme import Palette
from app.model.wording.numbers import escape
from app.widgets.buttons import icon_button
from app.widgets.layouts import ancestors, contents, line_up, stack
from app.widgets.style import THEME, icon

WHY_CONFIDENTIAL = (
    "Computed from the raw data, for the curator of the data only. Sharing it would void "
    "the guarantee. The Release view hides it."
)
WHY_PUBLIC = (
    "Computed from raw data that are public or synthetic: everyone may see it. With your "
    "own data it would be confidential. The Release view hides it."
)
PUBLIC_DATA = "public_data"
"""The property of a window that tells whether the data in it are public."""

MARGINS, NARROW_MARGINS = (12, 6, 12, 6), (6, 3, 6, 3)
DRAWING = 120
"""Width and height of the drawing of an empty page."""
TOOL = 24
"""Least height of a title, about that of a small button beside it."""


class Badge(QLabel):
    """A short mark of what stands beside it; its tip says why."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__()
        self.setObjectName("badge")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.mark(text, why)

    def mark(self, text: str, why: str) -> None:
        """Say something else."""
        self.setText(text)
        self.setToolTip(why)
        self.setAccessibleName(f"{text}: {why}")


def keep_room(widget: QWidget, keep: bool = True) -> None:
    """Let a widget keep its room while it is hidden, so that its neighbours stay where they are."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(keep)
    widget.setSizePolicy(policy)


def hide_for_now(widget: QWidget) -> None:
    """Hide a widget while its contents are unknown; it keeps its room if it is visible."""
    if not widget.isHidden():
        keep_room(widget)
        widget.hide()


def show_again(widget: QWidget, visible: bool) -> None:
    """Show a widget or hide it; then it keeps no room."""
    keep_room(widget, False)
    widget.setVisible(visible)


class ConfidentialBadge(Badge):
    """The amber mark of everything that must not be shared; a quiet one where the data are public.

    Which of them holds is a property of the window, `PUBLIC_DATA`, that a badge looks up when it is shown.
    """

    def __init__(self) -> None:
        super().__init__("Confidential", WHY_CONFIDENTIAL)
        keep_room(self)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        said = (above.property(PUBLIC_DATA) for above in ancestors(self.parentWidget()))
        self.show_public(bool(next((public for public in said if public is not None), False)))

    def show_public(self, public: bool) -> None:
        """Say that what stands here follows from public data, or that it is confidential."""
        if public != bool(self.property(PUBLIC_DATA)):
            self.setProperty(PUBLIC_DATA, public)
            self._say()
            self.style().polish(self)

    def _say(self) -> None:
        public = bool(self.property(PUBLIC_DATA))
        self.mark(*(("Public data", WHY_PUBLIC) if public else ("Confidential", WHY_CONFIDENTIAL)))


class ConfidentialMark(ConfidentialBadge):
    """A small amber dot for what must not be shared; nothing where the data are public.

    The words stand once in the window, beside the name of the data.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("mark")
        self.mark("Confidential", WHY_CONFIDENTIAL)

    def sizeHint(self) -> QSize:
        """Return the size of the dot, also where nothing is written, or of the words."""
        metrics = self.fontMetrics()
        dot = QSize(metrics.horizontalAdvance("●"), metrics.height())
        return super().sizeHint() if self.objectName() == "badge" else dot

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mark(self, text: str, why: str) -> None:
        super().mark(text, why)
        if self.objectName() != "badge":
            self.setText("" if text == "Public data" else "●")

    def show_words(self, on: bool) -> None:
        """Show words in place of the dot, for a window without the name of the data."""
        self.setObjectName("badge" if on else "mark")
        self.style().polish(self)
        QApplication.sendEvent(self, QEvent(QEvent.Type.StyleChange))  # else it keeps the other's padding
        self._say()
        self.updateGeometry()


def plain(text: str = "", name: str = "") -> QLabel:
    """Return a label whose words are shown as they stand: they may come from a file."""
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(name)
    return label


def caption(text: str = "", name: str = "caption") -> QLabel:
    """Return a line of small words that wraps."""
    label = plain(text, name)
    label.setWordWrap(True)
    if not text:
        label.hide()  # and never shown here: what stands nowhere yet would be a window of its own
    return label


class Invitation(QWidget):
    """Fills an empty page with its first step: a headline, a caption and buttons, in the middle.

    Above them stands a faint drawing, if one is chosen: an icon of its own.
    """

    def __init__(self, title: str, text: str, *buttons: QWidget, drawing: str = "") -> None:
        super().__init__()
        self.title, self.text, self._picture = plain(name="big"), caption(), QLabel()
        for label in (self._picture, self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        line = line_up(None, None, (self.text, 30), None)
        button_line = line_up(None, None, *buttons, None, spacing=8)
        stack(self, None, self._picture, self.title, line, button_line, None, spacing=12)
        self.say(title, text, drawing)
        THEME.changed.connect(self.set_palette)

    def say(self, title: str, text: str, drawing: str = "") -> None:
        """Show other words, and another drawing."""
        set_text(self.title, title)
        set_text(self.text, text)
        self._drawing = drawing
        self.set_palette(THEME.palette)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        size, faint = round(DRAWING * THEME.scale), palette.tint(palette.muted, 0.5)
        self.text.setMaximumWidth(round(680 * THEME.scale))
        self._picture.setVisible(bool(self._drawing))
        if self._drawing:
            self._picture.setPixmap(icon(self._drawing, faint, size=size).pixmap(size, size))


def linked_caption(slot: Callable[[str], object]) -> QLabel:
    """Return a line of small words with a link, which Tab reaches; `slot` takes what is followed."""
    label = caption()
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    label.linkActivated.connect(slot)
    return label


def mark_wrong(widget: QWidget, wrong: bool) -> None:
    """Draw the frame of a field in the colour of errors, or not."""
    if bool(widget.property("wrong")) != wrong:
        widget.setProperty("wrong", wrong)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_text(label: QLabel, text: str) -> None:
    """Show `text` in a caption, which takes no room while it has nothing to say.

    Its property `otherwise` is a text for that case.
    """
    text = text or label.property("otherwise") or ""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


def show_only(shown: Mapping[QWidget, bool]) -> None:
    """Show some widgets and hide the others; these first, so that the window never makes room for both."""
    for widget, seen in sorted(shown.items(), key=lambda one: one[1]):
        widget.setVisible(seen)


class Title(QLabel):
    """A line that gives up the ending of a file's name, then letters, before it pushes its card wider."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setObjectName("title")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.whole = self._tip = ""  # `whole`: all the words, also those that there is no room for
        self._words = False
        self.set_text(text)

    def wrap(self) -> None:
        """Begin another line before letters are given up."""
        self._words = True
        self.setWordWrap(True)

    def set_text(self, text: str, tip: str = "") -> None:
        """Show `text`, or as much of it as fits; `tip` says more, else all that did not fit."""
        self.whole, self._tip = text, tip
        self._elide()
        self._show_tip()

    def minimumSizeHint(self) -> QSize:
        """Ask for hardly any room."""
        return QSize(min(40, self.sizeHint().width()), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.whole) + 4
        return QSize(width if self.whole else 0, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room, metrics = max(self.width(), 40), self.fontMetrics()
        long = metrics.horizontalAdvance(self.whole) > room
        text = re.sub(r"\.[A-Za-z]\w{1,7}$", "", self.whole) if long else self.whole
        fitting = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        if self._words and all(metrics.horizontalAdvance(word) <= room for word in self.whole.split()):
            fitting = self.whole
        if fitting != self.text():
            self.setText(fitting)
            self._show_tip()
        self.updateGeometry()

    def _show_tip(self) -> None:
        self.setToolTip(escape(self._tip or (self.whole if self.text() != self.whole else "")))


class Remarks(QWidget):
    """Shows captions of a card, or the problem of a row in their place.

    It is at least as high as `lines`, names of kinds of captions, so that a problem moves nothing. `rows`
    returns the rows (see `app.widgets.form_row`), each with its `problem`.
    """

    def __init__(self, lines: Iterable[str], rows: Callable[[], Iterable[Any]], *captions: QWidget) -> None:
        super().__init__()
        self._rows = rows
        self.problem = caption(name="problem")
        self._captions = QWidget()
        stack(self._captions, *captions, None, spacing=0)
        self._lines = [caption(name=name) for name in lines]  # never shown: they know the height of a line
        for line in self._lines:
            line.setParent(self)
        stack(self, self._captions, self.problem, None, spacing=0)

    def event(self, event: QEvent) -> bool:
        """Keep the height of the lines in type of any size."""
        if event.type() in (QEvent.Type.Polish, QEvent.Type.StyleChange, QEvent.Type.FontChange):
            for line in self._lines:
                line.ensurePolished()
            self.setMinimumHeight(sum(line.fontMetrics().lineSpacing() for line in self._lines))
        return super().event(event)

    def refresh(self) -> None:
        """Show the problem of the first row that has one and is not hidden, else the captions."""
        texts = (row.problem for row in self._rows() if row.problem and not row.isHidden())
        set_text(self.problem, next(texts, ""))
        self._captions.setVisible(not self.problem.text())


class Card(QFrame):
    """A titled group: title and badge at the left, small tools at the right, a body below."""

    remarks: Remarks | None = None  # shows the problems of its rows; None: each row shows its own

    def __init__(self, title: str, *, private: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(title)
        self._title = Title(title)
        self._title.setMinimumHeight(TOOL)  # titles side by side line up, with tools or without
        self.badge: ConfidentialBadge = ConfidentialMark()
        if not private:
            keep_room(self.badge, False)
            self.badge.hide()
        self.heading = QWidget()  # the line at the top
        self.head = line_up(self.heading, self._title, None, spacing=6)
        self._title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.head.addWidget(self.badge)
        self.body = stack(self, self.heading, margins=MARGINS, spacing=5)

    def use_words(self) -> None:
        """Mark the card with words instead of a dot: it names the data."""
        mark, self.badge = self.badge, ConfidentialBadge()
        self.head.replaceWidget(mark, self.badge)
        self.badge.setVisible(mark.isVisibleTo(self))
        mark.hide()  # it is deleted later
        mark.deleteLater()

    def show_heading(self, on: bool) -> None:
        """Show the line at the top, which takes the badge back, and wide margins; or neither."""
        self.heading.setVisible(on)
        if on:
            self.head.addWidget(self.badge)
        if isinstance(self.badge, ConfidentialMark):
            self.badge.show_words(not on)
        self.body.setContentsMargins(*(MARGINS if on else NARROW_MARGINS))

    @property
    def head_width(self) -> int:
        """The width that all in the line at the top needs, whatever of it is shown now."""
        widgets = [one for one in contents(self.head) if isinstance(one, QWidget)]
        margins = self.contentsMargins() + self.body.contentsMargins()
        gaps = self.head.spacing() * (len(widgets) - 1)
        widths = sum(one.sizeHint().width() for one in widgets)
        return widths + gaps + margins.left() + margins.right()

    @property
    def title(self) -> str:
        """The words at the top."""
        return self._title.whole

    def set_title(self, title: str) -> None:
        """Change the words at the top."""
        self._title.set_text(title)
        self.setAccessibleName(title)

    def wrap_title(self) -> None:
        """Let the words at the top begin another line before letters are given up."""
        self._title.wrap()

    def put(self, *widgets: QWidget) -> None:
        """Add widgets to the body, from the top down."""
        for widget in widgets:
            self.body.addWidget(widget)

    def add_tool(self, name: str, tip: str, text: str = "", *, checkable: bool = False) -> QToolButton:
        """Add a small button with an icon between the title and the badge."""
        button = icon_button(name, tip, text, checkable=checkable)
        self.head.insertWidget(self.head.count() - 1, button)
        return button

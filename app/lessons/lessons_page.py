"""The workspace "Lessons": all lessons by topic, with the reader's progress."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPixmap
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QScrollArea, QWidget

from app.jobs.channels import Jobs
from app.lessons.bookmarks import Bookmarks
from app.lessons.lesson import Lesson
from app.lessons.reading import read_all
from app.model.theme import Palette
from app.model.view_states import WallView
from app.pages.base.view import View
from app.session import Session
from app.widgets.card import caption, linked_caption
from app.widgets.deferred import deferred_call
from app.widgets.layouts import Bend, line_up, scroll_upright, stack
from app.widgets.style import THEME, icon
from engine.errors import DataError

ABREAST = 2
CARD_WIDTH = 480
"""Width of a card beside others, for ordinary type: the same for all, so that all rows wrap at once."""
PRESSED = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
CLICKED = (Qt.Key.Key_PageDown, Qt.Key.Key_Right)
"""Keys that press a button, and those with which a clicker goes on."""
SIGN = 16
THUMBNAIL = 150
"""Width of the picture of a lesson, in pixels."""
WELCOME = (
    "A lesson runs on the real pages, with data of its own. Change anything: nothing is released, and no "
    "budget is used. Your own data come back when you leave."
)
HEADLINE = "Choose a lesson: it runs on the real pages, with data of its own."
SCENE = '<a href="scene" style="color: {}">Play Guess who</a>: is Ana on the list?'


class LessonCard(QFrame):
    """One lesson; a click or Enter starts it."""

    chosen = Signal(object)  # Lesson

    def __init__(self, lesson: Lesson, number: int) -> None:
        super().__init__()
        self.lesson = lesson
        self._follows = False
        self.setObjectName("choice")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Start the lesson (Enter)")
        title, summary = caption(f"{number}. {lesson.title}", "title"), QLabel(lesson.summary, wordWrap=True)
        facts = caption(f"You need to know {lesson.needs}")
        self._sign = QLabel()
        self.mark = QLabel()
        length = _label(f"{len(lesson.steps)} steps · {lesson.minutes} min", "caption")
        foot = line_up(None, self._sign, self.mark, None, length, spacing=6)
        self._thumbnail = QLabel()
        self._drawn = QImage() if lesson.path is None else QImage(str(lesson.path.with_suffix(".png")))
        texts = stack(None, title, summary, facts, None, foot, spacing=5)
        picture = self._thumbnail, 0, Qt.AlignmentFlag.AlignTop
        line_up(self, picture, (texts, 1), margins=(14, 11, 14, 11), spacing=12)
        self._thumbnail.setVisible(not self._drawn.isNull())

    def sizeHint(self) -> QSize:
        return QSize(round(CARD_WIDTH * THEME.scale), super().sizeHint().height())

    def show_mark(self, bookmarks: Bookmarks, palette: Palette, scale: float) -> None:
        """Show the reader's progress."""
        step = bookmarks.step(self.lesson.name, len(self.lesson.steps))
        if bookmarks.is_done(self.lesson.name):
            name, text, colour = "right", "Done · start again", palette.text(palette.released)
        elif step:
            name, text, colour = "play", f"Continue with step {step + 1}", palette.accent
        else:
            name, text, colour = "play", "Start", palette.accent
        self.mark.setText(text)
        self.setAccessibleName(f"{self.lesson.title}. {self.lesson.summary} {text}")
        size = round(SIGN * scale)
        self._sign.setPixmap(icon(name, colour, size=size).pixmap(size, size))
        if not self._drawn.isNull():
            smooth = Qt.TransformationMode.SmoothTransformation
            picture = self._drawn.scaledToWidth(round(THUMBNAIL * scale), smooth)
            picture = darkened(picture, palette) if palette.dark else picture
            self._thumbnail.setPixmap(QPixmap.fromImage(picture))

    def lead_here(self) -> None:
        """Take the focus, so that Enter or a clicker starts the lesson."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._follows = True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Pass the keys of a clicker on to the list."""
        super().focusOutEvent(event)
        self._follows = False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self.lesson)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in PRESSED or (self._follows and event.key() in CLICKED):
            self.chosen.emit(self.lesson)
        else:
            super().keyPressEvent(event)


def darkened(picture: QImage, palette: Palette) -> QImage:
    """Return a picture with light and dark exchanged, from the card's colour to ink; hues stay."""
    import numpy as np
    from matplotlib.colors import to_rgb

    picture = picture.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    colours = [rows[:, start : 3 * picture.width() : 3].astype(np.int16) for start in range(3)]
    shift = 255 - np.maximum.reduce(colours) - np.minimum.reduce(colours)
    card, ink = (np.array(to_rgb(colour)) for colour in (palette.card, palette.ink))
    shades = (255 * np.linspace(card, ink, 256)).round().astype(np.uint8)
    result = np.dstack([shades[colour + shift, index] for index, colour in enumerate(colours)])
    size = picture.width(), picture.height(), 3 * picture.width()
    return QImage(result.data, *size, QImage.Format.Format_RGB888).copy()


class _Gap(QWidget):
    """Takes the width of a card beside the last one of a topic, so that no card is wider than others."""

    def __init__(self, card: QWidget) -> None:
        super().__init__()
        self._card = card

    def sizeHint(self) -> QSize:
        return QSize(self._card.sizeHint().width(), 0)


class LessonsPage(View):
    """Lists the lessons."""

    name = "lessons"

    chosen = Signal(object)  # Lesson: the user starts it
    scene_wanted = Signal()  # the user opens the game of the first start

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session, jobs)
        self.cards: tuple[LessonCard, ...] = ()
        self._lessons: Sequence[Lesson] = ()
        self._topics: list[str] = []  # those without cards yet
        self._turn = deferred_call(self, self._add_topic)
        self.bookmarks = Bookmarks()
        self.reading = jobs.channel("lessons", self._on_read)
        inside = QWidget()
        inside.setObjectName("column")
        self._column = stack(inside, margins=(4, 4, 8, 8), spacing=8)
        self._welcome = _label("Lessons", "big"), caption(WELCOME)
        for label in self._welcome:
            self._column.addWidget(label)
        self._watch = linked_caption(self._on_link)
        self._watch.setAccessibleName("Play Guess who")
        self._column.addWidget(self._watch)
        self._watch.show()
        self.path = _label("", "text")
        self._column.addWidget(self.path)
        self._column.addStretch(1)
        self.problems = caption(name="warning")
        self._column.addWidget(self.problems)
        self._scroll = scroll_upright(QScrollArea(), inside)
        stack(self, self._scroll)
        session.watch({"workspace", "lesson"}, self, self._follow)
        THEME.follow(self.set_palette)

    @property
    def pending(self) -> bool:
        return self._turn.isActive()

    @property
    def headline(self) -> str:
        return HEADLINE

    def show_wall(self, wall: WallView | None) -> None:
        for label in self._welcome:
            label.setVisible(wall is None)

    def start(self) -> None:
        """Read the files; called after the window's first paint."""
        if not self._lessons and not self.reading.busy:
            self.reading.request(read_all)

    def set_palette(self, palette: Palette) -> None:
        self._watch.setText(SCENE.format(palette.text(palette.accent)))
        self.show_marks()

    def lead_on(self, lesson: Lesson) -> None:
        """Focus the lesson after `lesson`, so that Enter or a clicker starts it."""
        names = [card.lesson.name for card in self.cards]
        after = names.index(lesson.name) + 1 if lesson.name in names else len(names)
        for card in self.cards[after : after + 1]:
            card.lead_here()
            self._scroll.ensureWidgetVisible(card)

    def show_marks(self) -> None:
        for card in self.cards:
            card.show_mark(self.bookmarks, THEME.palette, THEME.scale)
        left = [card.lesson.title for card in self.cards if not self.bookmarks.is_done(card.lesson.name)]
        ahead = f"Next: {left[0]}" if left else ""
        self.path.setText(f"{len(self.cards) - len(left)} of {len(self.cards)} lessons finished. {ahead}")
        self.path.setVisible(bool(self.cards))

    def _on_link(self, _: str) -> None:
        self.scene_wanted.emit()

    def _follow(self) -> None:
        if self.is_open:
            self.show_marks()

    def _on_read(self, results: tuple[Sequence[Lesson], Sequence[DataError]]) -> None:
        """Make a card for each lesson, below the heading of its topic: those of a topic in each turn."""
        self._lessons, bad = results
        self._topics = list(dict.fromkeys(lesson.topic for lesson in self._lessons))
        self.problems.setText("\n".join(f"Not read: {error}" for error in bad))
        self.problems.setVisible(bool(bad))
        self._add_topic()

    def _add_topic(self) -> None:
        """Add the cards of the next topic; after the last one, show what is finished."""
        if not self._topics:
            self.show_marks()
            if self.is_open and self.cards:
                self.cards[0].setFocus()
            return
        topic, index = self._topics.pop(0), self._column.count() - 2
        numbered = [pair for pair in enumerate(self._lessons, 1) if pair[1].topic == topic]
        cards = [LessonCard(lesson, number) for number, lesson in numbered]
        self._column.insertWidget(index, _label(topic, "topic"))
        self._column.insertLayout(index + 1, self._grid(cards))
        for card in cards:
            card.chosen.connect(self.chosen)
            card.show_mark(self.bookmarks, THEME.palette, THEME.scale)
        self.cards = tuple(sorted((*self.cards, *cards), key=lambda card: self._lessons.index(card.lesson)))
        self._turn.start()

    def _grid(self, cards: Sequence[QWidget]) -> QBoxLayout:
        """Return the cards of a topic, side by side where they fit."""
        column = stack(None, spacing=8)
        for start in range(0, len(cards), ABREAST):
            line = Bend()
            line.setSpacing(8)
            row = cards[start : start + ABREAST]
            for card in (*row, *(_Gap(row[0]) for _ in range(ABREAST - len(row)))):
                line.addWidget(card, 1)
            column.addLayout(line)
        return column


def _label(text: str, style: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(style)
    label.setIndent(0)  # a style with padding would indent it
    return label

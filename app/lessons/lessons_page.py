"""The workspace "Lessons": all lessons, with the reader's progress."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPixmap
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from app.jobs.channels import Jobs
from app.lessons.bookmarks import Bookmarks
from app.lessons.lesson import Lesson
from app.lessons.reading import read_all
from app.model.theme import Palette
from app.model.view_states import WallView
from app.pages.base.view import View
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import caption, linked_caption
from app.widgets.deferred import deferred_call
from app.widgets.layouts import Bend, line_up, scroll_upright, stack
from app.widgets.style import THEME, icon
from engine.errors import DataError

ABREAST = 2
CARD_WIDTH = 400
"""Least width of a card, for ordinary type: the same for all, so that all rows wrap at once."""
PRESSED = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
CLICKED = (Qt.Key.Key_PageDown, Qt.Key.Key_Right)
"""Keys that press a button, and those with which a clicker goes on."""
SIGN, THUMBNAIL = 16, 120
"""Widths of the sign on a button, and of the picture of a lesson, in pixels."""
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
        title, summary = caption(f"{number}. {lesson.title}", "title"), QLabel(lesson.summary, wordWrap=True)
        self.facts = caption(f"You need to know {lesson.needs}")
        tip = f"Go through the {len(lesson.steps)} steps of the lesson (Enter)"
        self.mark = push_button("", tip, self._on_start, name="run")
        self.mark.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the card has it
        foot = line_up(None, self.mark, None, _label(f"{lesson.minutes} min", "caption"), spacing=6)
        self._thumbnail = QLabel()
        self._drawn = QImage() if lesson.path is None else QImage(str(lesson.path.with_suffix(".png")))
        texts = stack(None, title, summary, self.facts, None, foot, spacing=5)
        picture = self._thumbnail, 0, Qt.AlignmentFlag.AlignTop
        line_up(self, picture, (texts, 1), margins=(14, 11, 14, 11), spacing=12)
        self._thumbnail.setVisible(not self._drawn.isNull())
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)  # its texts wrap
        self.setSizePolicy(policy)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(CARD_WIDTH * THEME.scale), super().minimumSizeHint().height())

    def show_mark(self, bookmarks: Bookmarks, palette: Palette, scale: float, *, leads: bool) -> None:
        """Show the reader's progress; `leads`: it is the next lesson."""
        step, name = bookmarks.step(self.lesson.name, len(self.lesson.steps)), "play"
        if bookmarks.is_done(self.lesson.name):
            name, text = "right", "Done · start again"
        else:
            text = f"Continue with step {step + 1}" if step else "Start"
        self.mark.setText(text)
        self.mark.setProperty("secondary", not leads)
        self.mark.style().polish(self.mark)
        self.mark.setIconSize(QSize(1, 1) * round(SIGN * scale))
        self.mark.setIcon(icon(name, palette.on_accent if leads else palette.text(palette.accent)))
        self.setAccessibleName(f"{self.lesson.title}. {self.lesson.summary} {text}")
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
            self._on_start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in PRESSED or (self._follows and event.key() in CLICKED):
            self._on_start()
        else:
            super().keyPressEvent(event)

    def _on_start(self) -> None:
        self.chosen.emit(self.lesson)


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
    """Takes the width of a card beside the last one, so that no card is wider than others."""

    def __init__(self, card: QWidget) -> None:
        super().__init__()
        self._card = card
        self.setSizePolicy(card.sizePolicy())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._card.minimumSizeHint().width(), 0)


class LessonsPage(View):
    """Lists the lessons."""

    name = "lessons"

    chosen = Signal(object)  # Lesson: the user starts it
    scene_wanted = Signal()  # the user opens the game of the first start

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session, jobs)
        self.cards: tuple[LessonCard, ...] = ()
        self._lessons: Sequence[Lesson] = ()
        self._on_wall = False
        self._turn = deferred_call(self, self._add_row)
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
        self._watch.setWordWrap(False)
        self.path = caption(name="text")
        self._column.addLayout(line_up(None, (self.path, 1), self._watch))
        self._watch.show()
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
        self._on_wall = wall is not None
        for label in self._welcome:
            label.setVisible(wall is None)
        self.show_marks()

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
        left = [card for card in self.cards if not self.bookmarks.is_done(card.lesson.name)]
        for card in self.cards:
            card.show_mark(self.bookmarks, THEME.palette, THEME.scale, leads=card in left[:1])
            card.facts.setVisible(not self._on_wall)
        ahead = f"Next: {left[0].lesson.title}" if left else ""
        self.path.setText(f"{len(self.cards) - len(left)} of {len(self.cards)} lessons finished. {ahead}")
        self.path.setVisible(bool(self.cards))

    def _on_link(self, _: str) -> None:
        self.scene_wanted.emit()

    def _follow(self) -> None:
        if self.is_open:
            self.show_marks()

    def _on_read(self, results: tuple[Sequence[Lesson], Sequence[DataError]]) -> None:
        """Make a card for each lesson, a row of them in each turn."""
        self._lessons, bad = results
        self.problems.setText("\n".join(f"Not read: {error}" for error in bad))
        self.problems.setVisible(bool(bad))
        self._add_row()

    def _add_row(self) -> None:
        """Add the next cards of a topic, side by side where they fit; at the end show what is finished."""
        start = len(self.cards)
        lessons = self._lessons[start : start + ABREAST]
        if not lessons:
            self.show_marks()
            if self.is_open and self.cards:
                self.cards[0].setFocus()
            return
        topic = lessons[0].topic
        if not self.cards or self.cards[-1].lesson.topic != topic:
            self._column.insertWidget(self._column.count() - 2, _label(topic, "title"))
        alike = (lesson for lesson in lessons if lesson.topic == topic)
        row = [LessonCard(lesson, number) for number, lesson in enumerate(alike, start + 1)]
        line = Bend()
        for part in (*row, *(_Gap(row[0]) for _ in range(ABREAST - len(row)))):
            line.addWidget(part, 1)
        for card in row:
            card.chosen.connect(self.chosen)
        self._column.insertLayout(self._column.count() - 2, line)
        self.cards += tuple(row)
        self._turn.start()


def _label(text: str, style: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(style)
    label.setIndent(0)  # a style with padding would indent it
    return label

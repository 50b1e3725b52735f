"""A lesson beside its page: text, question and navigation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.lessons.lesson import LessonQuestion
from app.lessons.player import Player
from app.lessons.reading import MAX_ANSWERS
from app.model.theme import Palette
from app.model.wording.numbers import in_prose
from app.widgets.card import Badge, Title
from app.widgets.layouts import line_up, scroll_upright, stack
from app.widgets.style import icon

ICON_SIZE = 16
BETWEEN = 3
"""Gap between the segments of the progress line, in pixels."""


class StepLine(QWidget):
    """A progress line with one segment per step, coloured up to the current one."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(4)
        self._index, self._steps = 0, 1
        self._palette: Palette | None = None

    def show_step(self, index: int, steps: int) -> None:
        """Colour the segments up to the step at `index`, counted from 0."""
        self._index, self._steps = index, steps
        self.setAccessibleName(f"Step {index + 1} of {steps}")
        self.update()

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._palette is None:
            return
        painter = QPainter(self)
        piece = (self.width() + BETWEEN) / self._steps
        for step in range(self._steps):
            colour = self._palette.accent if step <= self._index else self._palette.border
            left, right = round(step * piece), round((step + 1) * piece) - BETWEEN
            painter.fillRect(left, 0, right - left, self.height(), QColor(colour))


class Paragraphs(QWidget):
    """Markdown with space between paragraphs, which a single label lacks."""

    def __init__(self) -> None:
        super().__init__()
        self._column = stack(self, spacing=6)
        self._labels: list[QLabel] = []

    def set_text(self, text: str) -> None:
        """Show the paragraphs of a text, separated by empty lines."""
        paragraphs = [part for part in text.split("\n\n") if part.strip()]
        while len(self._labels) < len(paragraphs):
            label = named_label("text")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.MarkdownText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._labels.append(label)
            self._column.addWidget(label)
        for index, label in enumerate(self._labels):
            label.setText(paragraphs[index] if index < len(paragraphs) else "")
            label.setVisible(index < len(paragraphs))


class Hint(QWidget):
    """A hint with an icon: where to look, or what to try."""

    def __init__(self, name: str, word: str) -> None:
        super().__init__()
        self._name, self._word = name, word
        self._sign = QLabel()
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.MarkdownText)
        line_up(self, (self._sign, 0, Qt.AlignmentFlag.AlignTop), (self.text, 1), spacing=8)

    def set_text(self, text: str) -> None:
        self.text.setText(f"**{self._word}:** {text}")
        self.setVisible(bool(text))

    def set_look(self, palette: Palette, scale: float) -> None:
        """Set colours and font size."""
        size = round(ICON_SIZE * scale)
        self._sign.setPixmap(icon(self._name, palette.accent, size=size).pixmap(size, size))


def named_label(name: str) -> QLabel:
    """Return an empty label with an object name for styles."""
    label = QLabel()
    label.setObjectName(name)
    return label


TICK_SIZE = 18


class Answer(QWidget):
    """A radio button with a text that wraps."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.button = QRadioButton()
        self.button.setFocusPolicy(
            Qt.FocusPolicy.TabFocus
        )  # a click does not take the focus, so a clicker keeps working
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self._index = index
        line_up(
            self,
            (self.button, 0, Qt.AlignmentFlag.AlignTop),
            (self.text, 1),
            margins=(0, 1, 0, 1),
            spacing=4,
        )

    def show_answer(self, text: str) -> None:
        """Set the text of the answer."""
        self.text.setText(text)
        self.button.setAccessibleName(f"{self._index + 1}: {text}")
        self.button.setToolTip(f"Press {self._index + 1}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the answer by a click on its text, too."""
        self.button.click()


class QuestionCard(QFrame):
    """Asks a question, and shows at once whether the answer is right."""

    answered = Signal(int)  # the chosen answer, counted from 0

    def __init__(self, most: int) -> None:
        super().__init__()
        self.setObjectName("question")
        self.setAccessibleName("Question")
        self._question: LessonQuestion | None = None
        self._palette: Palette | None = None
        self._scale = 1.0
        self._given: int | None = None
        self.ask = QLabel()
        self.ask.setObjectName("ask")
        self.ask.setWordWrap(True)
        self._group = QButtonGroup(self)
        self.answers = [Answer(index) for index in range(most)]
        column = stack(self, self.ask, margins=(10, 8, 10, 8), spacing=3)
        for index, answer in enumerate(self.answers):
            self._group.addButton(answer.button, index)
            column.addWidget(answer)
        self._group.idClicked.connect(self._on_clicked)
        self.sign = QLabel()
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.verdict.setObjectName("verdict")
        self.verdict.setTextFormat(Qt.TextFormat.MarkdownText)
        self._told = QWidget()
        line_up(
            self._told,
            (self.sign, 0, Qt.AlignmentFlag.AlignTop),
            (self.verdict, 1),
            margins=(0, 5, 0, 0),
            spacing=6,
        )
        column.addWidget(self._told)

    @property
    def given(self) -> int | None:
        """The chosen answer, counted from 0."""
        return self._given

    def show_question(self, question: LessonQuestion, given: int | None) -> None:
        """Show a question; `given` is an earlier answer."""
        self._question, self._given = question, given
        self.ask.setText(in_prose(question.ask))
        self._group.setExclusive(False)
        for index, answer in enumerate(self.answers):
            there = index < len(question.answers)
            if there:
                answer.show_answer(in_prose(question.answers[index]))
            answer.button.setChecked(index == given)
            answer.setVisible(there)
        self._group.setExclusive(True)
        self._tell()

    def choose(self, index: int) -> None:
        """Choose an answer, if it exists."""
        if self._question is not None and index < len(self._question.answers):
            self.answers[index].button.click()

    def set_look(self, palette: Palette, scale: float) -> None:
        """Take the colours of a theme, and type at that size."""
        self._palette, self._scale = palette, scale
        self._tell()

    def _on_clicked(self, index: int) -> None:
        self._given = index
        self._tell()
        self.answered.emit(index)

    def _tell(self) -> None:
        """Show whether the answer is right, and why."""
        question, given = self._question, self._given
        self._told.setVisible(given is not None)
        if question is None or given is None:
            return
        right = given == question.right
        text = "**Right.**" if right else f"**Not quite:** the answer is {question.right + 1}."
        self.verdict.setText(f"{text} {in_prose(question.because)}")
        if self._palette is not None:
            colour = self._palette.text(self._palette.released if right else self._palette.local)
            size = round(TICK_SIZE * self._scale)
            self.sign.setPixmap(icon("right" if right else "wrong", colour, size=size).pixmap(size, size))
        self.sign.setAccessibleName("right" if right else "wrong")


ROOMY = 640
"""Least width for the full font size in presentation mode, in pixels."""
MIN_WIDTH, WIDTH = 280, 330
"""Least and preferred width of a lesson, in pixels."""
CONTROLS_HELP = {
    False: "Show the controls below the text: data, privacy, method (F9)",
    True: "Hide the controls below the text (F9)",
}
PAGED = (QAbstractSpinBox, QLineEdit, QComboBox, QAbstractItemView)
"""Widgets that use the page keys themselves."""
WHY_SIMULATED = (
    "This seed determines all random draws of the lesson, so they are the same on every computer. Run "
    "simulates here: it releases nothing and uses no budget."
)


class LessonPanel(QFrame):
    """Shows the current step."""

    controls_wanted = Signal(bool)  # whether to show the controls below the text

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName("Lesson")
        self._player: Player | None = None
        self._palette: Palette | None = None
        self._scale = 1.0
        self._build()
        self._listen()
        self.set_room(0)
        self.hide()

    def follow(self, player: Player) -> None:
        self._player = player
        self.next.clicked.connect(player.next)
        self.back.clicked.connect(player.back)
        self.again.clicked.connect(player.again)
        self.question.answered.connect(player.answer)
        self.question.answered.connect(self._on_answered)
        self.leave.clicked.connect(player.leave)
        player.moved.connect(self.refresh)

    def refresh(self) -> None:
        """Show the current step of the player, if any."""
        player = self._player
        if player is None or player.lesson is None or player.step is None:
            return
        lesson, step, index = player.lesson, player.step, player.index
        self.lesson.set_text(lesson.title)
        self.count.setText(f"Step {index + 1} of {len(lesson.steps)}")
        self.count.setToolTip(lesson.title)
        self.steps.show_step(index, len(lesson.steps))
        self.title.setText(in_prose(step.title))
        self.text.set_text(in_prose(step.text))
        self.look.set_text(in_prose(step.look))
        self.attempt.set_text(in_prose(step.attempt))
        self.question.show_question(step.question, player.answers.get(index))
        self.badge.setText(f"Seed {lesson.seed} · simulation")
        self.back.setEnabled(index > 0)
        self.next.setText("&Finish" if player.at_end else "&Next")
        self.scroll_area.verticalScrollBar().setValue(0)
        self.next.setFocus()

    def show_controls(self, controls: QWidget, *, offered: bool, shown: bool) -> None:
        """Show `controls` below the text. `offered`: there is no other place for them."""
        self.controls.setVisible(offered)
        self.controls.setChecked(shown)
        self.controls.setToolTip(CONTROLS_HELP[shown])
        if shown:
            self._middle.addWidget(controls, 1)
        for reading in self._reading:  # Return commits the text of a field
            reading.setEnabled(not shown)

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.steps.set_palette(palette)
        for part in (self.look, self.attempt, self.question):
            part.set_look(palette, self._scale)
        self.refresh()

    def set_scale(self, scale: float) -> None:
        self._scale = scale
        if self._palette is not None:
            self.set_palette(self._palette)

    def set_room(self, width: int) -> None:
        """Set the width, if available; reduce a large font in a narrow panel."""
        self.setMaximumWidth(max(WIDTH, width))
        dense = 0 < width < ROOMY
        if dense != self.property("dense"):
            self.setProperty("dense", dense)
            self.lesson.setVisible(not dense)
            for part in (self, *self.findChildren(QWidget)):
                part.style().polish(part)

    def minimumSizeHint(self) -> QSize:
        """Adapt the least width to the buttons."""
        hint = super().minimumSizeHint()
        return QSize(max(MIN_WIDTH, hint.width()), hint.height())

    def sizeHint(self) -> QSize:
        return QSize(self.maximumWidth(), super().sizeHint().height())

    def _build(self) -> None:
        self.lesson = Title("")
        self.lesson.setObjectName("caption")
        self.leave = QToolButton()
        self.leave.setProperty("icon_name", "close")
        self.leave.setToolTip("Leave the lesson: your own data come back")
        self.leave.setAccessibleName("Leave the lesson")
        self.count = named_label("caption")
        self.steps = StepLine()
        self.badge = Badge("", WHY_SIMULATED)
        self.badge.setObjectName("simulated")
        head = line_up(None, self.count, None, self.badge, self.leave, spacing=2)
        self.title = named_label("step")
        self.title.setWordWrap(True)
        self.text = Paragraphs()
        self.look, self.attempt = Hint("eye", "Look"), Hint("tune", "Try")
        self.question = QuestionCard(MAX_ANSWERS)
        inside = QWidget()
        stack(
            inside,
            self.title,
            self.text,
            self.look,
            self.attempt,
            self.question,
            None,
            margins=(0, 0, 4, 0),
            spacing=8,
        )
        self.scroll_area = scroll_upright(QScrollArea(), inside)
        whole = stack(self, head, self.lesson, self.steps, margins=(12, 8, 10, 10), spacing=8)
        self._middle = stack(None, (self.scroll_area, 1))
        whole.addLayout(self._middle, 1)
        whole.addLayout(self._foot())

    def _foot(self) -> QHBoxLayout:
        self.back = QPushButton("&Back")
        self.back.setToolTip("Previous step (Alt+←, or Page Up)")
        self.again = QToolButton()
        self.again.setProperty("icon_name", "reset")
        self.again.setToolTip("Reset this step to its beginning")
        self.again.setAccessibleName("Reset this step")
        self.next = QPushButton("&Next")
        self.next.setObjectName("run")
        self.next.setToolTip("Next step (Alt+→, or Page Down)")
        self.controls = QPushButton("&Controls")
        self.controls.setObjectName("segment")
        self.controls.setProperty("plain", True)
        self.controls.setCheckable(True)
        self.controls.clicked.connect(self.controls_wanted)
        return line_up(None, self.back, self.again, self.controls, (self.next, 1), spacing=4)

    def _listen(self) -> None:
        """Handle the keys of a lesson while one is shown."""
        inside, anywhere = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WindowShortcut
        clicker = {
            "PgDown": self.next.click,
            "PgUp": self.back.click,
            "Right": self.next.click,
            "Left": self.back.click,
        }
        answers = {str(index + 1): self._choosing(index) for index in range(MAX_ANSWERS)}
        window_keys = {"Alt+Right": self.next.click, "Alt+Left": self.back.click, **answers, **clicker}
        made = {}
        for key, slot in (*window_keys.items(), ("Return", self.next.click), ("Enter", self.next.click)):
            context = anywhere if key in window_keys else inside
            made[key] = QShortcut(QKeySequence(key), self, context=context)
            made[key].activated.connect(slot)
        self._reading = [made["Return"], made["Enter"]]
        self._clicker = {key: made[key] for key in clicker}
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, _: QWidget | None, focused: QWidget | None) -> None:
        """Pass keys on to widgets that need them: page keys to fields and lists, arrows to all."""
        own = focused is None or focused in (self.next, self.back, self.again, self.leave, self.scroll_area)
        for key, shortcut in self._clicker.items():
            pages = key.startswith("Pg") and not isinstance(focused, PAGED)
            shortcut.setEnabled(own or pages)

    def _on_answered(self, _: int) -> None:
        """Scroll to the explanation; with a large font, hide the hints."""
        if self.property("dense"):
            for hint in (self.look, self.attempt):
                hint.hide()
        QTimer.singleShot(0, self, lambda: self.scroll_area.ensureWidgetVisible(self.question, 0, 4))

    def _choosing(self, index: int) -> Callable[[], None]:
        return lambda: self.question.choose(index)

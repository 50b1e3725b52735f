"""A lesson beside its page: text, question and navigation."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from app.lessons.lesson import MAX_ANSWERS, LessonQuestion, LessonStep
from app.lessons.player import Player
from app.model.theme import Palette
from app.model.wording.numbers import in_prose
from app.panels.prediction_box import PredictionBox, verdict_of
from app.widgets.buttons import icon_button, push_button
from app.widgets.card import Badge, Title, keep_room, plain, show_only
from app.widgets.layouts import QWIDGETSIZE_MAX, line_up, scroll_upright, stack
from app.widgets.style import THEME, PaintedWidget, icon

ICON_SIZE = 16
TOP = Qt.AlignmentFlag.AlignTop
BETWEEN = 3
"""Gap between the segments of the progress line, in pixels."""


class StepLine(PaintedWidget):
    """A progress line with one segment per step, coloured up to the current one."""

    def __init__(self) -> None:
        super().__init__("")
        self.setFixedHeight(4)
        self._index, self._steps = 0, 1

    def show_step(self, index: int, steps: int) -> None:
        """Colour the segments up to the step at `index`, counted from 0."""
        self._index, self._steps = index, steps
        self.setAccessibleName(f"Step {index + 1} of {steps}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
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
            label = plain(name="text")
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
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.MarkdownText)
        line_up(self, (self._sign, 0, TOP), (self.text, 1), spacing=8)
        THEME.follow(self.set_palette)

    def set_text(self, text: str) -> None:
        self.text.setText(f"**{self._word}:** {text}")
        self.setVisible(bool(text))

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme, and its size of type."""
        size = round(ICON_SIZE * THEME.scale)
        self._sign.setPixmap(icon(self._name, palette.accent, size=size).pixmap(size, size))


TICK_SIZE = 18


class Answer(QWidget):
    """A radio button with a text that wraps."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.button = QRadioButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # so that a clicker works on after a click
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._index = index
        line_up(self, (self.button, 0, TOP), (self.text, 1), margins=(0, 1, 0, 1), spacing=4)

    def show_answer(self, text: str) -> None:
        self.text.setText(text)
        self.button.setAccessibleName(f"{self._index + 1}: {text}")
        self.button.setToolTip(f"Press {self._index + 1}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the answer by a click on its text, too."""
        self.button.click()


class QuestionCard(QFrame):
    """Asks a question, and shows at once whether the answer is right."""

    answered = Signal(float)  # the chosen answer, counted from 0, or a prediction

    def __init__(self, most: int) -> None:
        super().__init__()
        self.setObjectName("question")
        self.setAccessibleName("Question")
        self._question: LessonQuestion | None = None
        self.given: float | None = None  # the chosen answer, counted from 0, or the prediction
        self.ask = plain(name="ask")
        self.ask.setWordWrap(True)
        self._group = QButtonGroup(self)
        self.answers = [Answer(index) for index in range(most)]
        column = stack(None, self.ask, spacing=3)
        for index, answer in enumerate(self.answers):
            self._group.addButton(answer.button, index)
            column.addWidget(answer)
        self.prediction = PredictionBox()
        self.prediction.predicted.connect(self._on_clicked)
        column.addWidget(self.prediction)
        self._group.idClicked.connect(self._on_clicked)
        self.sign = QLabel()
        self.verdict = QLabel(wordWrap=True, textFormat=Qt.TextFormat.MarkdownText)
        self._told = QWidget()
        line_up(self._told, (self.sign, 0, TOP), (self.verdict, 1), margins=(0, 5, 0, 0), spacing=6)
        self._columns = stack(self, (column, 3), (self._told, 2), margins=(10, 8, 10, 8), spacing=3)
        THEME.changed.connect(self._tell)

    def set_wide(self, on: bool) -> None:
        """Show the verdict beside the answers, or below."""
        self._columns.setDirection(
            QBoxLayout.Direction.LeftToRight if on else QBoxLayout.Direction.TopToBottom
        )
        keep_room(self._told, on)

    def show_question(self, question: LessonQuestion, given: float | None) -> None:
        """Show a question; `given` is an earlier answer."""
        self._question, self.given = question, given
        self.ask.setText(in_prose(question.ask))
        self._group.setExclusive(False)
        for index, answer in enumerate(self.answers):
            there = index < len(question.answers)
            if there:
                answer.show_answer(in_prose(question.answers[index]))
            answer.button.setChecked(index == given)
            answer.setVisible(there)
        self._group.setExclusive(True)
        self.prediction.setVisible(question.prediction is not None)
        if question.prediction is not None:
            self.prediction.show_prediction(question.prediction, given)
        self._tell()

    def choose(self, index: int) -> None:
        """Choose an answer, if it exists."""
        if self._question is not None and index < len(self._question.answers):
            self.answers[index].button.click()

    def take(self, answer: float) -> None:
        """Take an answer or a prediction, unless a prediction was made already."""
        predicts = self._question is not None and self._question.prediction is not None
        if not (predicts and self.given is not None):
            self._on_clicked(answer)

    def _on_clicked(self, answer: float) -> None:
        self.given = answer
        if self._question is not None and self._question.prediction is not None:
            self.prediction.show_prediction(self._question.prediction, answer)
        self._tell()
        self.answered.emit(answer)

    def _tell(self) -> None:
        """Show whether the answer is right, and why."""
        question, given = self._question, self.given
        self._told.setVisible(given is not None)
        if question is None or given is None:
            return
        if question.prediction is not None:
            right, text = verdict_of(question.prediction, given)
        else:
            right = given == question.right
            text = "**Right.**" if right else f"**Not quite:** the answer is {question.right + 1}."
        self.sign.setVisible(right is not None)
        self.verdict.setText(f"{text} {in_prose(question.because)}")
        colour = THEME.palette.text(THEME.palette.released if right else THEME.palette.local)
        size = round(TICK_SIZE * THEME.scale)
        self.sign.setPixmap(icon("right" if right else "wrong", colour, size=size).pixmap(size, size))
        self.sign.setAccessibleName("right" if right else "wrong")


OPENERS = {"text": "T", "question": "Q"}
"""The parts of a step that a key shows in presentation mode."""
MARGINS, WALL_MARGINS = (12, 8, 10, 10), (12, 6, 12, 6)
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


def _toggle(text: str) -> QPushButton:
    button = push_button(text, name="segment", checkable=True)
    button.setProperty("plain", True)
    return button


class LessonPanel(QFrame):
    """Shows the current step; in presentation mode, a sentence above the page, and the buttons below it."""

    controls_wanted = Signal(bool)  # whether to show the controls below the text

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName("Lesson")
        self._player: Player | None = None
        self._step: LessonStep | None = None
        self.predicts = False  # whether the step waits for a prediction
        self.on_wall, self.opened = False, ""  # presentation mode; the part that a key has opened there
        self._build()
        self._listen()
        self.show_wall(False, 0)
        self.hide()
        THEME.changed.connect(self.refresh)

    def follow(self, player: Player) -> None:
        self._player = player
        self.next.clicked.connect(player.next)
        self.back.clicked.connect(player.back)
        self.again.clicked.connect(player.again)
        self.question.answered.connect(player.answer)
        self.question.answered.connect(self._on_answered)
        self.leave.clicked.connect(player.leave)
        player.moved.connect(self.refresh)

    @property
    def task(self) -> str:
        """The task of the step, if any."""
        step = None if self._player is None else self._player.step
        return "" if step is None else step.attempt

    def refresh(self) -> None:
        """Show the current step of the player, if any."""
        player = self._player
        if player is None or player.lesson is None or player.step is None:
            return
        lesson, step, index = player.lesson, player.step, player.index
        self.lesson.set_text(lesson.title)
        self.count.setText(f"Step {index + 1} of {len(lesson.steps)}")
        self.number.setText(f"{index + 1} / {len(lesson.steps)}")
        self.predicts = step.question.prediction is not None and index not in player.answers
        self.sentence.setText(in_prose(step.question.ask if self.predicts else step.sentence))
        self.count.setToolTip(lesson.title)
        self.steps.show_step(index, len(lesson.steps))
        self.title.setText(in_prose(step.title))
        self.text.set_text(in_prose(step.text))
        self.look.set_text("" if self.predicts else in_prose(step.look))
        self.attempt.set_text(in_prose(step.attempt))
        self.question.show_question(step.question, player.answers.get(index))
        self.badge.setText(f"Seed {lesson.seed} · simulation")
        self.back.setEnabled(index > 0)
        self.next.setText("&Finish" if player.at_end else "&Next")
        self.scroll_area.verticalScrollBar().setValue(0)
        self.open(self.opened if step is self._step else "")
        self._step = step
        self.steps.setFocus()

    def show_controls(self, controls: QWidget, *, offered: bool, shown: bool) -> None:
        """Show `controls` below the text. `offered`: there is no other place for them."""
        self.controls.setVisible(offered and not self.on_wall)
        self.controls.setChecked(shown)
        self.controls.setToolTip(CONTROLS_HELP[shown])
        if shown:
            self._middle.addWidget(controls, 1)
        for reading in self._reading:  # Return commits the text of a field
            reading.setEnabled(not shown)

    def show_wall(self, on: bool, width: int) -> None:
        """Show the sentence of a step alone, or all its texts in at most this width."""
        self.setMaximumWidth(QWIDGETSIZE_MAX if on else max(WIDTH, width))
        if on == self.on_wall:
            return
        self.on_wall = on
        self._rows.setDirection(QBoxLayout.Direction.LeftToRight if on else QBoxLayout.Direction.TopToBottom)
        self.question.set_wide(on)
        policies = Qt.ScrollBarPolicy
        self.scroll_area.setVerticalScrollBarPolicy(
            policies.ScrollBarAlwaysOff if on else policies.ScrollBarAsNeeded
        )
        if not on:
            self.scroll_area.setMinimumHeight(0)
            self.scroll_area.setMaximumHeight(QWIDGETSIZE_MAX)
            self._whole.addWidget(self.foot)
        self._whole.setContentsMargins(*(WALL_MARGINS if on else MARGINS))
        self._buttons.setStretchFactor(self.next, 0 if on else 1)
        show_only(
            dict.fromkeys((self._head, self.lesson, self.again), not on)
            | dict.fromkeys((self.number, *self.openers.values()), on)
        )
        self.open("")
        self.steps.setFocus()

    def hold(self, part: QWidget, stretch: int = 0) -> None:
        """Show the badge or the options of the picture, or the button of its page, beside the buttons."""
        self._buttons.insertWidget(1, part, stretch)

    def open(self, part: str) -> None:
        """Show the text or the question in place of the sentence; "" for the sentence (presentation mode)."""
        self.opened = part if self.on_wall else ""
        for name, button in self.openers.items():
            button.setChecked(name == self.opened)
        show_only(
            {
                self.sentence: self.on_wall and not self.opened,
                self.scroll_area: bool(self.opened) or not self.on_wall,
                self.explained: self.opened != "question",
                self.question: self.opened != "text",
            }
        )
        self._fit_wall()

    def _fit_wall(self) -> None:
        """Give the texts the height that they need."""
        if self.on_wall:
            for part in (self.explained, self.question):  # hints may have appeared a moment ago
                part.updateGeometry()
            width = self.contentsRect().width() - 2 * WALL_MARGINS[0]
            self.scroll_area.setFixedHeight(max(0, self._inside.heightForWidth(width)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_wall()

    def minimumSizeHint(self) -> QSize:
        """Adapt the least width to the buttons."""
        hint = super().minimumSizeHint()
        return QSize(max(MIN_WIDTH, hint.width()), hint.height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint if self.on_wall else QSize(self.maximumWidth(), hint.height())

    def _build(self) -> None:
        self.lesson = Title("")
        self.lesson.setObjectName("caption")
        self.leave = icon_button("close", "Leave the lesson: your own data come back")
        self.leave.setAccessibleName("Leave the lesson")
        self.count = plain(name="caption")
        self.steps = StepLine()
        self.badge = Badge("", WHY_SIMULATED)
        self.badge.setObjectName("simulated")
        self._head = QWidget()
        line_up(self._head, self.count, None, self.badge, self.leave, spacing=2)
        self.sentence = plain(name="sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.MarkdownText)
        self.title = plain(name="step")
        self.title.setWordWrap(True)
        self.text = Paragraphs()
        self.look, self.attempt = Hint("eye", "Look"), Hint("tune", "Try")
        self.question = QuestionCard(MAX_ANSWERS)
        inside, self.explained = QWidget(), QWidget()
        texts = stack(None, self.title, self.text, None, spacing=8)
        hints = stack(None, self.look, self.attempt, None, spacing=8)
        self._rows = stack(self.explained, (texts, 3), (hints, 2), spacing=8)
        self._inside = stack(inside, self.explained, self.question, None, margins=(0, 0, 4, 0), spacing=8)
        self.scroll_area = scroll_upright(QScrollArea(), inside)
        rows = self._head, self.lesson, self.steps, self.sentence
        self._whole = stack(self, *rows, margins=MARGINS, spacing=8)
        self._middle = stack(None, (self.scroll_area, 1))
        self._whole.addLayout(self._middle, 1)
        self.foot = QWidget()  # in presentation mode it is below the page
        self._build_foot()
        self._whole.addWidget(self.foot)
        for part in (self.sentence, self.number, *self.openers.values()):
            part.hide()  # until presentation mode

    def _build_foot(self) -> None:
        self.number = plain(name="caption")
        self.openers = {name: _toggle(f"{name.capitalize()}  {key}") for name, key in OPENERS.items()}
        for name, button in self.openers.items():
            button.setToolTip(f"Show the {name} of the step ({OPENERS[name]})")
            button.clicked.connect(partial(self._toggle_part, name))
        self.back = push_button("&Back", "Previous step (Alt+←, or Page Up)")
        self.again = icon_button("reset", "Reset this step to its beginning")
        self.again.setAccessibleName("Reset this step")
        self.next = push_button("&Next", "Next step (Alt+→, or Page Down)", name="run")
        self.controls = _toggle("&Controls")
        self.controls.clicked.connect(self.controls_wanted)
        buttons = *self.openers.values(), self.back, self.again, self.controls
        self._buttons = line_up(self.foot, (self.number, 1), *buttons, (self.next, 1), spacing=4)

    def _toggle_part(self, name: str, _: bool = False) -> None:
        self.open("" if self.opened == name else name)

    def _listen(self) -> None:
        """Handle the keys of a lesson while one is shown."""
        inside, anywhere = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WindowShortcut
        clicker = {
            "PgDown": self.next.click,
            "PgUp": self.back.click,
            "Right": self.next.click,
            "Left": self.back.click,
        }
        answers = {str(index + 1): partial(self.question.choose, index) for index in range(MAX_ANSWERS)}
        openers = {key: self.openers[name].click for name, key in OPENERS.items()}
        steps = {"Alt+Right": self.next.click, "Alt+Left": self.back.click}
        window_keys = {**steps, **answers, **openers, **clicker}
        made = {}
        for key, slot in (*window_keys.items(), ("Return", self.next.click), ("Enter", self.next.click)):
            context = anywhere if key in window_keys else inside
            made[key] = QShortcut(QKeySequence(key), self, context=context)
            made[key].activated.connect(slot)
        # where no button has a rim, Space goes on as it does on Next
        space = QShortcut(QKeySequence("Space"), self.steps, context=Qt.ShortcutContext.WidgetShortcut)
        space.activated.connect(self.next.click)
        self._reading = [made["Return"], made["Enter"]]
        self._clicker = {key: made[key] for key in clicker}
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, _: QWidget | None, focused: QWidget | None) -> None:
        """Pass keys on to widgets that need them: page keys to fields and lists, arrows to all."""
        own = focused in (None, self.steps, self.next, self.back, self.again, self.leave, self.scroll_area)
        for key, shortcut in self._clicker.items():
            pages = key.startswith("Pg") and not isinstance(focused, PAGED)
            shortcut.setEnabled(own or pages)

    def _on_answered(self, _: float) -> None:
        self.predicts = False
        if self._step is not None:
            self.sentence.setText(in_prose(self._step.sentence))
            self.look.set_text(in_prose(self._step.look))
        self.open("question")
        QTimer.singleShot(0, self, lambda: self.scroll_area.ensureWidgetVisible(self.question, 0, 4))

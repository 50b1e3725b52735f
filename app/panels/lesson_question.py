"""The question of a step: answers to choose from, and what is right once one was chosen."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QRadioButton, QWidget

from app.lessons.lesson import LessonQuestion
from app.model.theme import Palette
from app.model.wording.number_format import in_prose
from app.widgets.layouts import line_up, stack
from app.widgets.style import icon

SIGN = 18


class Answer(QWidget):
    """A radio button whose words wrap."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.button = QRadioButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the clicker
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self._place = place
        line_up(
            self,
            (self.button, 0, Qt.AlignmentFlag.AlignTop),
            (self.words, 1),
            margins=(0, 1, 0, 1),
            spacing=4,
        )

    def show_answer(self, text: str) -> None:
        """Say what can be answered."""
        self.words.setText(text)
        self.button.setAccessibleName(f"{self._place + 1}: {text}")
        self.button.setToolTip(f"Press {self._place + 1}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the answer by its words, too."""
        self.button.click()


class QuestionCard(QFrame):
    """Asks, and says at once whether the answer is right.

    Signals
    -------
    answered(int)
        Which answer the user chose, counted from 0.
    """

    answered = Signal(int)

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
        """The answer that is chosen, counted from 0."""
        return self._given

    def show_question(self, question: LessonQuestion, given: int | None) -> None:
        """Ask; `given` is the answer from before."""
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
        """Choose an answer, if there is such a one."""
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
        """Say whether the answer is right, and why."""
        question, given = self._question, self._given
        self._told.setVisible(given is not None)
        if question is None or given is None:
            return
        right = given == question.right
        text = "**Right.**" if right else f"**Not quite:** the answer is {question.right + 1}."
        self.verdict.setText(f"{text} {in_prose(question.because)}")
        if self._palette is not None:
            colour = self._palette.text(self._palette.released if right else self._palette.local)
            size = round(SIGN * self._scale)
            self.sign.setPixmap(icon("right" if right else "wrong", colour, size=size).pixmap(size, size))
        self.sign.setAccessibleName("right" if right else "wrong")

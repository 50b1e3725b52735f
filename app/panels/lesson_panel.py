"""A lesson beside the page on which it is played: text, a question, and the way on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.lessons.player import Player
from app.lessons.reading import MAX_ANSWERS
from app.model.theme import Palette
from app.model.wording.number_format import in_prose
from app.panels.lesson_parts import Hint, Paragraphs, StepLine, named_label
from app.panels.lesson_question import QuestionCard
from app.widgets.card import Badge, Title
from app.widgets.layouts import line_up, scroll_upright, stack

ROOMY = 640
"""Width in which large type may be as large as everywhere."""
MIN_WIDTH, WIDTH = 280, 330
"""Width that a lesson needs, and that it takes where there is room."""
CONTROLS_HELP = {
    False: "Show the controls below the text: data, privacy, method (F9)",
    True: "Hide the controls below the text (F9)",
}
PAGED = (QAbstractSpinBox, QLineEdit, QComboBox, QAbstractItemView)
"""What has a use for the keys that turn pages."""
WHY_SIMULATED = (
    "All that is drawn in this lesson follows from this seed, so that it is the same on every computer. "
    "Run simulates here: nothing is released, and nothing is spent."
)


class LessonPanel(QFrame):
    """Shows the step that is played.

    Signals
    -------
    controls_wanted(bool)
        The user wants to see the controls below the text, or the text alone.
    """

    controls_wanted = Signal(bool)

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
        """Show what `player` plays."""
        self._player = player
        self.next.clicked.connect(player.next)
        self.back.clicked.connect(player.back)
        self.again.clicked.connect(player.again)
        self.question.answered.connect(player.answer)
        self.question.answered.connect(self._on_answered)
        self.leave.clicked.connect(player.leave)
        player.moved.connect(self.refresh)

    def refresh(self) -> None:
        """Show the step of the player; without one, nothing."""
        player = self._player
        if player is None or player.lesson is None or player.step is None:
            return
        lesson, step, index = player.lesson, player.step, player.index
        self.lesson.set_text(lesson.title)
        self.count.setText(f"Step {index + 1} of {len(lesson.steps)}")
        self.count.setToolTip(lesson.title)
        self.steps.show_place(index, len(lesson.steps))
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
        """Show `controls` below the text; `offered` where there is no other room for them."""
        self.controls.setVisible(offered)
        self.controls.setChecked(shown)
        self.controls.setToolTip(CONTROLS_HELP[shown])
        if shown:
            self._middle.addWidget(controls, 1)
        for reading in self._reading:  # Return ends what is typed into a field
            reading.setEnabled(not shown)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.steps.set_palette(palette)
        for part in (self.look, self.attempt, self.question):
            part.set_look(palette, self._scale)
        self.refresh()

    def set_scale(self, scale: float) -> None:
        """Show signs for type at another size."""
        self._scale = scale
        if self._palette is not None:
            self.set_palette(self._palette)

    def set_room(self, width: int) -> None:
        """Take that much room, if there is as much; large type is less large where that is little."""
        self.setMaximumWidth(max(WIDTH, width))
        dense = 0 < width < ROOMY
        if dense != self.property("dense"):
            self.setProperty("dense", dense)
            self.lesson.setVisible(not dense)
            for part in (self, *self.findChildren(QWidget)):
                part.style().polish(part)

    def minimumSizeHint(self) -> QSize:
        """Ask for the room of the buttons, in type of any size."""
        hint = super().minimumSizeHint()
        return QSize(max(MIN_WIDTH, hint.width()), hint.height())

    def sizeHint(self) -> QSize:
        """Ask for the room that it may take."""
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
        self.back.setToolTip("The step before (Alt+←, or Page Up)")
        self.again = QToolButton()
        self.again.setProperty("icon_name", "reset")
        self.again.setToolTip("Show this step again, as it was before you changed anything")
        self.again.setAccessibleName("Show this step again")
        self.next = QPushButton("&Next")
        self.next.setObjectName("run")
        self.next.setToolTip("The next step (Alt+→, or Page Down)")
        self.controls = QPushButton("&Controls")
        self.controls.setObjectName("segment")
        self.controls.setProperty("plain", True)
        self.controls.setCheckable(True)
        self.controls.clicked.connect(self.controls_wanted)
        return line_up(None, self.back, self.again, self.controls, (self.next, 1), spacing=4)

    def _listen(self) -> None:
        """Take the keys of a lesson, while one is shown."""
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        anywhere = Qt.ShortcutContext.WindowShortcut
        keys = (
            ("Alt+Right", anywhere, self.next.click),
            ("Alt+Left", anywhere, self.back.click),
            ("Return", inside, self.next.click),
            ("Enter", inside, self.next.click),
            *((str(index + 1), anywhere, self._choosing(index)) for index in range(MAX_ANSWERS)),
        )
        clicker = (
            ("PgDown", self.next.click),
            ("PgUp", self.back.click),
            ("Right", self.next.click),
            ("Left", self.back.click),
        )
        self._reading: list[QShortcut] = []
        self._clicker: dict[str, QShortcut] = {}
        for key, slot in clicker:
            shortcut = QShortcut(QKeySequence(key), self, context=anywhere)
            shortcut.activated.connect(slot)
            self._clicker[key] = shortcut
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        for key, context, slot in keys:
            shortcut = QShortcut(QKeySequence(key), self, context=context)
            shortcut.activated.connect(slot)
            if context == inside:
                self._reading.append(shortcut)

    def _on_focus(self, _: QWidget | None, focused: QWidget | None) -> None:
        """Leave the keys of a clicker to what else needs them: pages to fields and lists, arrows to all."""
        own = focused is None or focused in (self.next, self.back, self.again, self.leave, self.scroll_area)
        for key, shortcut in self._clicker.items():
            pages = key.startswith("Pg") and not isinstance(focused, PAGED)
            shortcut.setEnabled(own or pages)

    def _on_answered(self, _: int) -> None:
        """Let the explanation be seen, in large type in the place of the hints."""
        if self.property("dense"):
            for hint in (self.look, self.attempt):
                hint.hide()
        QTimer.singleShot(0, self, lambda: self.scroll_area.ensureWidgetVisible(self.question, 0, 4))

    def _choosing(self, index: int) -> Callable[[], None]:
        return lambda: self.question.choose(index)

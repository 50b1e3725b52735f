"""The line in which a question is written, and the fields that write it for you."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSignalBlocker, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QGridLayout, QLabel, QLineEdit, QListView, QWidget

from app.model.kinds.declared import has_bounds, identifiers, is_declared
from app.widgets.buttons import push_button
from app.widgets.card import Card, mark_wrong, plain
from app.widgets.combo_box import ComboBox
from app.widgets.form_row import combo, line_edit
from app.widgets.layouts import line_up
from engine.data import Column
from engine.errors import DataError, ParameterError
from engine.questions.declarations import Declarations
from engine.questions.question import STATISTICS, Question
from engine.questions.words import read_question

WORDS = ("of", "by", "where", "and", "or", "in", "is empty")
NONE = ""
WITHOUT_COLUMN = ("count", "share")
"""Statistics that read no column."""
LAST_WORD = re.compile(r"[^\s(),]*$")


class WordCompleter(QObject):
    """Completes the word before the cursor of a line."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._line = line
        self._words = QStringListModel(self)
        self.completer = QCompleter(self._words, self)
        self.completer.setWidget(line)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.popup = QListView()
        self.completer.setPopup(self.popup)
        self.popup.clicked.connect(self._on_clicked)
        line.textEdited.connect(self._offer)
        for watched in (line, self.popup):
            watched.installEventFilter(self)

    def set_words(self, names: Sequence[str]) -> None:
        """Offer other words."""
        self._words.setStringList(list(names))

    def _begun(self) -> str:
        match = LAST_WORD.search(self._line.text()[: self._line.cursorPosition()])
        return "" if match is None else match[0]

    def _offer(self) -> None:
        begun, popup = self._begun(), self.popup
        self.completer.setCompletionPrefix(begun)
        matches = self.completer.completionCount() and self.completer.currentCompletion() != begun
        if not begun or not matches:
            popup.hide()
            return
        area = self._line.rect()
        area.setLeft(max(0, self._line.cursorRect().left() - 12))
        area.setWidth(min(260, self._line.width()))
        self.completer.complete(area)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.popup.hide()
        self._complete(str(index.data()))

    def _complete(self, word: str) -> None:
        end = self._line.cursorPosition()
        start = end - len(self._begun())
        text = self._line.text()
        self._line.setText(f"{text[:start]}{word} {text[end:].lstrip()}")
        self._line.setCursorPosition(start + len(word) + 1)
        self._line.textEdited.emit(self._line.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Return ask the question as it was typed; Tab completes a word, typing replaces a proposal."""
        popup = self.popup
        if event.type() == QEvent.Type.FocusIn and watched is self._line and not self._line.isModified():
            QTimer.singleShot(0, self._line.selectAll)  # after the click that gives the focus
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and popup.isVisible():
            if event.key() == Qt.Key.Key_Tab:
                chosen = popup.currentIndex()
                first = self.completer.completionModel().index(0, 0)
                popup.hide()
                self._complete(str((chosen if chosen.isValid() else first).data()))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                popup.hide()
                self._line.returnPressed.emit()
                return True
        return super().eventFilter(watched, event)


class AskLine(Card):
    """A question in words, or by fields that write the words."""

    asked = Signal(object)  # Question

    def __init__(self) -> None:
        super().__init__("Ask a question")
        self._declarations = Declarations()
        self._columns: tuple[str, ...] = ()
        self._last = Question("median")  # of the line
        self.suggestions: tuple[Question, ...] = ()
        self.line = line_edit("Question in words")
        self.completer = WordCompleter(self.line)
        self.add = push_button("&Add", "Add the question of this line to the sheet (Return)", self._ask)
        self.problem = plain(name="problem")
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName("Problem of the question")
        self.statistic = combo("Statistic", {name: name for name in STATISTICS})
        self.column, self.by = combo("Column"), combo("Column of groups")
        self.where = line_edit("Condition on rows")
        chosen: list[QWidget | tuple[QWidget, int]] = [(self.statistic, 1)]
        for text, box in {"of": self.column, "by": self.by, "where": self.where}.items():
            chosen += [QLabel(text), (box, 2 if box is self.where else 1)]
        both = QGridLayout()  # two ways to write one question, which the button beside them adds
        both.addWidget(QLabel("In words"), 0, 0)
        both.addWidget(self.line, 0, 1)
        both.addWidget(QLabel("or choose"), 1, 0)
        both.addLayout(line_up(None, *chosen, spacing=6), 1, 1)
        both.addWidget(self.add, 0, 2, 2, 1)
        self.body.addLayout(both)
        self.head.insertWidget(1, self.problem, 9)  # nearly all that the title leaves
        self._wire()

    def _wire(self) -> None:
        self.line.textEdited.connect(self._read)
        self.line.returnPressed.connect(self._ask)
        for box in (self.statistic, self.column, self.by):
            box.activated.connect(self._write)
        self.where.editingFinished.connect(self._write)

    def begin(self, conditions: tuple[str, ...]) -> None:
        """Begin a question about the rows that satisfy conditions; its statistic is chosen next."""
        self._propose(Question("count", where=conditions))
        self.statistic.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_columns(self, columns: Sequence[Column], declarations: Declarations) -> None:
        """Offer the columns of another table, or other declarations."""
        names = tuple(column.name for column in columns)
        if (names, declarations) == (self._columns, self._declarations):
            return
        self._columns, self._declarations = names, declarations
        quoted = {name: name if re.fullmatch(r"[^\s(),]+", name) else f"`{name}`" for name in names}
        self.completer.set_words([*STATISTICS, *WORDS, *quoted.values()])
        offered = askable(columns, declarations)
        self._fill(self.column, offered)
        grouped = [name for name in names if declarations.column(name).categories]
        self._fill(self.by, [NONE, *grouped])
        self.suggestions = suggested(names, declarations)
        example = ""
        if offered:
            sign = ">=" if has_bounds(declarations.column(offered[0])) else "="
            example = f", or: {quoted[offered[0]]} {sign} …"
        self.where.setPlaceholderText(f"all rows{example}")
        if not self.line.isModified():
            self._propose(self.suggestions[0] if self.suggestions else Question("count"))

    def _propose(self, question: Question) -> None:
        """Write a question into the line and the fields, to be added or changed."""
        self.line.setText(question.as_text())
        self._read()
        if self.line.hasFocus():
            self.line.selectAll()

    def _fill(self, box: ComboBox, names: Sequence[str]) -> None:
        with QSignalBlocker(box):
            chosen = box.currentData()
            box.clear()
            for name in names:
                box.addItem(name or "(no groups)", name)
            box.setCurrentIndex(max(0, box.findData(chosen)))

    def _write(self) -> None:
        """Write the words of the fields into the line."""
        self._enable()
        if self.sender() is self.where and not self.where.isModified():
            return
        self.where.setModified(False)
        last, statistic = self._last, self.statistic.currentData()
        columns: tuple[str, ...] = ()
        if statistic not in WITHOUT_COLUMN:
            columns = (self.column.currentData() or "",)
        if statistic == last.statistic and columns == last.columns[:1]:
            columns = last.columns  # a table may have more than the field shows
        where = self.where.text().strip()
        self._last = Question(
            statistic,
            columns,
            q=last.q if statistic == last.statistic else 0.9,
            by=self.by.currentData() or "",
            where=(where,) if where else (),
        )
        self.line.setText(self._last.as_text())
        self._show_problem("")

    def _enable(self) -> None:
        self.column.setEnabled(self.statistic.currentData() not in WITHOUT_COLUMN)

    def _read(self) -> None:
        """Show the question of the line in the fields, if it can be read already."""
        self._show_problem("")
        try:
            question = read_question(self.line.text())
        except (DataError, ParameterError):
            return
        self._last = question
        _choose(self.statistic, question.statistic)
        self._enable()
        _choose(self.column, question.columns[0] if question.columns else "")
        _choose(self.by, question.by)
        self.where.setText(" and ".join(question.where))

    def _ask(self) -> None:
        try:
            question = read_question(self.line.text().strip(), self._columns)
        except (DataError, ParameterError) as error:
            problem = error.problem if isinstance(error, ParameterError) else str(error)
            self._show_problem(f"{problem[:1].upper()}{problem[1:]}")
            return
        typed = self.line.isModified()
        self._propose(dataclasses.replace(question, where=()))
        if typed:  # the list of words may have had the keyboard
            self.line.selectAll()
        self.asked.emit(question)

    def _show_problem(self, text: str) -> None:
        self.problem.setText(text)
        mark_wrong(self.line, bool(text))


def _choose(box: ComboBox, value: str) -> None:
    index = box.findData(value)
    if index >= 0:
        with QSignalBlocker(box):
            box.setCurrentIndex(index)


def askable(columns: Sequence[Column], declarations: Declarations) -> list[str]:
    """Return the columns to ask about: those with bounds, with categories, and other numbers.

    An identifier is none of them, though a typed question may name it.
    """
    declared, named = {one.name: declarations.column(one.name) for one in columns}, identifiers(columns)
    offered = [
        column.name
        for column in columns
        if is_declared(declared[column.name]) or (column.type == "number" and column.name not in named)
    ]
    return sorted(
        (name for name in offered if name != declarations.person),
        key=lambda name: (not has_bounds(declared[name]), not is_declared(declared[name])),
    )


def suggested(names: Sequence[str], declarations: Declarations) -> tuple[Question, ...]:
    """Return first questions about the declared columns; none without such a column."""
    declared = [declarations.column(name) for name in names if name != declarations.person]
    by = next((one.name for one in declared if one.categories), "")
    first = next(((one.name,) for one in declared if has_bounds(one)), None)
    if first is None:
        return (Question("count", by=by),) if by else ()
    last = Question("count", by=by) if by else Question("quantile", first, q=0.9)
    return Question("median", first, by=by), Question("mean", first), last

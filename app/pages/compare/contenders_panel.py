"""The card with the compared mechanisms, further ones, and misfits; and the line of tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.model.budget import USE_DELTA, USUAL_DELTA
from app.model.theme import Palette
from app.model.wording.buttons import BUTTONS
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import escape, number
from app.pages.compare.request import ComparisonRequest, Mechanisms
from app.plots.compare.contender_style import MAX_STYLES, ContenderStyle, contender_style, looks
from app.widgets.buttons import push_button
from app.widgets.card import Card, Remarks, Title, caption, set_text, show_only
from app.widgets.combo_box import ClosesWith
from app.widgets.layouts import Flow, line_up, stack, together
from app.widgets.style import THEME, icon
from app.widgets.value_editors import FieldLine, ValueEditor
from engine.comparison import ComparedMechanism
from engine.components import asked_of
from engine.parameters import Parameter, Parameterised
from engine.privacy import neighbours_of

EXPLAINED = 2
"""The most reasons shown as text; the others are tooltips."""

MARKER, SWATCH = 7.0, QSize(26, 14)
"""The size of markers and of the samples of lines, in pixels at ordinary font size."""

WIDEST = 250
"""The most width of a mechanism's label at ordinary font size, in pixels."""


class Swatch(QWidget):
    """A sample of a mechanism's line in pictures."""

    def __init__(self) -> None:
        super().__init__()
        self._style: ContenderStyle | None = None
        THEME.follow_scale(self.set_scale)

    def set_scale(self, scale: float) -> None:
        self.setFixedSize(SWATCH * scale)

    def show_style(self, style: ContenderStyle) -> None:
        """Set colour and dashes."""
        self._style = style
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        if self._style is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(THEME.scale, THEME.scale)
        pen = QPen(QColor(self._style.colour), self._style.stroke.width + 0.6)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if self._style.stroke.dashes:
            pen.setDashPattern([max(0.1, length) for length in self._style.stroke.dashes])
        painter.setPen(pen)
        middle = SWATCH.height() / 2
        painter.drawLine(QPointF(1, middle), QPointF(SWATCH.width() - 1, middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pen.color())
        painter.translate(SWATCH.width() / 2, middle)
        painter.drawPolygon(_marker(self._style.marker))


def _marker(name: str) -> QPolygonF:
    """Return the outline of a marker around (0, 0), as pictures draw it."""
    from matplotlib.markers import MarkerStyle  # slow: loaded once there is something to compare

    marker = MarkerStyle(name)
    (corners,) = marker.get_path().transformed(marker.get_transform()).to_polygons()
    return QPolygonF([QPointF(MARKER * x, -MARKER * y) for x, y in np.asarray(corners).tolist()])


class Chip(QFrame):
    """Shows a compared mechanism."""

    def __init__(self, look: int, contender: ComparedMechanism, problem: str) -> None:
        super().__init__()
        self.setObjectName("chip")
        self.setProperty("unfit", bool(problem))
        self._look = look
        self.swatch = Swatch()
        self.label = Title(contender.label)
        self.label.setObjectName("")
        self.remove = QToolButton()
        self.remove.setToolTip(escape(f"Leave out: {contender.label}"))
        self.remove.setAccessibleName(f"Leave out: {contender.label}")
        self.remove.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        facts = [contender.label, parameter_words(contender.mechanism), contender.mechanism.summary]
        if problem:
            facts.append(f"Does not fit here: {problem}")
        self.setToolTip(escape("\n".join(fact for fact in facts if fact)))
        self.setAccessibleName(contender.label)
        self.setAccessibleDescription("; ".join(fact for fact in facts[1:] if fact))
        line_up(self, self.swatch, self.label, self.remove, margins=(7, 1, 1, 1), spacing=5)
        THEME.follow(self.set_palette)

    def set_palette(self, palette: Palette) -> None:
        self.label.setMaximumWidth(round(WIDEST * THEME.scale))
        self.swatch.show_style(contender_style(self._look, palette))
        self.remove.setIcon(icon("close", palette.muted, size=12))
        self.remove.setIconSize(QSize(12, 12))


def parameter_words(component: Parameterised) -> str:
    """Return all parameters of a mechanism and its parts as text."""
    results = []
    for declared in component.parameters():
        value: Any = getattr(component, declared.name)
        if isinstance(value, Parameterised):
            inside = parameter_words(value)
            text = getattr(value, "label", declared.label)
            results.append(f"{declared.kind}: {text}{f' ({inside})' if inside else ''}")
        elif not declared.is_component:
            written = number(value, 6) if isinstance(value, int | float) else str(value)
            results.append(f"{declared.label} {written}")
    return ", ".join(results)


class ContendersPanel(Card):
    """Edits the compared mechanisms and the sweep."""

    added = Signal(object)  # add a mechanism
    removed = Signal(int)  # remove the mechanism at this index
    reset = Signal()  # compare those that fit the form
    delta_chosen = Signal(float)  # set another delta, so that more mechanisms fit

    def __init__(self) -> None:
        super().__init__("Mechanisms")
        self.wrap_title()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._shown: tuple[Any, ...] = ()
        self.chips: list[Chip] = []
        self.reset_button = self.add_tool(
            "reset", "Compare the mechanisms that fit the form, as at the beginning"
        )
        self.reset_button.clicked.connect(self.reset)
        self.reset_button.hide()
        self.menu = QMenu(self)
        ClosesWith(self.menu, self)
        self.menu.setToolTipsVisible(True)
        self.menu.triggered.connect(lambda action: self.added.emit(action.data()))
        self.add_button = push_button("Add…", "All mechanisms that answer the same question")
        self.add_button.setAccessibleName("Add a mechanism")
        self.add_button.setMenu(self.menu)
        self._line = QWidget()
        self._flow = Flow()
        self._line.setLayout(self._flow)
        self.tools = CompareOptionsBar()
        tip = "Show or hide the mechanisms; a comparison hides them"
        self.fold_button = push_button("", tip, checkable=True)
        self.fold_button.setChecked(True)
        self.fold_button.setAccessibleName("List of mechanisms")
        self.fold_button.toggled.connect(self._show_folded)
        self.delta_button = push_button(USE_DELTA, clicked=lambda: self.delta_chosen.emit(USUAL_DELTA))
        self.delta_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.head.addWidget(self.fold_button)
        self.head.addWidget(self.add_button)
        self.head.addWidget(self.tools.compare)
        self.misfits, self.needy = caption(), caption()
        self._delta_row = together((self.needy, 1), self.delta_button)
        self._delta_row.hide()
        self.body.addWidget(self._line)
        self.body.addWidget(self.misfits)
        self.body.addWidget(self._delta_row)
        self.body.addWidget(self.tools)
        THEME.scaled.connect(self._show_folded)

    def show_question(self, request: ComparisonRequest | None, chosen: bool) -> None:
        """Show the mechanisms of a request; `chosen` tells whether the user chose them."""
        self.reset_button.setVisible(chosen)
        self.tools.show_question(request)
        if request is None:
            self._shown = ()
            self._show_chips((), ())
            self._show_folded()
            return
        problems, needy = request.problems, request.needy
        shown = (request.contenders, problems)
        if shown != self._shown:
            self._shown = shown
            self._show_chips(request.contenders, problems, needy)
            self.fold(False)
        fit, all_of_them = problems.count(""), len(problems)
        some = f"{fit} of {all_of_them}" if fit < all_of_them else str(fit)
        self.set_title(f"{some} mechanism{'s' * (some != '1')}")

    def fold(self, folded: bool) -> None:
        """Fold the mechanisms, which the legends of the pictures name too, or show them."""
        self.fold_button.setChecked(not folded)
        self._show_folded()

    def _show_folded(self) -> None:
        seen = self.fold_button.isChecked() and bool(self._shown)
        self.fold_button.setText("Hide list" if seen else "Show list")
        self.fold_button.setVisible(bool(self._shown))
        reasons = seen and THEME.scale == 1  # large type hides what tooltips and pictures show too
        show_only(
            {
                self._line: seen,
                self._delta_row: seen and bool(self.needy.text()),
                self.misfits: reasons and bool(self.misfits.text()),
            }
        )

    def _show_chips(
        self, contenders: Sequence[ComparedMechanism], problems: Sequence[str], needy: Sequence[str] = ()
    ) -> None:
        had_focus = any(chip.remove.hasFocus() for chip in self.chips)
        while self._flow.count():
            self._flow.takeAt(0)
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        looked = zip(looks(contenders), contenders, problems, strict=True)
        self.chips = [Chip(look, contender, problem) for look, contender, problem in looked]
        before: QWidget = self.tools.compare
        for index, chip in enumerate(self.chips):
            chip.remove.clicked.connect(lambda _=False, index=index: self.removed.emit(index))
            self._flow.addWidget(chip)
            chip.show()
            self.setTabOrder(before, chip.remove)
            before = chip.remove
        set_text(self.misfits, "\n".join(explain_misfits(contenders, problems, needy)))
        set_text(self.needy, f"Need δ > 0: {'; '.join(needy)}" if needy else "")
        self.setTabOrder(before, self.tools.sweep)
        if had_focus:
            self.add_button.setFocus()
        self._line.updateGeometry()

    def offer(self, possible: Mechanisms, present: Mechanisms) -> None:
        """Fill the menu with mechanisms for the same question; disable those already compared."""
        self.menu.clear()
        missing = [one for one in possible if one.facts.library and not one.facts.library.is_installed]
        for mechanism in (one for one in possible if one not in missing):
            action = QAction(mechanism.label, self.menu)
            self.menu.addAction(action)
            action.setData(mechanism)
            action.setToolTip(
                escape("\n".join(filter(None, (mechanism.summary, parameter_words(mechanism)))))
            )
            action.setEnabled(mechanism not in present and len(present) < MAX_STYLES)
        if len(present) >= MAX_STYLES:
            self._say(f"At most {MAX_STYLES} can be compared")
        if missing:
            names = ", ".join(one.label for one in missing)
            self._say(f"{names}: {missing[0].facts.library.install}")

    def _say(self, text: str) -> None:
        """Add a disabled line to the menu."""
        self.menu.addSeparator()
        self.menu.addAction(text).setEnabled(False)


def explain_misfits(
    contenders: Sequence[ComparedMechanism], problems: Sequence[str], needy: Sequence[str] = ()
) -> list[str]:
    """Say which mechanisms do not fit, except the `needy`, or have no or another guarantee."""
    unfit = [
        f"{contender.label} does not fit: {problem}"
        for contender, problem in zip(contenders, problems, strict=True)
        if problem and contender.label not in needy
    ]
    unfit[:0] = [
        f"{one.label}: its ε holds {WORDS[one.mechanism.relation].between}"
        for one in contenders
        if one.mechanism.facts.is_private and one.mechanism.relation != neighbours_of(asked_of(one.mechanism))
    ]
    unprotected = [one.label for one in contenders if not one.mechanism.facts.is_private]
    if unprotected:
        unfit.insert(0, f"Not DP, for reference only: {', '.join(unprotected)}")
    more = len(unfit) - EXPLAINED
    return [*unfit[:EXPLAINED], f"{more} more do not fit; see their tooltips"] if more > 1 else unfit


SWEEP = Parameter("sweep", "choice", "", "Var&y", "", spoken="Horizontal axis")
START = Parameter("start", "float", None, "from", "", spoken="First value")
STOP = Parameter("stop", "float", None, "to", "", spoken="Last value")
STEPS = Parameter("steps", "int", 1, "at", "", "values", lower=1, spoken="Number of values")
RUNS_HELP = "Simulated releases of each mechanism at each value; all use the same seeds"
RUNS_SPOKEN = "Runs of each mechanism at each value"
RUNS = Parameter("runs", "int", 1, "with", RUNS_HELP, "runs each", lower=1, spoken=RUNS_SPOKEN)
WIDTHS = {"start": 70, "stop": 70, "steps": 52, "runs": 72}
"""Width of the boxes at ordinary font size, in pixels."""
BUTTON_WIDTH = 182  # with each of its texts, so that what stands beside it keeps its place

COMPARE_HELP = "Simulate releases of all mechanisms with the same seeds (Ctrl+R). Uses no budget"
SEARCH_HELP = "Search for the smallest epsilon of each mechanism (Ctrl+R). Uses no budget"


class CompareOptionsBar(QWidget):
    """Edits the sweep and the number of runs; its owner places the button `compare`.

    Where the open tab `searches` for epsilon, that is what the button does, without the sweep.
    """

    # a field of the `ComparisonChoice`, its new value, and whether a drag
    # goes on
    edited = Signal(str, object, bool)
    refused = Signal(str)  # the typed text is not a number

    def __init__(self) -> None:
        super().__init__()
        self._running = self.searches = False
        self.fields: dict[str, ValueEditor] = {}
        fields, flow = QWidget(), Flow()
        fields.setLayout(flow)
        for line in (FieldLine(SWEEP), FieldLine(START, STOP), FieldLine(STEPS), FieldLine(RUNS)):
            line.edited.connect(self.edited)
            line.refused.connect(self.refused)
            self.fields |= line.fields
            flow.addWidget(line)
        self.boxes: dict[str, Any] = {name: field.box for name, field in self.fields.items()}
        self.sweep, self.start, self.stop, self.steps, self.runs = self.boxes.values()
        self.sweep.setMinimumContentsLength(9)
        self.expected = caption()
        self.expected.setToolTip("Times are estimated from the size of the data, or from the last comparison")
        self.compare = push_button("", name="run")
        self.compare.setIconSize(QSize(16, 16))
        self.wrong = caption(name="problem")
        stack(self, fields, Remarks(("caption",), tuple, self.expected, self.wrong), spacing=6)
        THEME.follow_scale(self.set_scale)
        THEME.changed.connect(self._show_icon)
        self.show_action(running=False, ready=False)

    def show_question(self, request: ComparisonRequest | None) -> None:
        """Show the choices of a question, and the possible variables."""
        self.setVisible(request is not None)
        if request is None:
            return
        self.fields["sweep"].offer(request.offered)
        for name in ("start", "stop", "runs"):
            self.fields[name].show_value(getattr(request, name))
        for name in ("sweep", "steps"):
            self.fields[name].show_value(getattr(request.choice, name))
        self.sweep.setToolTip(f"Horizontal axis: {self.sweep.currentText()}")
        for box in (self.sweep, self.start, self.stop, self.steps):
            box.setEnabled(not self.searches and (box is not self.stop or request.choice.steps != 1))

    def show_words(self, expected: str, wrong: str) -> None:
        """Show the size and duration of the comparison below the fields, or their problem."""
        set_text(self.expected, expected)
        set_text(self.wrong, wrong)
        for box in self.boxes.values():
            box.setAccessibleDescription(wrong)

    def show_action(self, *, running: bool, ready: bool, why: str = "") -> None:
        """Let the button do what the open tab is for, say `why` it cannot, or cancel what is running."""
        self._running = running
        text = BUTTONS["find-epsilon"] if self.searches else "Compare"
        name = "Find the smallest epsilon" if self.searches else "Compare the mechanisms"
        self.compare.setText("Cancel   Esc" if running else f"{text}   Ctrl+R")
        self.compare.setAccessibleName("Cancel the comparison" if running else name)
        self.compare.setToolTip(why or (SEARCH_HELP if self.searches else COMPARE_HELP))
        self.compare.setEnabled(ready or running)
        self._show_icon()

    def set_scale(self, scale: float) -> None:
        for name, width in WIDTHS.items():
            self.boxes[name].setFixedWidth(round(width * scale))
        self.compare.setFixedWidth(round(BUTTON_WIDTH * scale))

    def _show_icon(self) -> None:
        name, palette = "stop" if self._running else "play", THEME.palette
        self.compare.setIcon(icon(name, palette.on_accent, disabled=palette.muted))

"""Rows of the form of a mechanism: choosers of components and files, and remarks."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.model.selection import Selection, blocks_are_planned
from app.model.state import SessionState
from app.model.views import CURATOR
from app.model.wording.components import ABOUT, BLOCKS, KindWords, choice_words, noise_name, rule_words
from app.model.wording.guarantees import methods
from app.model.wording.numbers import format_approx, number, share, short
from app.releases.registry import SHAPES
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import caption, hide_for_now, linked_caption, set_text, show_again
from app.widgets.dialogs import TextDialog
from app.widgets.form_row import FormRow, combo
from app.widgets.layouts import stack
from app.widgets.number_box import NumberBox
from app.widgets.ranked_bars import RankedBar, RankedBars
from app.widgets.style import THEME
from app.widgets.value_editors import ParameterForm
from engine.catalog import from_files
from engine.components import part_of, runs_file
from engine.mechanisms import SmoothRelease
from engine.noise import Automatic, noise_choices
from engine.noise.automatic import Choice
from engine.specification import Specification

TIP = Qt.ItemDataRole.ToolTipRole


@dataclasses.dataclass(frozen=True)
class PartView:
    """The values that a part of the form shows. `setup` is None while the state is invalid; `tuning` shows
    advanced parameters.
    """

    chosen: Specification
    state: SessionState
    setup: Selection | None
    tuning: bool


def add_heading(box: QComboBox, text: str) -> None:
    """Add a heading that cannot be chosen."""
    box.addItem(text)
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    model.item(box.count() - 1).setEnabled(False)


def offer(box: QComboBox, classes: Mapping[str, Any]) -> None:
    """Add components of the catalog, each with its summary."""
    for key, component in classes.items():
        box.addItem(component.label, key)
        box.setItemData(box.count() - 1, component.summary, TIP)


def show_chosen(box: QComboBox, name: str) -> None:
    """Select a component, and describe it in the tooltip."""
    box.setCurrentIndex(box.findData(name))
    box.setToolTip(box.itemData(box.currentIndex(), TIP) or "")


FROM_FILE = "Choose a Python file…"


class ComponentChooser(FormRow):
    """Chooses a component of one kind."""

    chosen = Signal(str)  # the name of the new component

    def __init__(self, kind: str, labels: KindWords, field: str) -> None:
        self.kind = kind
        self.box = combo(labels.name)
        self.box.setProperty(ABOUT, labels.plural)
        super().__init__(labels.label, self.box, help=labels.help, fields=[field])
        self.box.activated.connect(self._on_activated)
        self._offered: tuple[str, ...] = ()

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """The widgets in tab order."""
        return (self.box,)

    def show_state(self, state: SessionState, chosen: Specification, offered: Mapping[str, Any]) -> None:
        """Show the choice and its alternatives."""
        if tuple(offered) != self._offered:
            self._offer(offered)
        if "auto" in offered:
            self.box.setItemText(self.box.findData("auto"), offered["auto"].label)
        show_chosen(self.box, chosen.name)

    def _offer(self, offered: Mapping[str, Any]) -> None:
        """Add the choices in groups with headings; those without a guarantee come last."""
        self._offered = tuple(offered)
        self.box.clear()
        groups = _group(offered)
        for heading, group in groups.items():
            if len(groups) > 1 and heading:
                add_heading(self.box, heading)
            elif self.box.count():
                self.box.insertSeparator(self.box.count())
            offer(self.box, group)

    def _on_activated(self, index: int) -> None:
        self.chosen.emit(self.box.itemData(index))


def _group(offered: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the choices by heading, in display order."""
    groups: dict[str, dict[str, Any]] = {}
    for name, one in sorted(offered.items(), key=lambda item: _is_unprotected(item[1])):
        groups.setdefault(_heading(one), {})[name] = one
    return groups


def _is_unprotected(component: Any) -> bool:
    return component.family == "mechanism" and not component.facts.is_private


def _heading(component: Any) -> str:
    """Return the kind of release of a mechanism; mark it if it is not DP."""
    if component.family != "mechanism":
        return ""
    heading = SHAPES[component.facts.shape].heading
    return f"{heading}: Not DP" if _is_unprotected(component) else heading


class FileChooser(ComponentChooser):
    """Chooses a component that may come from a file, which the user must confirm first."""

    file_requested = Signal()  # choose a Python file
    confirm_requested = Signal()  # view and confirm the chosen file

    def __init__(self, kind: str, labels: KindWords, field: str) -> None:
        super().__init__(kind, labels, field)
        tip = "View the file and allow it to run"
        self.confirm = push_button("Look and confirm…", tip, self.confirm_requested)
        self.add_below(self.confirm)
        self._shown = ""

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        return (self.box, self.confirm)

    def show_state(self, state: SessionState, chosen: Specification, offered: Mapping[str, Any]) -> None:
        """Show the function; one from a file with the names of both."""
        if tuple(offered) != self._offered:
            self._offer(offered)
            self.box.addItem(FROM_FILE)
            self.box.setItemData(
                self.box.count() - 1, "Your own function of a block; it runs in a separate process", TIP
            )
        self._show_file(state.from_file(self.kind))
        self._shown = chosen.name
        show_chosen(self.box, chosen.name)
        self.confirm.setVisible(runs_file(chosen.component))

    def _show_file(self, function: Any) -> None:
        [name] = from_files(self.kind)
        index = self.box.findData(name)
        if function is None and index >= 0:
            self.box.removeItem(index)
        elif function is not None:
            if index < 0:
                index = self.box.count() - 1
                self.box.insertItem(index, "", name)
            self.box.setItemText(index, f"{Path(function.path).name}:{function.function_name}")
            self.box.setItemData(index, function.path, TIP)

    def _on_activated(self, index: int) -> None:
        name = self.box.itemData(index)
        if name is None:
            # the box shows the last valid function until there is another one
            show_chosen(self.box, self._shown)
            self.file_requested.emit()
        else:
            self.chosen.emit(name)


BLOCKS_HELP = (
    "More blocks mean less noise, but fewer records in each. The planner chooses the number with the "
    "smallest expected error. It uses public facts and the assumed block error, not the data."
)
GUESS_HELP = (
    "For the planner: the error of a block of 100 records. In three of four blocks, the result lies at most "
    "this far from that of all records, in percent of the largest distance. Choose it without looking at "
    "the data."
)


def blocks_words(setup: Selection) -> str:
    """Explain the planner's number of blocks and its expected error; "" if the user chose it."""
    from engine.mechanisms.planning import USEFUL_SHARE, fewest

    plan, mechanism, source = setup.plan, setup.mechanism, setup.source
    if plan is None:
        return ""
    if not plan.stands_in:
        parts = plan.error, plan.noise_error, plan.guess
        error, noise, guess = (share(min(1.0, part / plan.diameter)) for part in parts)
        enough = f" ({share(USEFUL_SHARE)} needs n ≈ {format_approx(plan.needed)})"
        more = f", {noise} from noise" if plan.enough else enough
        known = f"Public forecast for block error {guess}: typical error {error} of the largest distance"
        return f"{known}{more}."
    if plan.blocks == fewest(mechanism, source.domain, source.n, setup.privacy):
        return f"The smallest number that a {mechanism.aggregator.label} needs."
    return "The same number as for the center of attention."


class ComponentRow(QWidget):
    """Adds remarks to a component's parameters, or replaces those that it `edits`."""

    about: ClassVar[str]  # the name of a class: no component is imported before it is chosen
    edits: ClassVar[frozenset[str]] = frozenset()
    automatic = ""  # the label of the component that an automatic one takes now

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__()
        self._session, self._path = session, path

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows that can show a problem."""
        return ()

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """All that Tab reaches."""
        return ()

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        """Show a component; `form` has its parameters."""
        raise NotImplementedError


class BlocksRow(ComponentRow):
    """The number of blocks, the planner's or the user's, with the expected error."""

    about = "Sampling"
    edits = frozenset({"blocks"})

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self.box = NumberBox("Number of blocks m", whole=True, lower=3)
        self.plan = QCheckBox("auto")
        self.plan.setToolTip(BLOCKS_HELP)
        self.row = FormRow("Bloc&ks m", self.box, self.plan, help=BLOCKS_HELP, fields=["blocks", "guess"])
        self.box.edited.connect(self._on_number)
        self.plan.clicked.connect(self._on_plan)
        self.text = caption()
        self.guess = NumberBox("Assumed block error in percent", lower=0.0, upper=100.0)
        self.guess_row = FormRow("Assumed &block error %", self.guess, help=GUESS_HELP, fields=["guess"])
        self.guess.edited.connect(self._on_guess)
        stack(self, self.row, self.guess_row, self.text, spacing=2)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        return (self.row, self.guess_row)

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        return (self.box, self.plan, self.guess)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        blocks, text = view.chosen.values.get("blocks"), ""
        if view.setup is not None:
            blocks, text = view.setup.mechanism.sampling.blocks, blocks_words(view.setup)
        self.box.set_value(None if blocks is None else float(blocks))
        self.plan.setChecked(blocks_are_planned(view.state))
        self.row.settle()
        # elsewhere, the error that is computed from the data is shown
        set_text(self.text, text * (view.tuning or view.state.view != CURATOR))
        self.guess.set_value(float(f"{100 * view.state.guess:.6g}"))
        self.guess_row.settle()
        self.guess_row.setVisible(view.tuning)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.row.settle()
        if not float(value).is_integer():
            self.row.refuse(f"{short(value)} is no number of blocks; enter a whole number")
            return
        self._choose(int(value), "blocks" if continuous else "")

    def _on_plan(self, on: bool) -> None:
        if on:
            self._session.forget_parameter(*self._path, "blocks")
        elif self.box.value is not None:
            self._choose(int(self.box.value))

    def _choose(self, blocks: int, merge: str = "") -> None:
        self._session.set_parameter(blocks, *self._path, "blocks", merge=merge)

    def _on_guess(self, percent: float, continuous: bool) -> None:
        merge = "guess" if continuous else ""
        self._session.edit("change the assumed block error", merge=merge, guess=percent / 100)


class NoiseRow(ComponentRow):
    """Shows the automatic choice of noise, with an error bar of each family."""

    about = "Automatic"

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self.text = caption()
        self.bars = RankedBars("Median error of each family of noise")
        stack(self, self.text, self.bars, spacing=3)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        mechanism, self.automatic = None if view.setup is None else view.setup.mechanism, ""
        if mechanism is None and view.tuning:
            hide_for_now(self)
            return
        has_blocks = mechanism is not None and bool(part_of(mechanism, "sampling"))
        show_again(self, view.tuning and (has_blocks or isinstance(mechanism, SmoothRelease)))
        self.bars.setVisible(isinstance(mechanism, SmoothRelease))
        if has_blocks:
            self.automatic = Automatic().usual().label
            set_text(self.text, noise_name(Automatic().usual()))
            self.text.setToolTip(BLOCKS)
        elif isinstance(mechanism, SmoothRelease):
            assert view.setup is not None
            decline = mechanism.query.decline
            choices = noise_choices(mechanism.calibrate(view.setup.privacy).privacy, decline)
            self.automatic = choices[0].noise.label
            set_text(self.text, choice_words(choices[0]))
            self.text.setToolTip(rule_words(decline))
            self.bars.setToolTip(rule_words(decline))
            self.bars.show_lines(_lines(choices))


def _lines(choices: Sequence[Choice]) -> list[RankedBar]:
    """Return a line per family, with its error as a multiple of the first one's."""
    times = [choice.error / choices[0].error for choice in choices]
    pairs = zip(choices, times, strict=True)
    return [RankedBar(choice.noise.label, one, f"{number(one, 2)} ×") for choice, one in pairs]


class MethodRow(ComponentRow):
    """Names the method that the public rule chooses, and shows the expected errors of all."""

    about = "AutoRelease"

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self.bars = RankedBars("Expected error of each method")
        self.bars.setToolTip(METHOD_RULE)
        stack(self, self.bars)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        setup, self.automatic = view.setup, ""
        if setup is None:
            hide_for_now(self)
            return
        auto = view.chosen.build()
        errors = auto.expected_errors(setup.source.domain, setup.source.n, setup.privacy)
        known = sorted((one.error, one.method.label) for one in errors if one.error is not None)
        self.automatic = setup.mechanism.label
        least = max(known[0][0], math.ulp(0.0)) if known else 1.0
        self.bars.show_lines(
            [RankedBar(label, error / least, f"± {number(error, 2)}") for error, label in known]
        )
        show_again(self, True)


METHOD_RULE = (
    "The method with the smallest expected error. 95 % of releases err by less, if the records lie evenly "
    "between the bounds. The rule uses public facts, not the data."
)


GUARANTEES = "Guarantees of all methods"


class PromiseRow(ComponentRow):
    """Links to the guarantees of all methods."""

    about = "BallMechanism"

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self._setup: Selection | None = None
        self.text = linked_caption(self.show_methods)
        THEME.changed.connect(self._say)
        stack(self, self.text)

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        return (self.text,)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        self._setup = view.setup
        method = form.rows.get("method")
        if method is not None and isinstance(method.box, QComboBox):
            name_methods(method.box, view.setup)
        self._say()

    def show_methods(self, _: str = "") -> TextDialog:
        """Open the guarantees of all methods in a small window."""
        from engine.mechanisms.one_cluster import FINDERS

        assert self._setup is not None
        said = methods(self._setup)
        text = "\n\n".join(
            f"{FINDERS[name].label}: {FINDERS[name].summary}\n{label}" for name, label in said.items()
        )
        dialog = TextDialog(GUARANTEES, text, self.window())
        dialog.show()
        return dialog

    def _say(self) -> None:
        colour = THEME.palette.text(THEME.palette.accent)
        set_text(self.text, f'<a href="#methods" style="color: {colour}">{GUARANTEES}</a>')
        self.text.setEnabled(self._setup is not None)
        self.text.setAccessibleName(GUARANTEES)
        self.setVisible(True)


def name_methods(box: QComboBox, setup: Selection | None) -> None:
    """Label the methods in a box, and show their guarantees as tooltips."""
    from engine.mechanisms.one_cluster import FINDERS, BallMechanism, finder

    said = methods(setup) if setup is not None and isinstance(setup.mechanism, BallMechanism) else {}
    for index in range(box.count()):
        name = box.itemData(index)
        if name in FINDERS:
            box.setItemText(index, FINDERS[name].label)
            box.setItemData(index, f"{FINDERS[name].summary}\n{said.get(name, '')}".strip(), TIP)
        elif setup is not None:
            best = finder(name, setup.source.domain.dimension)
            box.setItemText(index, f"auto: {best.label.lower()}")


COMPONENT_ROWS: list[type[ComponentRow]] = [BlocksRow, MethodRow, NoiseRow, PromiseRow]
"""The extra rows of forms; a plug-in adds those of its own components."""

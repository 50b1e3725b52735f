"""Rows in the form of a mechanism beside parameters: blocks, a rule for the noise, promised balls."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import ClassVar

from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.model.selection import Selection, blocks_are_planned
from app.model.theme import Palette
from app.model.wording.components import BLOCKS, choice_words, noise_name, rule_words
from app.model.wording.guarantees import methods, promise_sentence, short_promise
from app.model.wording.numbers import format_approx, number, share, short
from app.panels.mechanism_form import TIP, PartView
from app.session import Session
from app.widgets.card import caption, linked_caption, set_text
from app.widgets.dialogs import TextDialog
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.number_box import NumberBox
from app.widgets.ranked_bars import RankedBar, RankedBars
from app.widgets.value_editors import ParameterForm
from engine.aggregation.blocks import Sampling
from engine.components import Component
from engine.mechanisms import BallMechanism, BlockMechanism, SmoothRelease
from engine.mechanisms.one_cluster import FINDERS, finder
from engine.mechanisms.planning import Plan, fewest
from engine.noise import Automatic, noise_choices
from engine.noise.automatic import Choice

BLOCKS_HELP = (
    "More blocks: less noise, but each sees fewer records. The planner takes the number with the smallest "
    "error to be expected, from public facts and an assumed block error, without looking at the data."
)
GUESS_HELP = (
    "For the planner: how far what the function gives for 100 records lies from what it gives for all, in "
    "three of four blocks, in percent of the largest distance. Assume it without looking at the data."
)


def plan_words(plan: Plan) -> str:
    """Say what is to be expected, or how many records would be needed."""
    if not plan.enough:
        return (
            f"Not enough data: you would need n ≈ {format_approx(plan.needed)} "
            "for a typical error of a quarter of the range."
        )
    error, noise = (share(part / plan.diameter) for part in (plan.error, plan.noise_error))
    return f"Typical error to be expected: {error} of the range, {noise} of it noise."


def blocks_words(setup: Selection) -> str:
    """Say why there are so many blocks, and what is to be expected; "" where the user chose them."""
    plan, mechanism, source = setup.plan, setup.mechanism, setup.source
    if plan is None or not isinstance(mechanism, BlockMechanism):
        return ""
    if not plan.stands_in:
        return plan_words(plan)
    if plan.blocks == fewest(mechanism, source.domain, source.n, setup.privacy):
        return f"As many as a {mechanism.aggregator.label} needs, at least."
    return "As for the center of attention."


class ComponentRow(QWidget):
    """Says more of a component than its parameters, or replaces those that it `edits`."""

    about: ClassVar[type[Component]]
    edits: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__()
        self._session, self._path = session, path

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return ()

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """All that Tab reaches."""
        return ()

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        """Show a component, whose parameters are in `form`."""
        raise NotImplementedError

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""


class BlocksRow(ComponentRow):
    """The number of blocks: the planner's, or the user's own; below it what is to be expected."""

    about = Sampling
    edits = frozenset({"blocks"})

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self.box = NumberBox("Number of blocks m", whole=True, lower=3)
        self.plan = QCheckBox("auto")
        self.plan.setToolTip(BLOCKS_HELP)
        self.row = FormRow("Bloc&ks m", self.box, self.plan, help=BLOCKS_HELP, fields=["blocks", "guess"])
        self.box.edited.connect(self._on_number)
        self.box.refused.connect(self.row.refuse)
        self.plan.clicked.connect(self._on_plan)
        self.text = caption()
        self.guess = NumberBox("Assumed block error in percent", lower=0.0, upper=100.0)
        self.guess_row = FormRow("Assumed &block error %", self.guess, help=GUESS_HELP, fields=["guess"])
        self.guess.edited.connect(self._on_guess)
        self.guess.refused.connect(self.guess_row.refuse)
        stack(self, self.row, self.text, self.guess_row, spacing=2)

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
        set_text(self.text, text)
        self.guess.set_value(float(f"{100 * view.state.guess:.6g}"))
        self.guess_row.settle()
        self.guess_row.setVisible(view.tuning)

    def _on_number(self, value: float, continuous: bool) -> None:
        self.row.settle()
        if not float(value).is_integer():
            self.row.refuse(f"{short(value)} is no number of blocks; write a whole number")
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


FOLDED_BARS = 3
"""Families that have a bar while advanced parameters are folded away."""


class NoiseRow(ComponentRow):
    """Says what is chosen for the budget, with a bar for the error of the best families, or of all."""

    about = Automatic

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self.text = caption()
        self.bars = RankedBars("Median error of each family of noise")
        stack(self, self.text, self.bars, spacing=3)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        mechanism = None if view.setup is None else view.setup.mechanism
        self.setVisible(isinstance(mechanism, SmoothRelease | BlockMechanism))
        self.bars.setVisible(isinstance(mechanism, SmoothRelease))
        if isinstance(mechanism, BlockMechanism):
            set_text(self.text, noise_name(Automatic().usual()))
            self.text.setToolTip(BLOCKS)
        elif isinstance(mechanism, SmoothRelease):
            assert view.setup is not None
            decline = mechanism.query.decline
            choices = noise_choices(mechanism.calibrate(view.setup.privacy).privacy, decline)
            set_text(self.text, choice_words(choices[0]))
            self.text.setToolTip(rule_words(decline))
            self.bars.setToolTip(rule_words(decline))
            self.bars.show_lines(_lines(choices if view.tuning else choices[:FOLDED_BARS]))

    def set_palette(self, palette: Palette) -> None:
        self.bars.set_palette(palette)


def _lines(choices: Sequence[Choice]) -> list[RankedBar]:
    """Return a line for each family, with its error in multiples of the first one's."""
    times = [choice.error / choices[0].error for choice in choices]
    pairs = zip(choices, times, strict=True)
    return [RankedBar(choice.noise.label, one, f"{number(one, 2)} ×") for choice, one in pairs]


class PromiseRow(ComponentRow):
    """Says what is promised, with a link to what all methods promise."""

    about = BallMechanism

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__(session, path)
        self._setup: Selection | None = None
        self._link = ""
        self.text = linked_caption(self.show_methods)
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

    def set_palette(self, palette: Palette) -> None:
        self._link = palette.text(palette.accent)
        self._say()

    def show_methods(self, _: str = "") -> TextDialog:
        """Open what each method promises, in a small window."""
        assert self._setup is not None
        said = methods(self._setup)
        text = "\n\n".join(
            f"{FINDERS[name].label}: {FINDERS[name].summary}\n{label}" for name, label in said.items()
        )
        dialog = TextDialog("What each method promises here", text, self.window())
        dialog.show()
        return dialog

    def _say(self) -> None:
        text = short_promise(self._setup) if self._setup is not None else ""
        link = f'<a href="#methods" style="color: {self._link}">all methods</a>'
        linked = self._setup is not None and isinstance(self._setup.mechanism, BallMechanism)
        set_text(self.text, f"{escape(text)}{f' {link}' if linked else ''}")
        self.text.setToolTip(promise_sentence(self._setup) if self._setup is not None else "")
        self.text.setAccessibleName(text or "What each method promises")
        self.setVisible(bool(self.text.text()))


def name_methods(box: QComboBox, setup: Selection | None) -> None:
    """Call the methods in a box by what they are, and say in tips what they promise."""
    said = methods(setup) if setup is not None and isinstance(setup.mechanism, BallMechanism) else {}
    for index in range(box.count()):
        name = box.itemData(index)
        if name in FINDERS:
            box.setItemText(index, FINDERS[name].label)
            box.setItemData(index, f"{FINDERS[name].summary}\n{said.get(name, '')}".strip(), TIP)
        elif setup is not None:
            best = finder(name, setup.source.domain.dimension)
            box.setItemText(index, f"auto: {best.label.lower()}")


COMPONENT_ROWS: list[type[ComponentRow]] = [BlocksRow, NoiseRow, PromiseRow]
"""The rows that forms have; a plug-in adds those of its own components."""

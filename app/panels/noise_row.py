"""Which noise a rule chooses, in the form: below it how every family would do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.model.theme import Palette
from app.model.wording.noise_choices import BLOCKS, choice_words, name_of, rule_words
from app.model.wording.numbers import number
from app.panels.component_boxes import PartView
from app.session import Session
from app.widgets.card import caption, set_text
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.parameter_form import ParameterForm
from app.widgets.ranked_bars import RankedBar, RankedBars
from engine.mechanisms import BlockMechanism, SmoothRelease
from engine.noise import Automatic, noise_choices
from engine.noise.automatic import Choice

FOLDED_BARS = 3
"""Families that have a bar while advanced parameters are folded away."""


class NoiseRow(QWidget):
    """Says what is chosen for the budget, with a bar for the error of the best families, or of all."""

    about = Automatic
    edits: frozenset[str] = frozenset()
    rows: tuple[FormRow, ...] = ()
    boxes: tuple[QWidget, ...] = ()

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__()
        self.words = caption()
        self.bars = RankedBars("Median error of each family of noise")
        stack(self, self.words, self.bars, spacing=3)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        """Show the families for the budget and the query that are chosen."""
        mechanism = None if view.setup is None else view.setup.mechanism
        self.setVisible(isinstance(mechanism, SmoothRelease | BlockMechanism))
        self.bars.setVisible(isinstance(mechanism, SmoothRelease))
        if isinstance(mechanism, BlockMechanism):
            set_text(self.words, name_of(Automatic().usual()))
            self.words.setToolTip(BLOCKS)
        elif isinstance(mechanism, SmoothRelease):
            assert view.setup is not None
            decline = mechanism.query.decline
            choices = noise_choices(mechanism.calibrate(view.setup.privacy).privacy, decline)
            set_text(self.words, choice_words(choices[0]))
            self.words.setToolTip(rule_words(decline))
            self.bars.setToolTip(rule_words(decline))
            self.bars.show_lines(_lines(choices if view.tuning else choices[:FOLDED_BARS]))

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.bars.set_palette(palette)


def _lines(choices: Sequence[Choice]) -> list[RankedBar]:
    """Return a line for each family, with its error in multiples of the first one's."""
    times = [choice.error / choices[0].error for choice in choices]
    pairs = zip(choices, times, strict=True)
    return [RankedBar(choice.noise.label, one, f"{number(one, 2)} ×") for choice, one in pairs]

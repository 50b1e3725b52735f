"""Which noise a rule chooses, in the form: below it how every family would do."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.model.wording.noise_choices import choice_words, rule_words
from app.model.wording.numbers import number
from app.panels.component_boxes import PartView
from app.session import Session
from app.theme import Palette
from app.widgets.card import caption, set_text
from app.widgets.layouts import stack
from app.widgets.parameter_form import FormRow, ParameterForm
from app.widgets.ranked_bars import RankedBar, RankedBars
from engine.mechanisms import SmoothRelease
from engine.noise import Automatic, noise_choices

FEW = 3
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
        setup = view.setup
        found = setup is not None and isinstance(setup.mechanism, SmoothRelease)
        self.setVisible(found)
        if setup is None or not found:
            return
        decline = setup.mechanism.query.decline
        choices = noise_choices(setup.privacy, decline)
        least = choices[0].error
        set_text(self.words, choice_words(choices[0]))
        tip = rule_words(decline)
        self.words.setToolTip(tip)
        self.bars.setToolTip(tip)
        self.bars.show_lines(
            [
                RankedBar(choice.noise.label, choice.error / least, f"{number(choice.error / least, 2)} ×")
                for choice in (choices if view.tuning else choices[:FEW])
            ]
        )

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.bars.set_palette(palette)

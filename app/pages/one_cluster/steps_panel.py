"""What each step towards a ball costs, and what theory promises of it: public facts."""

from __future__ import annotations

from app.model.selection import Selection
from app.model.theme import Palette
from app.model.wording.ball_methods import sentence
from app.model.wording.numbers import number
from app.widgets.card import Card, caption, set_text
from app.widgets.stacked_bar import BarPiece, StackedBar
from engine.errors import ParameterError
from engine.mechanisms.one_cluster import Share

MORE = "Steps compose: together they cost what is asked for on the right, and no more."


class StepsPanel(Card):
    """Shows the budget of each step, and the promise."""

    def __init__(self) -> None:
        super().__init__("The budget of each step")
        self._compact, self._words = False, ""
        self.bar = StackedBar("The budget of each step")
        self.bar.setWhatsThis(MORE)
        self.promise = caption()
        self.body.addWidget(self.bar)
        self.body.addWidget(self.promise)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.bar.set_palette(palette)

    def set_compact(self, on: bool) -> None:
        """Show nothing but the bar, or everything."""
        self._compact = on
        self._title.setVisible(not on)
        self._show_promise()

    def show_setup(self, setup: Selection | None) -> None:
        """Show what a setup costs and promises; None: there is none."""
        self.bar.show_pieces([piece(share) for share in shares(setup)])
        self._words = sentence(setup) if setup is not None else ""
        self._show_promise()

    def _show_promise(self) -> None:
        set_text(self.promise, "" if self._compact else self._words)


def shares(setup: Selection | None) -> tuple[Share, ...]:
    """Return what each step costs; one step for a mechanism of one."""
    if setup is None:
        return ()
    mechanism = setup.mechanism
    if mechanism.facts.shape != "balls":
        return (Share(mechanism.name, mechanism.label, mechanism.cost(setup.privacy)),)
    try:
        return tuple(mechanism.shares(setup.source.domain, setup.source.n, setup.privacy))
    except ParameterError:
        return ()


def piece(share: Share) -> BarPiece:
    """Return a step as a piece of the bar."""
    delta = f", δ {number(share.privacy.delta, 2)}" if share.privacy.delta else ""
    return BarPiece(share.label, share.privacy.epsilon, f"ε {number(share.privacy.epsilon)}{delta}")

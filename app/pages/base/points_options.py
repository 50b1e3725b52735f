"""Tools above a picture of points: which directions are drawn, and which simulated release."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.model.audit_choice import DEFAULT_SEED
from app.widgets.parameter_form import combo
from engine.analysis.shared.projections import PRINCIPAL, Axes

PRINCIPAL_HELP = (
    "Principal components are the directions in which the data spread most. They follow from the data, and "
    "so are not private."
)


class DirectionOptions(QWidget):
    """Chooses the two directions of a picture.

    Signals
    -------
    chosen()
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.across, self.up = combo("Direction across"), combo("Direction up")
        for box in (self.across, self.up):
            box.setToolTip(PRINCIPAL_HELP)
            box.activated.connect(self._on_choice)
        across, up = QLabel("A&cross"), QLabel("up")
        across.setBuddy(self.across)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        for label, box in ((across, self.across), (up, self.up)):
            line.addWidget(label)
            line.addWidget(box, 1)
        self.many = False

    @property
    def axes(self) -> Axes:
        """The directions that are drawn."""
        across, up = (max(0, box.currentIndex()) for box in (self.across, self.up))
        return across, up if self.up.count() > 1 else 0

    def offer(self, names: tuple[str, ...], principal: bool) -> None:
        """Offer directions by name, and principal components; keep what was chosen, if it is still there."""
        more = [f"PC {place + 1} (from the data)" for place in range(PRINCIPAL)] if principal else []
        offered = [*names, *more]
        for box, default in ((self.across, 0), (self.up, 1)):
            if [box.itemText(place) for place in range(box.count())] == offered:
                continue
            blocker = QSignalBlocker(box)
            chosen = box.currentText()
            box.clear()
            box.addItems(offered)
            place = box.findText(chosen)
            box.setCurrentIndex(place if place >= 0 else min(default, len(offered) - 1))
            blocker.unblock()
        self.many = len(names) > 2

    def choose(self, across: int, up: int) -> None:
        """Choose directions by their places, as far as they are offered."""
        for box, place in ((self.across, across), (self.up, up)):
            if place < box.count():
                box.setCurrentIndex(place)

    def _on_choice(self, _: int) -> None:
        self.chosen.emit()


class DrawOptions(QWidget):
    """Draws another simulated release, and says what is shown.

    Signals
    -------
    asked()
        Another one is wanted.

    Attributes
    ----------
    seed : int
        Of simulated releases.
    simulated : bool
        Whether simulated releases are to be shown although there is a real one.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.seed = DEFAULT_SEED
        self.simulated = False
        self.again = QPushButton("Ne&xt draw")
        self.again.setToolTip("Simulate with another seed; nothing is released, and no budget spent")
        self.again.clicked.connect(self.draw_anew)
        self.seeded = QLabel()
        self.seeded.setObjectName("caption")
        self.seeded.setWordWrap(True)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.again)
        line.addWidget(self.seeded, 1)

    def draw_anew(self) -> None:
        """Simulate with another seed."""
        self.seed += 1
        self.simulated = True
        self.asked.emit()

    def show_real(self) -> None:
        """Show the newest release in the place of a simulated one."""
        self.simulated = False

    def say_source(self, real: bool, failure: str = "") -> None:
        """Say whether the picture shows a release or simulated ones, and why there is none."""
        simulated = f"seed {self.seed} · {failure or 'simulated, so no budget is spent'}"
        self.seeded.setText("the newest release, as in the history" if real else simulated)

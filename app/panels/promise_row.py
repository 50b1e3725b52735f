"""What theory promises of a ball, in the form: of the chosen method below it, of all in a window."""

from __future__ import annotations

from html import escape

from PySide6.QtWidgets import QComboBox, QWidget

from app.model.selection import Selection
from app.model.wording.ball_methods import methods, sentence, short
from app.panels.component_boxes import TIP, PartView
from app.session import Session
from app.widgets.card import linked_caption, set_text
from app.widgets.dialogs import TextDialog
from app.widgets.form_row import FormRow
from app.widgets.layouts import stack
from app.widgets.parameter_form import ParameterForm
from engine.mechanisms import BallMechanism
from engine.mechanisms.one_cluster import FINDERS, finder


class PromiseRow(QWidget):
    """Says what is promised, with a link to what all methods promise."""

    about = BallMechanism
    edits: frozenset[str] = frozenset()
    rows: tuple[FormRow, ...] = ()

    def __init__(self, session: Session, path: tuple[str, ...]) -> None:
        super().__init__()
        self._setup: Selection | None = None
        self._link = ""
        self.words = linked_caption(self.show_methods)
        stack(self, self.words)

    @property
    def boxes(self) -> tuple[QWidget, ...]:
        """All that Tab reaches."""
        return (self.words,)

    def show_part(self, view: PartView, form: ParameterForm) -> None:
        """Show what is promised of the setup, and call the methods by what they are."""
        self._setup = view.setup
        method = form.rows.get("method")
        if method is not None and isinstance(method.box, QComboBox):
            name_methods(method.box, view.setup)
        self._say()

    def set_link(self, colour: str) -> None:
        """Write the link in a colour."""
        self._link = colour
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
        text = short(self._setup) if self._setup is not None else ""
        link = f'<a href="#methods" style="color: {self._link}">all methods</a>'
        linked = self._setup is not None and isinstance(self._setup.mechanism, BallMechanism)
        set_text(self.words, f"{escape(text)}{f' {link}' if linked else ''}")
        self.words.setToolTip(sentence(self._setup) if self._setup is not None else "")
        self.words.setAccessibleName(text or "What each method promises")
        self.setVisible(bool(self.words.text()))


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

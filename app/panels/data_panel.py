"""The data panel: which file, what is looked at in it, and what is public about it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from app.model.state import SessionState
from app.model.wording.formatting import format_count
from app.session import Session
from app.widgets.card import Card, caption, set_text
from app.widgets.parameter_form import FormRow, combo
from engine.data import EXAMPLES, Example

ORIGINS = {
    "known": "known in advance",
    "looked": "I looked at the data",
}
LOOKED_WARNING = "Bounds taken from the data are not public: no guarantee holds for this release."
ORIGIN_HELP = (
    "The guarantee holds only for bounds that were known before anyone looked at the data: a bound that "
    "follows a person's value tells that value."
)


class DataPanel(Card):
    """Shows and edits the data of one page of the session.

    Signals
    -------
    open_requested(), example_chosen(str), chosen(dict)
        What takes reading, and so is not done here; `chosen` names fields of the state
        and their new values.
    """

    kind = "table"
    looked_warning = LOOKED_WARNING
    origin_help = ORIGIN_HELP
    reading = frozenset({"page", "dataset", "missing", "view"})
    """The fields of the state on which the rows above the bounds depend."""
    bounding = frozenset({"lower", "upper"})
    """Those that hold the bounds."""

    open_requested = Signal()
    example_chosen = Signal(str)
    chosen = Signal(object)

    def __init__(self, session: Session, page: str, bounds_help: str) -> None:
        super().__init__("Data")
        self._session = session
        self._page = page
        self._clamped: int | None = None
        self._build_tools()
        self.missing = combo("What to do about missing values")
        self.missing.activated.connect(self._on_missing)
        self.missing_row = FormRow("Miss&ing", self.missing, help="Missing values are never dropped silently")
        bounds = self._make_bounds(bounds_help)
        self.origin = combo("Where the bounds come from")
        for key, words in ORIGINS.items():
            self.origin.addItem(words, key)
        self.origin.activated.connect(self._on_origin)
        self.origin_row = FormRow("They &were", self.origin, help=self.origin_help, fields=["bounds_source"])
        self.warning = caption(self.looked_warning, name="warning")
        self.facts = caption()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        # what is private here is how many records were clamped and dropped
        self.head.removeWidget(self.badge)
        facts = QHBoxLayout()
        facts.setSpacing(6)
        facts.addWidget(self.facts, 1)
        facts.addWidget(self.badge)
        last = self._make_last_rows()
        for widget in (*self._make_rows(), bounds, self.origin_row, self.warning, *last):
            self.body.addWidget(widget)
        self.body.addLayout(facts)
        session.changed.connect(self.refresh)
        self.refresh()

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.missing_row, self.origin_row)

    def show_clamped(self, clamped: int | None) -> None:
        """Show how many values the bounds move (private; None while unknown)."""
        self._clamped = clamped
        self._say_facts()

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Show the state of the session, as far as `fields` changed, while the page is open."""
        state = self._session.state
        if state.page != self._page or not self.fits(state):
            return
        if fields is None or fields & self.reading:
            self._fill()
            self._fill_missing()
        if fields is None or fields & (self.reading | self.bounding | {"query"}):
            self._fill_bounds()
        if fields is not None and fields & (self.reading | self.bounding | {"modified_values"}) - {"view"}:
            self._clamped = None
        origin = self._origin()
        self.origin.setCurrentIndex(self.origin.findData(origin))
        self.warning.setVisible(origin == "looked")
        self._say_facts()

    # What depends on the kind of data.

    @classmethod
    def offers(cls, example: Example) -> bool:
        """Tell whether an example has such data."""
        return example.kind == cls.kind

    def fits(self, state: SessionState) -> bool:
        """Tell whether such data are asked, while the page is open."""
        return True

    def _origin(self) -> str:
        """Return where what is public about the data comes from."""
        return self._session.state.data.bounds_source

    def _choice_of_missing(self) -> str:
        """Return what is done about missing values."""
        return self._session.state.data.missing

    def _make_bounds(self, help: str) -> QWidget:
        """Return where the bounds are declared."""
        raise NotImplementedError

    def _make_rows(self) -> list[FormRow]:
        """Return the rows above the bounds."""
        raise NotImplementedError

    def _make_last_rows(self) -> list[FormRow]:
        """Return the rows below the bounds."""
        return []

    def _fill(self) -> None:
        """Fill these rows."""
        raise NotImplementedError

    def _fill_bounds(self) -> None:
        """Fill the bounds."""
        raise NotImplementedError

    def _missing(self) -> int:
        """Return how many records lack a value (private)."""
        raise NotImplementedError

    def _facts(self) -> tuple[list[str], list[str], str]:
        """Return what to say about the data to all and to the curator alone, and help with it."""
        raise NotImplementedError

    # What does not.

    def _build_tools(self) -> None:
        self.open_button = self.add_tool("open", "Open a file… (Ctrl+O)")
        self.open_button.clicked.connect(self.open_requested)
        self.examples_button = self.add_tool("examples", "Open a bundled example")
        self.examples = QMenu(self)
        for name, example in EXAMPLES.items():
            if self.offers(example):
                action = self.examples.addAction(example.title)
                action.setData(name)
                action.setToolTip(example.description)
        self.examples.setToolTipsVisible(True)
        self.examples.triggered.connect(self._on_example)
        self.examples_button.setMenu(self.examples)
        self.examples_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def _fill_missing(self) -> None:
        state = self._session.state
        curator = state.view == "curator"
        missing = self._missing()
        self.missing_row.setVisible(bool(missing) and curator)
        self.missing.clear()
        self.missing.addItem("refuse to go on", "refuse")
        self.missing.addItem(f"drop {format_count(missing)} and count them" if curator else "drop", "drop")
        self.missing.setCurrentIndex(self.missing.findData(self._choice_of_missing()))
        self.set_title(state.dataset.title if state.dataset else "Data")
        self.setAccessibleName(f"Data: {state.dataset.title}" if state.dataset else "Data")
        path = state.dataset.path if state.dataset and curator else None  # it names people and folders
        self.setStatusTip(str(path or ""))

    def _say_facts(self) -> None:
        public, private, why = self._facts()
        set_text(self.facts, " · ".join(public + private))
        self.facts.setToolTip(why)
        self.badge.setVisible(bool(private))

    def _private_facts(self, dropped: int, clamped: str, changed: int) -> list[str]:
        """Say what only the curator may know: what was dropped, clamped and changed by hand."""
        parts = [f"{format_count(dropped)} dropped"] if dropped else []
        if self._clamped is not None:
            parts.append(f"{format_count(self._clamped)} {clamped}" if self._clamped else f"none {clamped}")
        return [*parts, f"{format_count(changed)} moved by hand"] if changed else parts

    def _on_example(self, action: Any) -> None:
        self.example_chosen.emit(action.data())

    def _on_missing(self, index: int) -> None:
        self.chosen.emit({"missing": self.missing.itemData(index)})

    def _on_origin(self, index: int) -> None:
        self._session.edit("change where the bounds come from", bounds_source=self.origin.itemData(index))

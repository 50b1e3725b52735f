"""The buttons that open a file or a bundled example on an empty page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.widgets.buttons import push_button
from app.widgets.card import Invitation
from app.widgets.combo_box import ExamplesMenu


class OpenInvitation(Invitation):
    """Offers to open a file or an example; `others` stand behind them."""

    file_requested = Signal()
    example_chosen = Signal(str)

    def __init__(self, title: str, text: str, *others: QWidget, drawing: str = "") -> None:
        self.file_button = push_button("&Open a file…", name="run")
        example_button = push_button("Open an &example")
        super().__init__(title, text, self.file_button, example_button, *others, drawing=drawing)
        self.file_button.clicked.connect(self.file_requested)
        self.examples = ExamplesMenu(self)
        self.examples.example_chosen.connect(self.example_chosen)
        example_button.setMenu(self.examples)

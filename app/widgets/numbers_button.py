"""A button that reads a list of public numbers from a file, in the place of typing them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QToolButton

from app.widgets.dialogs import open_dialog
from engine.errors import DataError

FILES = "Lists (*.txt *.csv);;All files (*)"
"""Files with a number in each line."""


class NumbersButton(QToolButton):
    """Asks for a file, and passes on the numbers in it.

    Parameters
    ----------
    name : str
        What the numbers are.
    read, refused : callable
        Take the numbers, as they are written into a parameter, or the words that say why there are none.
    """

    def __init__(self, name: str, read: Callable[[str], None], refused: Callable[[str], None]) -> None:
        super().__init__()
        self._read, self._refused = read, refused
        self._name = name
        self.setText("…")
        self.setAccessibleName(f"{name} from a file")
        self.setToolTip(f"{name} from a file, with a number in each line")
        self.clicked.connect(self._ask)

    def read_file(self, path: str) -> None:
        """Take the numbers in a file."""
        from engine.mechanisms.number_lists import numbers_in_file

        try:
            self._read(numbers_in_file(Path(path)))
        except DataError as error:
            self._refused(str(error))

    def _ask(self) -> None:
        dialog = open_dialog(self.window(), self._name, FILES)
        dialog.fileSelected.connect(self.read_file)
        dialog.open()

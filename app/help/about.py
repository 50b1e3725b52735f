"""What the Help menu shows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.help.keyboard import keyboard_table
from app.model.wording.neighbours import WORDS
from app.widgets.dialogs import TextDialog
from app.widgets.plot_table import TableDialog

ABOUT = (
    "<b>Sensiscope</b><br>See, run and compare data-dependent noise in differential privacy.<br><br>"
    "Every ε holds " + "; ".join(words.between for words in WORDS.values()) + ". "
    "Releases take their noise from the operating system's entropy.<br><br>"
    "Nissim, Raskhodnikova, Smith: <i>Smooth sensitivity and sampling in private data analysis</i>, "
    "STOC 2007.<br><br>MIT licence."
)


def show_keyboard(window: QWidget) -> None:
    """Show all shortcuts."""
    rows = [list(pair) for pair in keyboard_table()]
    TableDialog(window, "Keyboard", ["Keys", "What they do"], rows).show()


def show_about(window: QWidget) -> None:
    """Say what this is."""
    TextDialog("About Sensiscope", ABOUT, window).show()

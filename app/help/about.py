"""What the Help menu shows: the table of all keys, and what this is."""

from __future__ import annotations

import html

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.actions import action_specs
from app.model.wording.neighbours import WORDS
from app.widgets.dialogs import TextDialog
from app.widgets.plot_table import TableDialog
from engine.plugins import load_plugins
from engine.resources import resource

ABOUT = (
    "<b>Sensiscope</b><br>See, run and compare data-dependent noise in differential privacy.<br><br>"
    "Every ε holds " + "; ".join(relation.between for relation in WORDS.values()) + ". "
    "Releases take their noise from the operating system's entropy.<br><br>"
    "Nissim, Raskhodnikova, Smith: <i>Smooth sensitivity and sampling in private data analysis</i>, "
    "STOC 2007.<br><br>MIT licence. Qt is used under the LGPL 3.0; it and the other libraries have "
    f'<a href="{resource("notices.txt").as_uri()}">licences of their own</a>.'
)


def keyboard_table() -> list[tuple[str, str]]:
    """Return (keys, what they do) for the help; the keys that no menu shows are last."""
    table = [
        (
            "  ".join(
                key.toString(QKeySequence.SequenceFormat.NativeText)
                for key in QKeySequence.listFromString(spec.keys)
            ),
            spec.tip or spec.text.replace("&&", "\0").replace("&", "").replace("\0", "&"),
        )
        for spec in action_specs()
        if spec.keys
    ]
    return [
        *table,
        ("Ctrl+Tab", "Next picture"),
        ("↑ ↓  on the data", "Choose a dot or an edge"),
        ("← →  on the data", "Move it by a hundredth of its range (with Shift: a tenth)"),
        ("← → ↑ ↓  on the frontier", "Look at a run at another value, or of another mechanism"),
        (
            "+ −  on a picture",
            "Look more closely, or less (also the wheel; with Shift, along the vertical axis)",
        ),
        ("0  on a picture", "Show the whole picture again (also a double click; the middle button moves it)"),
        (
            "Alt+→ Alt+←  in a lesson",
            "Next step, step before (also PgDown and PgUp, as a clicker sends them)",
        ),
        ("1 2 3 4  in a lesson", "Answer the question"),
    ]


def show_keyboard(window: QWidget) -> None:
    """Show all shortcuts."""
    rows = [list(pair) for pair in keyboard_table()]
    TableDialog(window, "Keyboard", ["Keys", "What they do"], rows).show()


def show_about(window: QWidget) -> None:
    """Say what this is."""
    TextDialog("About Sensiscope", ABOUT + plugin_lines(), window).show()


def plugin_lines() -> str:
    """Return what the installed plug-ins are, for below the rest."""
    lines = [html.escape(plugin.text, quote=False) for plugin in load_plugins()]
    return "".join(f"<br>{line[:1].upper()}{line[1:]}." for line in lines)

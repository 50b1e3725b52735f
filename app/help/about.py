"""The dialogs of the Help menu: the table of all shortcuts, and About."""

from __future__ import annotations

import html

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.actions import action_specs
from app.model.wording.neighbours import WORDS
from app.widgets.dialogs import TextDialog
from app.widgets.plot_table import TableDialog, quiet_table
from engine.plugins import load_plugins
from engine.resources import resource

ABOUT = (
    "<b>Sensiscope</b><br>See, run and compare data-dependent noise in differential privacy.<br><br>"
    "Every ε holds " + "; ".join(relation.between for relation in WORDS.values()) + ". "
    "Releases take their noise from the operating system's entropy.<br><br>"
    "Nissim, Raskhodnikova, Smith: <i>Smooth sensitivity and sampling in private data analysis</i>, "
    "STOC 2007.<br><br>MIT license. Qt is used under the LGPL 3.0; it and the other libraries have "
    f'<a href="{resource("notices.txt").as_uri()}">licenses of their own</a>.'
)


def keyboard_table() -> list[tuple[str, str, str]]:
    """Return (menu, keys, command) of all shortcuts; those that no menu shows come last."""
    table = [
        (
            spec.menu.replace("&", ""),
            "  ".join(
                key.toString(QKeySequence.SequenceFormat.NativeText)
                for key in QKeySequence.listFromString(spec.keys)
            ),
            spec.text.replace("&&", "\0").replace("&", "").replace("\0", "&"),
        )
        for spec in action_specs()
        if spec.keys
    ]
    others = [
        ("Ctrl+Tab", "Next picture"),
        ("↑ ↓  on the data", "Choose a dot or an edge"),
        ("← →  on the data", "Move it by a hundredth of its range (with Shift: a tenth)"),
        ("← → ↑ ↓  on the frontier", "Show a run at another value, or of another mechanism"),
        ("+ −  on a picture", "Zoom in or out (also the wheel; with Shift, only the vertical axis)"),
        (
            "0  on a picture",
            "Show the whole picture (also a double click; drag with the middle button to pan)",
        ),
        (
            "Alt+→ Alt+←  in a lesson",
            "Next or previous step (also PgDown and PgUp, the keys of a clicker)",
        ),
        ("1 2 3 4  in a lesson", "Answer the question"),
    ]
    return [*table, *(("Elsewhere", *row) for row in others)]


def show_keyboard(window: QWidget) -> None:
    table = keyboard_table()
    menus = ["", *(menu for menu, *_ in table)]  # named once
    rows = [[menu * (menu != above), *row] for above, (menu, *row) in zip(menus, table, strict=False)]
    dialog = TableDialog(window, "Keyboard", ["Menu", "Keys", "Command"], rows)
    quiet_table(dialog.view, "Keyboard")
    dialog.view.setAlternatingRowColors(False)
    dialog.show()


def show_about(window: QWidget) -> None:
    """Show version, source and licences."""
    TextDialog("About Sensiscope", ABOUT + plugin_lines(), window).show()


def plugin_lines() -> str:
    """Return a line about the installed plug-ins."""
    lines = [html.escape(plugin.text, quote=False) for plugin in load_plugins()]
    return "".join(f"<br>{line[:1].upper()}{line[1:]}." for line in lines)

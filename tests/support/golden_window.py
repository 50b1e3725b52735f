"""Drives a real window without a display: sessions go in as files, what is seen comes out as text."""

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from golden_cases import Document
from golden_text import rounded, table
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit

from app.model.wording.numbers import use
from app.session import Session
from app.window.main_window import MainWindow

SIZE = (1440, 900)
"""High enough for a graph and the curves below it."""
MASK = "<…>"
PATIENCE = 120_000
"""Milliseconds for one picture."""

TEXTS: dict[type, Callable[[Any], str]] = {
    QLabel: lambda label: label.text(),
    QComboBox: lambda box: f"{box.accessibleName()} ({box.count()}): {box.currentText()}",
    QLineEdit: lambda line: f"{line.accessibleName()}: {line.text()}",
    QAbstractButton: lambda button: button.text() and f"[{button.text()}]{' on' * button.isChecked()}",
}
"""What widgets of each kind say."""

MOST_TABS = "histogram-shifted"
"""What cases ask on the page about histograms where they name nothing: it has every tab."""


class Driver:
    """A window of its own, with a ledger in memory, and a folder for session files."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "golden.sensiscope"
        self._script = folder / "golden.py"
        self.window = MainWindow(Session())
        use("si")  # whatever the system's language
        self.window.setFixedSize(*SIZE)
        self.window.show()
        self.wait()

    def wait(self) -> None:
        """Wait until everything is drawn."""
        if not self.window.wait_until_idle(PATIENCE):
            sys.exit(f"the window was not ready after {PATIENCE / 1000:g} seconds")

    def saved(self) -> Document:
        """Return the session as its file has it."""
        self.window.controllers.session_files.write(self._file)
        self.wait()
        return json.loads(self._file.read_text(encoding="utf-8"))

    def beginning(self, page: str, example: str) -> Document:
        """Return the session in which nothing but a page and an example was chosen.

        What was chosen in this window before would be kept, as users expect of it.
        """
        self.window.session.show_page(page)
        self.wait()
        self.window.controllers.data.open_example(example)
        self.wait()
        if self.window.session.state.query == "privtree":
            self.window.session.edit("ask", query=MOST_TABS)
            self.wait()
        document = self.saved()
        assert document["pages"][page]["data"]["example"] == example, f"{example} was not opened on {page}"
        return {**document, "page": page, "pages": {page: document["pages"][page]}, "key": "", "seal": ""}

    def open(self, document: Document) -> None:
        """Open a session."""
        self._settle()
        self._file.write_text(json.dumps(document), encoding="utf-8")
        self.window.controllers.files.open_path(self._file)
        self.wait()

    def script(self) -> str:
        """Return what is saved as a Python script."""
        self._script.unlink(missing_ok=True)
        self.window.controllers.exports.scripts.write(self._script)
        self.wait()
        return self._script.read_text(encoding="utf-8") if self._script.exists() else "no script\n"

    def pictures(self, timed: bool = False) -> list[str]:
        """Return what a screen reader is told of each picture in sight, and the numbers behind it.

        What is `timed` is told in running times, which are other ones each time.
        """
        place = self.window.page
        lines = [f"tab {place.view_state.tab}"]
        for canvas in place.canvases:
            if canvas is None or not canvas.has_result or not canvas.isVisible():
                lines.append("no picture")
                continue
            private = "confidential" if canvas.private else "public"
            lines.append(f"picture: {canvas.accessibleName()} ({private})")
            lines.append(f"told: {MASK if timed else rounded(canvas.accessibleDescription())}")
            lines += _numbers(*canvas.picture.saved_table())
        if place.table is not None:
            name, header, rows = place.table
            lines += [f"numbers: {name}", *_numbers(header, rows)]
        return lines

    def words(self) -> list[str]:
        """Return all texts in sight, what is chosen in boxes, and what can be pressed or ticked.

        The status line is left out: whether it tells of progress is a matter of time.
        """
        window = self.window
        found = (
            " / ".join(text_of(widget).splitlines())
            for kind, text_of in TEXTS.items()
            for widget in window.findChildren(kind)
            if widget.isVisible() and not window.statusBar().isAncestorOf(widget)
        )
        return sorted(text for text in found if text.strip())

    def _settle(self) -> None:
        """Leave nothing unsaved, so that no question is asked about it."""
        if self.window.controllers.session_files.modified:
            self.saved()

    def close(self) -> None:
        """Close the window."""
        self._settle()
        self.window.close()
        self.window.deleteLater()
        del self.window
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()


def _numbers(header: list[str], rows: list[list[Any]]) -> list[str]:
    """Write a table without its running times."""
    hidden = [MASK if "seconds" in name.lower() else None for name in header]
    return table(
        header,
        [[cell if mask is None else mask for cell, mask in zip(row, hidden, strict=True)] for row in rows],
    )


@contextmanager
def driver(folder: Path) -> Iterator[Driver]:
    """Show a window, and close it in the end."""
    application: Any = QApplication.instance() or QApplication(["golden"])
    application.setStyle("Fusion")
    made = Driver(folder)
    try:
        yield made
    finally:
        made.close()


def beginnings(
    folder: Path, heads: Iterable[tuple[str, str]]
) -> tuple[dict[tuple[str, str], Document], Document]:
    """Return the sessions with which pages and examples begin, and that of all pages."""
    with driver(folder) as window:
        return {head: window.beginning(*head) for head in heads}, window.saved()

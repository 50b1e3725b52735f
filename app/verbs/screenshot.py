"""A page of the window as a PNG, drawn without a display."""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.verbs.shared.console import Bar, remark
from app.verbs.shared.data import add_data_options
from app.verbs.shared.options import UsageError
from app.verbs.shared.output import Output
from app.verbs.shared.reading import Located, locate
from engine.errors import SensiscopeError, UnknownName

if TYPE_CHECKING:
    from app.main_window import MainWindow

PROGRAM = "sensiscope screenshot"
PAGES = ("median",)
TABS = ("k", "epsilon", "path", "noise", "distribution")
LEAST, MOST = 200, 8000
PATIENCE = 30_000
"""Milliseconds that the page gets to finish its curves."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("page", metavar="PAGE", help=f"one of {', '.join(PAGES)}")
    parser.add_argument("--out", metavar="FILE", required=True, help="where to save the picture, a .png")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="default light")
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=size,
        default=(1280, 800),
        help="of the window, in pixels (default 1280x800)",
    )
    parser.add_argument("--tab", choices=TABS, help="the picture to open")
    parser.add_argument(
        "--view", choices=("curator", "release"), default="curator", help="who is looking (default curator)"
    )
    parser.add_argument("--presentation", action="store_true", help="larger type, right column folded away")
    add_data_options(parser, required=False)


def size(text: str) -> tuple[int, int]:
    """Read ``1280x800``."""
    found = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text)
    if not found or not all(LEAST <= int(side) <= MOST for side in found.groups()):
        raise argparse.ArgumentTypeError(
            f"'{text}' is no size; write WxH, for instance 1280x800, each {LEAST} to {MOST}"
        )
    return int(found[1]), int(found[2])


def run(options: argparse.Namespace) -> int:
    """Show the window, wait until it is idle, and save what it shows."""
    if options.page not in PAGES:
        raise UnknownName("page", options.page, PAGES)
    from engine import catalog

    target = Output(options.out, (".png",))
    data = None
    if options.data is not None or options.example is not None:
        with Bar() as bar:
            data = locate(options, catalog.query("median"), PROGRAM, bar)
    elif any(given is not None for given in (options.column, options.encoding, options.lower, options.upper)):
        raise UsageError("--column, --encoding, --lower and --upper belong to --data or --example", PROGRAM)
    if sys.platform.startswith("linux"):
        # even where there is a display: Qt ends the process if it cannot be reached
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([PROGRAM])
    assert isinstance(application, QApplication)
    application.setStyle("Fusion")
    from app.main_window import MainWindow
    from app.session import Session

    window = MainWindow(Session())
    try:
        _arrange(window, options, data)
        with tempfile.TemporaryDirectory() as folder:
            shot = Path(folder) / "page.png"
            window.grab_png(shot)
            target.write(shot.read_bytes())
    finally:
        window.close()
        window.deleteLater()
    return 0


def _arrange(window: MainWindow, options: argparse.Namespace, data: Located | None) -> None:
    """Bring the window to where the picture is to be taken."""
    failures: list[str] = []
    window.opener.failed.connect(lambda failure: failures.append(failure.message))
    window.set_theme(options.theme)
    window.setFixedSize(*options.size)
    window.show()
    _wait(window)
    if data is not None:
        # the window, too, leaves out an example's records without a value
        _open(window, data, "drop" if data.example else options.missing)
        _wait(window)
    if failures:
        raise SensiscopeError(failures[0])
    window.show_page(options.page)
    window.session.show_view(options.view)
    window.set_presentation(options.presentation)
    if options.tab is not None:
        window.page.show_tab(options.tab)
    _wait(window)
    least = window.minimumSizeHint()
    if least.width() > options.size[0] or least.height() > options.size[1]:
        remark("note", f"the page needs {least.width()}x{least.height()} pixels to show everything")


def _open(window: MainWindow, data: Located, missing: str) -> None:
    from app.state import Dataset

    key = f"example:{data.example}" if data.example else f"file:{data.table.source}"
    dataset = Dataset(data.table, key, example=data.example)
    window.opener.open_fields(
        dataset,
        {
            "column": data.column,
            "missing": missing,
            "lower": data.domain.lower,
            "upper": data.domain.upper,
            "origin": "known",
        },
    )


def _wait(window: MainWindow) -> None:
    if not window.wait_until_idle(PATIENCE):
        raise SensiscopeError(f"the page was not ready after {PATIENCE / 1000:g} seconds")

"""What memory the window takes on a million records: ``python tests/benchmarks/big_window.py``.

All pages are opened on one file of two columns (spanning trees on their example), then more such files in
turn; memory must be at most what is stated below.  With ``--tabs``, all tabs of all pages follow, and what
each takes is told: to open it, and after epsilon was moved 60 times a second for a second.  All the while, a
job must be heard often enough to be cancelled soon.  ``--rows`` and ``--files`` make it shorter.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hour import KNOWN, busy, memory, open_file, settle, shown_window, write
from PySide6.QtCore import QCoreApplication, QEventLoop
from silences import listening

MOST_OPEN, MOST_AFTER = 600, 1050
"""Megabytes: with all pages open, and after all files, which undo keeps: 16 MB each, and their tables."""
MOST_WORK = 5
"""Seconds of processor time after the last move of epsilon."""
SOON = 0.2
"""Seconds of processor time within which jobs are cancelled."""
POINTS = {
    "columns": ("x", "y"),
    "bounds": {"x": (0.0, 100.0), "y": (0.0, 100.0)},
    "missing": "refuse",
    "bounds_source": "known",
}
FIELDS = {"median": {**KNOWN, "bounds_source": "known"}, "spanning-tree": None}
"""What is opened on each page: two columns as points where nothing else is said; None for the example."""


def most() -> float:
    """Return the most megabytes that were in memory since the last call."""
    status = Path("/proc/self/status").read_text().splitlines()
    found = next(line for line in status if line.startswith("VmHWM"))
    Path("/proc/self/clear_refs").write_text("5")
    return int(found.split()[1]) * 1024 / 1e6


def open_pages(window: Any, path: Path) -> None:
    """Open the file on each page."""
    from app.model.pages.registry import PAGE_KINDS

    for page in PAGE_KINDS:
        window.session.show_page(page)
        settle(window)
        if fields := FIELDS.get(page, POINTS):
            window.controllers.data.open_file(path)
            settle(window)
            dataset = window.session.state.table
            window.controllers.data.open_fields(dataset, fields)
            settle(window)
            assert window.session.state.dataset is dataset
        print(f"{page}: {memory():.0f} MB", flush=True)


def work_after_moves(window: Any) -> float:
    """Move epsilon for a second; return the seconds of processor time from the last move on."""
    for move in range(60):
        epsilon = round(0.5 + move / 60, 3)
        window.session.edit("change epsilon", merge="epsilon", epsilon=epsilon)
        until = time.monotonic() + 1 / 60
        while time.monotonic() < until:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
    begun = busy()
    settle(window)
    return busy() - begun


def open_tabs(window: Any) -> float:
    """Open all tabs of all pages, and tell what they take: when all is done, and at most for a moment.

    Returns the most work after the last move of epsilon.
    """
    from app.model.pages.registry import PAGE_KINDS

    most_work = 0.0
    for page in PAGE_KINDS:
        window.session.show_page(page)
        settle(window)
        for tab in list(window.page.card.shown):
            most()
            begun = busy()
            window.page.show_tab(tab)
            settle(window)
            peak, opening = most(), busy() - begun
            work = work_after_moves(window)
            most_work = max(most_work, work)
            print(f"{page}, {tab}: {memory():.0f} MB, at most {peak:.0f}, {opening:.1f} s", end=", ")
            print(f"{work:.1f} s after the last move", flush=True)
    return most_work


def main(arguments: list[str]) -> int:
    """Open pages, files and tabs; return 1 if pages or files take too much."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--tabs", action="store_true")
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as name, listening() as silences:
        folder = Path(name)
        path = write(folder / "points.parquet", "xy", 1, chosen.rows)
        window = shown_window(folder)
        open_pages(window, path)
        opened = memory()
        window.session.show_page("median")
        for number in range(chosen.files):
            open_file(window, folder, number, chosen.rows)
        after = memory()
        print(f"all pages: {opened:.0f} MB (at most {MOST_OPEN})")
        print(f"after {chosen.files} more files: {after:.0f} MB (at most {MOST_AFTER})", flush=True)
        work = open_tabs(window) if chosen.tabs else 0.0
        window.close()
        window.deleteLater()
    late = silences.told(SOON)
    print(f"jobs that are silent for more than {SOON} s:\n{late or 'none'}")
    return int(opened > MOST_OPEN or after > MOST_AFTER or bool(late) or work > MOST_WORK)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

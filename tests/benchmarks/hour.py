"""What memory an hour of work takes: ``python tests/benchmarks/hour.py``.

Ten rounds on one window, with one ledger; in each, 45 moves of epsilon, 18 records dragged, 6 releases, all
tabs of all pages, and two files of a million rows.  Memory at the end must be at most 1.3 times what it was
after the first round.  ``--rounds`` and ``--rows`` make it shorter.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MOST = 1.3
"""Of the memory after the first round."""
MOST_BUSY, STILL = 1500, 600
"""Processor seconds that one picture may take; seconds in which a job has to do something."""
MOVES, DRAGS, RELEASES, FILES = 45, 18, 6, 2
"""What is done in each round."""
KNOWN = {"column": "x", "missing": "refuse", "lower": 0.0, "upper": 100.0, "resolution": None}


def memory() -> float:
    """Return the megabytes that the process has in memory, without what only waits to be collected."""
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def busy(process: int | None = None) -> float:
    """Return the processor seconds of a process, by default this one, and of all that it has started."""
    home = Path("/proc") / str(process or os.getpid())
    try:
        used = home.joinpath("stat").read_text().rpartition(")")[2].split()[11:15]  # itself; ended children
        alive = [int(child) for task in home.glob("task/*/children") for child in task.read_text().split()]
    except OSError:  # it has ended in the meantime
        return 0.0
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK") + sum(map(busy, alive))


def settle(window: Any) -> None:
    """Let the window live until all jobs have ended: what counts is how busy it is, not the clock."""
    begun = last = busy()
    moved = time.monotonic()
    while not window.wait_until_idle(1000):
        now = busy()
        if now - last > 1:
            last, moved = now, time.monotonic()
        assert now - begun < MOST_BUSY, f"still at work after {now - begun:.0f} s"
        assert time.monotonic() - moved < STILL, f"nothing was done for {STILL} s"


def shown_window(folder: Path) -> Any:
    """Return a window with a ledger of its own, that asks nothing before a release."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from app.model.ledger import LazyLedger
    from app.session import Session
    from app.window.main_window import MainWindow

    application = QApplication.instance() or QApplication(["hour"])
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Session(ledger=LazyLedger(folder / "ledger.sqlite")), None, settings)
    window.show()
    application.processEvents()
    settle(window)
    return window


def write(path: Path, columns: str, seed: int, rows: int) -> Path:
    """Write a file, in a process of its own: writing takes memory, and has pyarrow import pandas."""
    work = (
        "import sys, numpy as np, pyarrow as pa, pyarrow.parquet as pq;"
        "path, columns, seed, rows = sys.argv[1:];"
        "rng = np.random.default_rng(int(seed));"
        "drawn = {name: rng.normal(50, 15, int(rows)).clip(0, 100) for name in columns};"
        "pq.write_table(pa.table(drawn), path)"
    )
    subprocess.run([sys.executable, "-c", work, path, columns, str(seed), str(rows)], check=True)
    return path


def open_file(window: Any, folder: Path, number: int, rows: int) -> None:
    """Write a file, and open it on the page that is open."""
    path = write(folder / f"values{number}.parquet", "x", number, rows)
    window.controllers.data.open_file(path)
    settle(window)
    dataset = window.session.state.table
    window.controllers.data.open_fields(dataset, {**KNOWN, "bounds_source": "known"})
    settle(window)
    assert window.session.state.dataset is dataset


def play_round(window: Any, folder: Path, number: int, rows: int, rng: random.Random) -> None:
    """Do a tenth of the hour."""
    from app.model.pages.registry import PAGE_KINDS

    session = window.session
    for page in PAGE_KINDS:
        session.show_page(page)
        settle(window)
        for tab in list(window.page.card.shown):
            window.page.show_tab(tab)
            settle(window)
    session.show_page("median")
    for file in range(FILES):
        open_file(window, folder, FILES * number + file, rows)
        for _ in range(MOVES // FILES):
            session.edit("change epsilon", merge="epsilon", epsilon=round(rng.uniform(0.1, 5), 2))
            window.wait_until_idle(1000)
        for _ in range(DRAGS // FILES):
            session.move_point(rng.randrange(rows), rng.uniform(0, 100))
            window.wait_until_idle(1000)
        for _ in range(RELEASES // FILES):
            window.controllers.releases.run()
            settle(window)
    settle(window)


def main(arguments: list[str]) -> int:
    """Play all rounds; return 1 if too much memory is taken at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=1_000_000)
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rng, taken = random.Random(1), []
    with tempfile.TemporaryDirectory() as name:
        window = shown_window(Path(name))
        for number in range(chosen.rounds):
            begun = busy()
            play_round(window, Path(name), number, chosen.rows, rng)
            taken.append(memory())
            spent, releases = busy() - begun, len(window.session.state.releases)
            print(
                f"round {number + 1}: {taken[-1]:.0f} MB, {spent:.0f} s busy, {releases} releases", flush=True
            )
        window.close()
        window.deleteLater()
    ratio = taken[-1] / taken[0]
    print(f"at the end {ratio:.2f} x of after the first round (at most {MOST})")
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

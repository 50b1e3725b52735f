"""The pictures of README and guides: ``.venv/bin/python packaging/screenshots.py [--out FOLDER] [NAME …]``.

All are made anew in ``resources/screenshots``, or those that are named.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "screenshots"
SHOTS = {
    "median-light": ("median",),
    "spanning-tree-light": ("spanning-tree",),
    "clustering-light": ("clustering",),
    "one-cluster-light": ("one-cluster",),
    "histogram-light": ("histogram",),
    "compare-light": ("compare",),
    "audit-light": ("median", "--tab", "audit", "--planted", "local-noise"),
    "lesson-light": ("lessons", "--lesson", "smooth-sensitivity", "--step", "3"),
    "budget-light": ("median", "--dialog", "budget"),
    "help-light": ("median", "--dialog", "help"),
}
"""Each by its name, with what `sensiscope screenshot` is told."""

MOVING = "guess-who"
"""The moving picture: the opening game, as its button "Save the animation" draws it."""

THUMBNAILS = {
    "center-of-attention": 4,
    "choosing-bounds": 4,
    "choosing-noise": 1,
    "comparing": 3,
    "composition": 4,
    "differencing": 3,
    "dp-in-45-minutes": 9,
    "global-sensitivity": 4,
    "groups": 1,
    "histograms": 1,
    "local-model": 4,
    "local-noise-leaks": 3,
    "membership-inference": 5,
    "neighbours": 1,
    "questions-by-group": 5,
    "sample-and-aggregate": 5,
    "small-cluster": 1,
    "smooth-sensitivity": 3,
    "spanning-tree": 1,
    "the-last-bit": 5,
    "two-clusters": 3,
    "what-epsilon-means": 3,
    "where-promises-leak": 3,
}
"""The lessons with the step that their thumbnail in ``resources/lessons`` shows."""

THUMBNAIL_SIZE, THUMBNAIL_DPI = (3.0, 2.0), 112
"""Size of a thumbnail in inches, and its dots per inch."""
MARGIN, THICKER, LARGER = 0.04, 1.8, 1.3
"""Margin of a thumbnail, as a share of it; how much thicker its lines are, and how much larger its marks."""

RELEASES, LIMIT = 60, 5.0
"""Of the ledger that the picture of the budget shows."""


def write_ledger(file: Path) -> None:
    """Spend some budget in a new ledger."""
    from app.model.ledger import about_release
    from engine import (
        Interval,
        Ledger,
        Limit,
        Median,
        Privacy,
        Sample,
        SmoothRelease,
        example_digest,
        load_example,
    )

    data = Sample(load_example("salaries").numbers("salary").values, Interval(0, 500_000))
    asked, mechanism = Privacy(0.1), SmoothRelease(query=Median())
    account = Ledger(file).account(example_digest("salaries"), "salaries")
    account.set_limit(Limit(LIMIT, delta=1e-6))
    about = about_release("median", "salary", mechanism)
    for _ in range(RELEASES):
        account.release(mechanism, data, asked, about, over=True)


def write_moving(out: Path) -> Path:
    """Make the moving picture in a folder."""
    os.environ["MPLBACKEND"] = "Agg"
    from app.export.animation import guess_animation
    from app.model.theme import LIGHT
    from app.pages.audit.opening import AT_LOCAL
    from engine.progress import silent

    target = out / f"{MOVING}.gif"
    target.write_bytes(guess_animation(LIGHT, AT_LOCAL, target.suffix, silent))
    return target


def write_thumbnails(out: Path) -> None:
    """Draw the thumbnails of all lessons into a folder."""
    from app.commands.lessons import WINDOW, panels
    from app.commands.support.screenshot_window import COMPARING, hidden_window, wait
    from app.export.lesson_pages import STYLE
    from app.lessons.reading import lessons

    with hidden_window("lessons", None) as window:
        window.setFixedSize(*WINDOW)
        window.show()
        for lesson in lessons()[0]:
            window.controllers.lessons.player.start(lesson, THUMBNAILS[lesson.name] - 1)
            wait(window, COMPARING)
            figure = thumbnail(panels(window)[-1].draw(style=STYLE).axes)
            figure.savefig(out / f"{lesson.name}.png", dpi=THUMBNAIL_DPI)


def thumbnail(axes: Axes) -> Figure:
    """Return the figure of a picture, drawn to be small: thick lines, and no text."""
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

    from app.plots.elements.labels import AxesArtist, figure_of

    figure = figure_of(axes)
    figure.set_layout_engine("none")
    figure.set_size_inches(THUMBNAIL_SIZE)
    parts = [part for part in figure.axes if part.get_visible()]
    whole = Bbox.union([part.get_position(original=True) for part in parts])
    for part in parts:
        box = part.get_position(original=True)
        start = np.array([box.x0 - whole.x0, box.y0 - whole.y0]) / whole.size
        room = 1 - 2 * MARGIN
        part.set_axes_locator(None)
        part.set_anchor("C")
        part.set_position([*(MARGIN + room * start), *(room * box.size / whole.size)])
    for part in figure.findobj(Axes):
        part.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
        part.grid(False)
    for line in figure.findobj(Line2D):
        line.set(linewidth=THICKER * line.get_linewidth(), markersize=LARGER * line.get_markersize())
    for lines in figure.findobj(LineCollection):
        lines.set_linewidth([THICKER * width for width in lines.get_linewidth()])
    for text in figure.findobj(Text):
        text.set_visible(False)
    for artist in figure.findobj(AxesArtist):
        artist.remove()
    return figure


def write(name: str, out: Path) -> Path:
    """Make one of them in a folder."""
    if name == MOVING:
        return write_moving(out)
    target = out / f"{name}.png"
    platform = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "MPLBACKEND": "Agg"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "app", "screenshot", *SHOTS[name], "--out", target]
        if name.startswith("budget"):
            write_ledger(Path(folder) / "ledger.sqlite")
            command += ["--ledger", Path(folder) / "ledger.sqlite"]
        subprocess.run(
            command, env=platform, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help=", ".join([*SHOTS, MOVING]))
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=FOLDER)
    parser.add_argument("--thumbnails", metavar="FOLDER", type=Path, help="draw those of the lessons there")
    options = parser.parse_args()
    if options.thumbnails is not None:
        write_thumbnails(options.thumbnails)
        sys.exit()
    for shot in options.names or [*SHOTS, MOVING]:
        print(write(shot, options.out))

"""The opening scene as a short animation: the record moves across the gap and back."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from app.model.theme import Palette
from engine.analysis.leap import HOME, leap_scene
from engine.progress import Progress

FAR = 89.0
FRAMES, PER_SECOND, DPI = 36, 12, 80


def leap_animation(palette: Palette, epsilon: float, suffix: str, progress: Progress) -> bytes:
    """Return an animation in the format of a suffix, such as ".gif" (in a worker)."""
    from matplotlib.animation import PillowWriter
    from matplotlib.figure import Figure

    from app.plots.opening import LeapPicture

    there = HOME + (FAR - HOME) * (1 - np.cos(np.linspace(0, np.pi, FRAMES // 2))) / 2
    figure = Figure(figsize=LeapPicture.export_size, facecolor=palette.card)
    picture = LeapPicture(figure.add_axes((0.05, 0.06, 0.9, 0.88)), palette)
    path = [*there, *there[::-1]]
    writer = PillowWriter(fps=PER_SECOND)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"leap{suffix}"
        with writer.saving(figure, str(file), DPI):
            for index, position in enumerate(path):
                progress(index / len(path), "drawing the animation")
                picture.update(leap_scene(float(position), epsilon))
                writer.grab_frame()
        return file.read_bytes()

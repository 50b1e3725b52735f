"""The game of the first start as a short animation: the best guess bets on ever more answers."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import numpy as np

from app.model.theme import Palette
from app.pages.audit.opening import GameMechanism, opening_game
from engine.progress import Progress, part

COUNTS, PER_SECOND, DPI = 48, 8, 80
"""Numbers of bets that are shown one after the other, frames per second, and dots per inch."""
FALL_STEPS = (0.4, 0.8, 1.0)
"""How far an answer has fallen in each of its frames, while they come one by one."""


def guess_animation(palette: Palette, player: GameMechanism, suffix: str, progress: Progress) -> bytes:
    """Return an animation in the format of a suffix, such as ".gif" (in a worker)."""
    from matplotlib.animation import PillowWriter
    from matplotlib.figure import Figure

    from app.plots.audit.guess_who import AuditGuessWho

    view = opening_game(player, progress=part(progress, 0.0, 0.1))
    bets = view.run.game.bets
    figure = Figure(figsize=AuditGuessWho.export_size, facecolor=palette.card)
    picture = AuditGuessWho(figure.add_axes((0.05, 0.06, 0.9, 0.88)), palette, "$")
    writer = PillowWriter(fps=PER_SECOND)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"guess-who{suffix}"
        with writer.saving(figure, str(file), DPI):
            first = np.arange(COUNTS // 4)  # one by one, then ever faster
            for played in (*first, *np.geomspace(first[-1] + 1, len(bets), COUNTS - len(first)).astype(int)):
                progress(0.1 + 0.9 * played / len(bets), "drawing the animation")
                for fall_progress in FALL_STEPS if played < len(first) else FALL_STEPS[-1:]:
                    picture.update(dataclasses.replace(view, bets=bets[:played], fall_progress=fall_progress))
                    writer.grab_frame()
        return file.read_bytes()

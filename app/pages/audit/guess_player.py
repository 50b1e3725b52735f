"""Buttons that play the guessing game: two bets, the best guess, a new game, and two teams."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QStyle, QWidget

from app.model.theme import Palette
from app.widgets.buttons import push_button
from app.widgets.card import plain
from app.widgets.layouts import Flow, line_up, together
from app.widgets.style import THEME
from engine.array_types import Ints

if TYPE_CHECKING:
    from engine.audit.guess_who import GuessWho

ROUNDS_PER_SECOND = 1000
FRAME_MS, FALL_MS = 16, 320
AT_ONCE = 1000
"""Rounds that one click plays where the system asks for no animation."""
NO_BETS = np.empty(0, dtype=np.int64)
ARROWS = "\N{LEFTWARDS ARROW} {}", "{} \N{RIGHTWARDS ARROW}"


class GuessPlayer(QWidget):
    """Keeps the bets on the answers of a game; `large`: over the whole window."""

    changed = Signal()  # another bet, another game, or one team more or less

    def __init__(self, *, large: bool = False) -> None:
        super().__init__()
        self._game: GuessWho | None = None
        self._resumed: tuple[GuessWho, Ints] | None = None  # played elsewhere
        self.bets: Ints = NO_BETS  # so far, as `GuessWho.bets`
        self.fall_progress = 1.0  # share of its way that the newest answer has fallen
        tip = "Bet that the answer comes from this database (arrow key)"
        self.bet_buttons = [push_button(one, tip, partial(self.bet, side)) for side, one in enumerate(ARROWS)]
        self.auto = push_button("Bet for me", "Play the best guess, 1,000 answers a second", checkable=True)
        self.again = push_button("New game", "After a bet: start again with the first answer", self.restart)
        self.teams = push_button("Two teams", "Teams A and B bet by turns", checkable=True)
        self.auto.toggled.connect(self._on_auto)
        self.teams.toggled.connect(self.restart)
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._move)
        self._clock = QElapsedTimer()
        first, second, *tools = widgets = (*self.bet_buttons, self.auto, self.again, self.teams)
        for widget in widgets:
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the arrow keys to the picture
        if large:  # each below its part of the picture
            for button in (first, second):
                button.setObjectName("bet")
            line_up(self, (first, 3), (second, 3), None, (together(*tools), 4), spacing=8)
        else:
            line = Flow()
            for part in (plain("Your bet:"), *widgets):
                line.addWidget(part)
            self.setLayout(line)
        THEME.changed.connect(self.set_palette)

    def set_palette(self, palette: Palette) -> None:
        """Give the bets the colours of their databases, once there is a game."""
        if self._game is None:
            return
        from app.plots.audit.view import side_style

        for side, button in enumerate(self.bet_buttons):
            colour = side_style(side, palette).colour
            look = f"background: {palette.tint(colour, 0.16)}; border: 1px solid {colour}; font-weight: 600"
            focus = f"border: 2px solid {palette.ink}"
            button.setStyleSheet(f":enabled {{ {look} }} :enabled:focus {{ {focus} }}")

    def show_game(self, game: GuessWho, names: tuple[str, str]) -> None:
        """Play another game; keep the bets if it is the same."""
        for button, arrow, name in zip(self.bet_buttons, ARROWS, names, strict=True):
            button.setText(arrow.format(f"{name[:1].upper()}{name[1:]}"))
        if game is not self._game:
            again, self._resumed = self._resumed, None
            same = again is not None and np.array_equal(again[0].answers, game.answers)
            self._game, self.bets = game, again[1] if again is not None and same else NO_BETS
            self.set_palette(THEME.palette)
        self._show_state()

    @property
    def played(self) -> tuple[GuessWho, Ints] | None:
        """The game and the bets so far; None before it starts."""
        return None if self._game is None else (self._game, self.bets)

    def resume(self, played: tuple[GuessWho, Ints] | None) -> None:
        """Start the next game with these bets if it has the same answers."""
        self._resumed = played

    @property
    def playing(self) -> dict[str, Any]:
        """Fields of an `AuditView`: the bets so far, the teams, and how far the newest answer has fallen."""
        return {"bets": self.bets, "teams": self.teams.isChecked(), "fall_progress": self.fall_progress}

    def wait(self) -> None:
        """Take no bets until there is another game."""
        self._game = None
        self._show_state()

    def bet(self, side: int, _: bool = False) -> None:
        """Bet on one of both databases: 0 or 1."""
        if self._is_over:
            return
        self.start_fall()
        self._set_bets(np.append(self.bets, side))

    def nudge(self, right: int, up: int) -> None:
        """Bet by an arrow key: on the left database or on the right one."""
        if right:
            self.bet(int(right > 0))

    def restart(self) -> None:
        self.start_fall()
        self._set_bets(NO_BETS)

    def start_fall(self) -> None:
        """Let the next answer fall, unless the desktop asks for no animations."""
        self.auto.setChecked(False)
        self.fall_progress = float(self._reduces_motion)
        if self.fall_progress < 1:
            self._clock.start()
            self._timer.start()

    def play(self, rounds: int) -> None:
        """Play the best guess for some rounds."""
        if self._game is not None:
            played = len(self.bets)
            self._set_bets(np.append(self.bets, self._game.bets[played : played + rounds]))

    @property
    def _reduces_motion(self) -> bool:
        """Whether the desktop asks for no animations."""
        return self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0

    @property
    def _is_over(self) -> bool:
        return self._game is None or len(self.bets) >= self._game.rounds

    def _set_bets(self, bets: Ints) -> None:
        self.bets = bets
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        for button in (*self.bet_buttons, self.auto):
            button.setEnabled(not self._is_over)
        self.again.setEnabled(len(self.bets) > 0)
        if self._is_over:
            self.auto.setChecked(False)

    def _on_auto(self, on: bool) -> None:
        self._timer.stop()
        self.fall_progress = 1.0
        if on and self._reduces_motion:
            self.play(AT_ONCE)
            self.auto.setChecked(False)
        elif on:
            self._clock.start()
            self._timer.start()

    def _move(self) -> None:
        """Play the best guess, or let the newest answer fall on."""
        if self.auto.isChecked():
            self.play(max(1, self._clock.restart() * ROUNDS_PER_SECOND // 1000))
            return
        self.fall_progress = min(1.0, self._clock.elapsed() / FALL_MS)
        if self.fall_progress == 1.0:
            self._timer.stop()
        self.changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        self.auto.setChecked(False)
        self._on_auto(False)
        super().hideEvent(event)

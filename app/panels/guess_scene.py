"""The game of the first start, over the whole window: is Ana on the list?"""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.model.wording.numbers import share
from app.pages.audit.guess_player import GuessPlayer
from app.pages.audit.opening import AT_LOCAL, AT_SMOOTH, GameMechanism, players
from app.plots.audit.view import AuditView
from app.widgets.buttons import push_button
from app.widgets.card import caption, keep_room, plain
from app.widgets.combo_box import ComboBox
from app.widgets.layouts import Bend, line_up, stack, together
from app.widgets.progress_row import ProgressRow
from app.widgets.style import THEME, style_sheet

TITLE = "Is Ana on the list?"
WORDS = "Each answer: median salary + noise. Which list?"
DRAWING = "Drawing answers …"
TOLD, BETS_BEFORE_TOLD = "The best guess is right in {} of its bets: {}.", 5
UNSHOWN = "These two lists do not show the fault. Open them in the workbench, and choose “{}”."
MORE, LESS = "Try more noise", "Try less noise"
PICTURE_EDGE = 12  # pixels that a picture leaves free at its sides
ORDINARY, MAX_SCALE = (1280, 800), 2.0
"""The window size with the ordinary font, and the largest scale in larger windows."""


class GuessScene(QFrame):
    """Covers the window until it is closed."""

    closed = Signal()  # the user has seen it
    opened = Signal(object, object)  # continue in the workbench, with this `GameMechanism` and its bets
    file_wanted = Signal()  # continue with the user's own data
    save_wanted = Signal(object)  # save an animation, of this `GameMechanism`
    screen_wanted = Signal()  # whether the scene fills the screen
    game_wanted = Signal(object)  # the answers of this `GameMechanism`
    cancelled = Signal()  # stop drawing answers

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        from app.plots.audit.guess_who import AuditGuessWho
        from app.widgets.plot_canvas import PlotCanvas

        self._over = over
        self.player = AT_LOCAL  # the mechanism that makes the answers
        self._shown = self.player  # the last one whose answers were there
        self._views: dict[GameMechanism, AuditView] = {}
        self.setObjectName("scene")
        self.setAccessibleName(TITLE)
        title = plain(TITLE, "opening")
        self.canvas = PlotCanvas(AuditGuessWho, "Two lists, the answers, and the share of right bets")
        self.canvas.private = False
        self.canvas.set_unit("$")
        self.game = GuessPlayer(large=True)
        self.canvas.nudged.connect(self.game.nudge)
        self.game.changed.connect(self._show)
        self.chooser = ComboBox()
        self.chooser.setAccessibleName("Mechanism that makes the answers")
        self.chooser.setToolTip("Let another mechanism make the answers")
        self._players = tuple(players())
        self.chooser.addItems(list(players().values()))
        self.chooser.setCurrentIndex(self._players.index(self.player))
        self.chooser.activated.connect(self._on_chosen)
        self.noise = push_button(MORE, "Change the noise, and play again (L)", self._other_noise)
        self.save = push_button("Save…", "Save the game as an animation", self._on_save)
        self.skip = push_button("Skip", "Close the game (Esc)", self.closed)
        formats = "Start with your own data: CSV, TSV, Parquet and others"
        self.file = push_button("My file…", formats, self.file_wanted)
        self.go = push_button("These lists", "Continue with the same data", self._on_go)
        self._later = self.game.again, self.game.teams, self.chooser, self.save
        for widget in self._later:
            keep_room(widget)
            widget.hide()
        self._text = caption(WORDS, name="text")
        self.progress = ProgressRow("Progress of the audit")
        keep_room(self.progress)
        self.progress.cancelled.connect(self.cancelled)
        head = QWidget()
        line_up(head, (title, 1), (self.progress, 1), spacing=8)
        for above in (head, self._text):
            above.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        foot = Bend()
        foot.addWidget(together(self.noise, self.chooser, self.save), 0, Qt.AlignmentFlag.AlignLeft)
        exits = together(self.skip, plain("Open:"), self.file, self.go)
        foot.addWidget(exits, 1, Qt.AlignmentFlag.AlignRight)
        for around in (head, self._text, self.game, foot):
            around.setContentsMargins(PICTURE_EDGE, 0, PICTURE_EDGE, 0)
        self._content = QWidget()
        parts = head, self._text, (self.canvas, 1), self.game, foot
        stack(self._content, *parts, margins=(16, 14, 16, 14), spacing=8)
        stack(self, (self._content, 1))
        THEME.follow_scale(self._fit)
        over.installEventFilter(self)

    def _fit(self, _: object = None) -> None:
        """Fill the window, and scale the font with it."""
        self.setGeometry(self._over.rect())
        size = self._over.size()
        room = min(size.width() / ORDINARY[0], size.height() / ORDINARY[1])
        scale = max(THEME.scale, min(room, MAX_SCALE))
        self.canvas.set_text_scale(scale)
        larger = style_sheet(THEME.palette, scale) if scale > THEME.scale else ""
        if larger != self._content.styleSheet():
            self._content.setStyleSheet(larger)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def event(self, event: QEvent) -> bool:
        """Block the shortcuts of the covered window."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab inside the scene."""
        game = (*self.game.bet_buttons, self.game.auto, self.game.again, self.game.teams)
        foot = self.noise, self.chooser, self.save, self.skip, self.file, self.go
        widgets = self.canvas, *game, self.progress.cancel, *foot
        order = [widget for widget in widgets if widget.isVisibleTo(self) and widget.isEnabled()]
        index = next((index for index, widget in enumerate(order) if widget.hasFocus()), 0)
        order[(index + (1 if forward else -1)) % len(order)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Esc (stop or close), L (other noise), and F11 or a clicker's F5 (full screen)."""
        if event.key() == Qt.Key.Key_Escape:
            (self.closed if self.progress.isHidden() else self.cancelled).emit()
        elif event.key() == Qt.Key.Key_L:
            self._other_noise()
        elif event.key() in (Qt.Key.Key_F11, Qt.Key.Key_F5):
            self.screen_wanted.emit()
        else:
            super().keyPressEvent(event)

    def show_game(self, view: AuditView) -> None:
        """Play with the answers of the chosen mechanism."""
        self._views[self.player], self._shown = view, self.player
        self.progress.show_running(False)
        self.game.show_game(view.run.game, view.names)
        self.game.start_fall()
        self._show()

    def choose(self, player: GameMechanism) -> None:
        """Let another mechanism make the answers."""
        self.player = player
        self.chooser.setCurrentIndex(self._players.index(player))
        if player in self._views:
            self.show_game(self._views[player])
        else:
            self.game.wait()
            self._text.setText(DRAWING)
            self.progress.show_running(True)
            self.game_wanted.emit(player)

    def give_up(self) -> None:
        """Return to the last game: the answers of the chosen mechanism could not be drawn."""
        if self.player not in self._views:
            self.choose(self._shown)

    def _show(self) -> None:
        if self.player not in self._views:
            return
        for widget in self._later:
            widget.setVisible(widget.isVisible() or len(self.game.bets) > 0)
        self._text.setText(_told(self._views[self.player], len(self.game.bets)))
        self.noise.setText(MORE if self.player == AT_LOCAL else LESS)
        self.canvas.show_result(dataclasses.replace(self._views[self.player], **self.game.playing))

    def _other_noise(self) -> None:
        self.choose(AT_SMOOTH if self.player == AT_LOCAL else AT_LOCAL)

    def _on_chosen(self, index: int) -> None:
        self.choose(self._players[index])

    def _on_save(self) -> None:
        self.save_wanted.emit(self.player)

    def _on_go(self) -> None:
        played = self.game.played if self.player in self._views else None
        self.opened.emit(self.player, played)


def _told(view: AuditView, bets: int) -> str:
    """Return the sentence above a game after a number of bets."""
    game = view.run.game
    if bets and view.better_pair:
        return UNSHOWN.format(view.better_pair)
    if bets < BETS_BEFORE_TOLD:
        return WORDS
    hides = "there is too little noise to hide Ana" if game.best_rate > game.bound else "the noise hides Ana"
    return TOLD.format(share(game.best_rate), hides)

"""The opening game: shown over the window on a first start, and on request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal

from app.jobs.tasks import JobProgress, JobTask
from app.model import lazy
from app.model.dataset import Dataset
from app.model.output_file import OutputFile
from app.model.pages.audit import GUESS
from app.model.pages.workspaces import LESSONS
from app.model.theme import Palette
from app.pages.base.view import View
from app.widgets.dialogs import SaveDialog
from app.widgets.picture_loading import load_pictures
from app.widgets.style import THEME
from app.window.appearance import Appearance
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts

if TYPE_CHECKING:
    from app.pages.audit.opening import GameMechanism
    from app.panels.guess_scene import GuessScene
    from app.plots.audit.view import AuditView

SEEN = "opening scene seen"
ANIMATIONS = {".gif": "Animation (*.gif)", ".webp": "WebP animation (*.webp)"}
"""File formats of the animation by suffix, with their labels in the dialog."""
PAGE = "median"
"""The page that the game continues on."""


class SceneController(Controller):
    """Show the scene; build it on first use."""

    file_wanted = Signal()  # the scene is closed, and the user wants to open a file

    def __init__(self, parts: WindowParts, data: OpenController, appearance: Appearance) -> None:
        super().__init__(parts)
        jobs, status, body = parts.jobs, parts.status, parts.body
        self._data, self._appearance = data, appearance
        self.scene: GuessScene | None = None
        # the mechanism to audit once the data are open, and the game so far
        self._wanted: tuple[GameMechanism, Any] | None = None
        self._loading = jobs.channel("guess who", self._show_game, self._give_up)
        self._loading.failed.connect(status.show_failure)
        self._loading.progressed.connect(self._on_progressed)
        self._loading.cancelled.connect(self._give_up)
        self._saving = jobs.channel("animation", status.show_message, status.show_failure)
        status.follow(self._saving)
        data.opened.connect(self._on_opened)
        body.pages.made.connect(self._take_in)

    @property
    def drawing(self) -> bool:
        """Whether the scene is about to be drawn anew."""
        return self.scene is not None and (self.scene.canvas.drawing or self.scene.game.fall_progress < 1)

    def show_first(self) -> None:
        """Show the scene if it was never shown on this computer."""
        if self._store is not None and not self._store.contains(SEEN):
            self.show()

    def show(self) -> None:
        """Show the scene, once what draws it is imported."""
        if self.scene is None and not self._loading.busy:
            self._loading.request(partial(load_game, None))

    def close(self) -> bool:
        """Close the scene; False when it is not open."""
        scene, self.scene = self.scene, None
        if scene is not None:
            self._window.removeEventFilter(scene)
            scene.hide()
            scene.deleteLater()
        return scene is not None

    def _show_game(self, game: tuple[GameMechanism, AuditView]) -> None:
        """Show the answers of a mechanism; open the scene first if necessary."""
        player, view = game
        if self.scene is None:
            self._open()
        assert self.scene is not None
        if player == self.scene.player:
            self.scene.show_game(view)

    def _open(self) -> None:
        from app.panels.guess_scene import GuessScene

        self.scene = GuessScene(self._window)
        self.scene.closed.connect(self.close)
        self.scene.opened.connect(self._go_on)
        self.scene.file_wanted.connect(self._open_file)
        self.scene.save_wanted.connect(self._ask_file)
        self.scene.screen_wanted.connect(self._fill_screen)
        self.scene.game_wanted.connect(self._ask_game)
        self.scene.cancelled.connect(self._loading.cancel)
        self.scene.show()
        self.scene.raise_()
        self.scene.canvas.setFocus()
        if self._store is not None:
            self._store.setValue(SEEN, "yes")

    def _ask_game(self, player: GameMechanism) -> None:
        self._loading.request(partial(load_game, player))

    def _on_progressed(self, report: JobProgress) -> None:
        if self.scene is not None:
            self.scene.progress.show_progress(report)

    def _give_up(self) -> None:
        if self.scene is not None:
            self.scene.give_up()

    def _go_on(self, player: GameMechanism, played: Any) -> None:
        """Open the same game in the workbench: its data, epsilon, mechanism and bets."""
        from app.pages.audit.opening import EPSILON, EXAMPLE

        self.close()
        self._session.leave_lesson()
        self._session.show_page(PAGE)
        self._data.open_example(EXAMPLE)
        self._session.edit("open the game", epsilon=EPSILON, method=player.mechanism)
        self._wanted = player, played

    def _on_opened(self, dataset: Dataset) -> None:
        """Audit the mechanism of the game, once its data are there."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None and dataset.example == wanted[0].example:
            player, played = wanted
            choice = player.choice if played is None else player.choice.but(runs=2 * played[0].rounds)
            self._body.pages[PAGE].show_audit(choice, GUESS, played=played)

    def _fill_screen(self) -> None:
        """Begin or end presentation mode, in which the window fills the screen."""
        self._appearance.present(not self._appearance.presenting)

    def _open_file(self) -> None:
        """Let the user work on their own data."""
        self.close()
        self.file_wanted.emit()

    def _ask_file(self, player: GameMechanism) -> None:
        formats = ";;".join(ANIMATIONS.values())
        dialog = SaveDialog(self._window, "Save the animation", "guess-who.gif", formats)
        dialog.fileSelected.connect(partial(self.save, player=player))
        dialog.open()

    def save(self, path: str, player: GameMechanism) -> None:
        self._saving.request(partial(save_animation, path, THEME.palette, player))

    def _take_in(self, page: View) -> None:
        if page.name == LESSONS.name and isinstance(page, lazy.LessonsPage):
            page.scene_wanted.connect(self.show)


def load_game(player: GameMechanism | None, task: JobTask) -> tuple[GameMechanism, AuditView]:
    """Import what the scene needs, and draw the answers of a mechanism, or of the first (in a worker)."""
    load_pictures((lambda: lazy.AuditGuessWho,), task)
    from app.pages.audit.opening import AT_LOCAL, opening_game

    chosen = player or AT_LOCAL
    return chosen, opening_game(chosen, progress=task)


def save_animation(path: str, palette: Palette, player: GameMechanism, task: JobTask) -> str:
    """Draw the animation and write it (in a worker)."""
    from app.export.animation import guess_animation

    target = OutputFile(path, tuple(ANIMATIONS))
    target.write(guess_animation(palette, player, target.suffix, task))
    return f"Saved {target.path.name}"

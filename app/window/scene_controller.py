"""The opening scene: shown over the window on a first start, and on request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.jobs.tasks import JobTask
from app.lessons.lessons_page import LessonsPage
from app.model import lazy
from app.model.output_file import OutputFile
from app.model.theme import Palette
from app.pages.base.view import View
from app.widgets.dialogs import SaveDialog
from app.widgets.picture_loading import load_pictures
from app.window.appearance import Appearance
from app.window.open_controller import OpenController
from app.window.parts import Controller, WindowParts

if TYPE_CHECKING:
    from app.panels.leap_scene import LeapScene

SEEN = "opening scene seen"
ANIMATIONS = {".gif": "Animation (*.gif)", ".webp": "WebP animation (*.webp)"}
"""File formats of the animation by suffix, with their labels in the dialog."""
PAGE, EXAMPLE, TAB = "median", "two-heaps", "path"
"""The page, example and tab of "Open it in the workbench": the jump of the median."""


class SceneController(Controller):
    """Show the scene; build it on first use."""

    file_wanted = Signal()  # the scene is closed, and the user wants to open a file

    def __init__(self, parts: WindowParts, data: OpenController, appearance: Appearance) -> None:
        super().__init__(parts)
        jobs, status, body = parts.jobs, parts.status, parts.body
        self._data, self._appearance = data, appearance
        self.scene: LeapScene | None = None
        self._loading = jobs.channel("opening scene")
        self._loading.result.connect(self._open)
        self._saving = jobs.channel("animation")
        self._saving.result.connect(status.show_message)
        for channel in (self._loading, self._saving):
            channel.failed.connect(status.show_failure)
        status.follow(self._saving)
        appearance.restyled.connect(self._set_look)
        body.pages.made.connect(self._take_in)

    @property
    def drawing(self) -> bool:
        """Whether the scene is about to be drawn anew."""
        return self.scene is not None and self.scene.canvas.drawing

    def show_first(self) -> None:
        """Show the scene if it was never shown on this computer."""
        if self._store is not None and not self._store.contains(SEEN):
            self.show()

    def show(self) -> None:
        """Show the scene, once what draws it is imported."""
        if self.scene is None and not self._loading.busy:
            self._loading.request(load_scene)

    def close(self) -> bool:
        """Close the scene; False when it is not open."""
        scene, self.scene = self.scene, None
        if scene is not None:
            self._window.removeEventFilter(scene)
            scene.hide()
            scene.deleteLater()
        return scene is not None

    def _open(self, _: bool) -> None:
        from app.panels.leap_scene import LeapScene

        appearance = self._appearance
        self.scene = LeapScene(self._window, appearance.palette, appearance.font_scale)
        self.scene.closed.connect(self.close)
        self.scene.opened.connect(self._go_on)
        self.scene.file_wanted.connect(self._open_file)
        self.scene.save_wanted.connect(self._ask_file)
        self.scene.screen_wanted.connect(self._fill_screen)
        self.scene.show()
        self.scene.raise_()
        self.scene.canvas.setFocus()
        if self._store is not None:
            self._store.setValue(SEEN, "yes")

    def _go_on(self, epsilon: float) -> None:
        """Open the leap of the median in the workbench."""
        self.close()
        self._session.leave_lesson()
        self._session.show_page(PAGE)
        self._data.open_example(EXAMPLE)
        self._session.edit("change epsilon", epsilon=epsilon)
        self._body.pages[PAGE].show_tab(TAB)

    def _fill_screen(self) -> None:
        """Begin or end presentation mode, in which the window fills the screen."""
        self._appearance.present(not self._appearance.presenting)

    def _open_file(self) -> None:
        """Let the user work on their own data."""
        self.close()
        self.file_wanted.emit()

    def _ask_file(self, epsilon: float) -> None:
        dialog = SaveDialog(self._window, "Save the animation", "leap.gif", ";;".join(ANIMATIONS.values()))
        dialog.fileSelected.connect(partial(self.save, epsilon=epsilon))
        dialog.open()

    def save(self, path: str, epsilon: float = 1.0) -> None:
        """Save the animation."""
        self._saving.request(partial(save_animation, path, self._appearance.palette, epsilon))

    def _set_look(self, palette: Palette, scale: float) -> None:
        if self.scene is not None:
            self.scene.set_look(palette, scale)

    def _take_in(self, page: View) -> None:
        if isinstance(page, LessonsPage):
            page.scene_wanted.connect(self.show)


def load_scene(task: JobTask) -> bool:
    """Import what the scene needs (in a worker)."""
    return load_pictures((lambda: lazy.LeapPicture,), task)


def save_animation(path: str, palette: Palette, epsilon: float, task: JobTask) -> str:
    """Draw the animation and write it (in a worker)."""
    from app.export.animation import leap_animation

    target = OutputFile(path, tuple(ANIMATIONS))
    target.write(leap_animation(palette, epsilon, target.suffix, task))
    return f"Saved {target.path.name}"

"""What of the pictures of a card, and of the words beside them, belongs to older choices."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QLabel, QWidget

from app.jobs.tasks import JobProgress
from app.model.theme import Palette
from app.widgets.card import set_text
from app.widgets.compact import CurrentPageStack
from app.widgets.stale_overlay import StaleOverlay


class Freshness:
    """Dims what is outdated, until it is replaced.

    Parameters
    ----------
    pictures : CurrentPageStack
        Shows one picture, or words in the place of one.
    waiting : QWidget
        These words, which are always about the choices of now.
    words : sequence of QLabel
        What is said beside the pictures.

    Attributes
    ----------
    newest : object
        What a worker was asked last about the choices of now; None until one is asked.
    outdated : frozenset of str
        The pictures that show something of older choices.
    """

    def __init__(self, pictures: CurrentPageStack, waiting: QWidget, *words: QLabel) -> None:
        self._pictures, self._waiting = pictures, waiting
        self._over = StaleOverlay(pictures)
        self._words = {label: StaleOverlay(label) for label in words}
        self._open = ""
        self.newest: object = None
        self.outdated: frozenset[str] = frozenset()

    def add(self, label: QLabel) -> None:
        """Dim another line of words, too."""
        self._words[label] = StaleOverlay(label)

    @property
    def is_dimmed(self) -> bool:
        """Whether the picture in sight is outdated."""
        return self._over.is_drawn

    def outdate(self, pictures: Iterable[str], words: bool = True) -> None:
        """Dim pictures, and what is said beside them."""
        self.newest = None
        self.outdated |= frozenset(pictures)
        for label, overlay in self._words.items():
            overlay.draw(words and bool(label.text()))
        self.look()
        self._over.show_progress(0.0)

    def answered(self, request: object, picture: str) -> None:
        """Show a picture as it is, if the answer is about the choices of now."""
        if request is self.newest:
            self.renew(picture)

    def renew(self, picture: str) -> None:
        """Show a picture as it is: it is about the choices of now."""
        self.outdated -= {picture}
        self.look()

    def renew_words(self) -> None:
        """Show what is said beside the pictures as it is."""
        for overlay in self._words.values():
            overlay.draw(False)

    def say(self, label: QLabel, text: str, request: object) -> None:
        """Say something that was answered; that of an older request stays dim."""
        set_text(label, text)
        if request is self.newest:
            self._words[label].draw(False)

    def forget(self) -> None:
        """Dim nothing: there is nothing."""
        self.outdated = frozenset()
        self.renew_words()
        self.look()

    def end(self) -> None:
        """Say no more what was not said anew; nothing is worked out now."""
        for label, overlay in self._words.items():
            if overlay.is_drawn:
                set_text(label, "")
                overlay.draw(False)
        self._over.show_progress(None)

    def look(self, opened: str | None = None) -> None:
        """Dim the picture in sight if it is outdated; `opened` is another one."""
        self._open = self._open if opened is None else opened
        waits = self._pictures.currentWidget() is self._waiting
        self._over.draw(self._open in self.outdated and not waits)

    def show_progress(self, report: JobProgress) -> None:
        """Show how far the work on the picture in sight is."""
        self._over.show_progress(report.fraction)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        for overlay in (self._over, *self._words.values()):
            overlay.set_palette(palette)

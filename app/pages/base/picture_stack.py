"""The pictures of a panel: made when first opened, one in sight, dimmed while they show older choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.help.controls import picture_words
from app.jobs.tasks import JobProgress
from app.model.picture_spec import TabTitle
from app.model.references import ClassLoader
from app.model.theme import Palette
from app.model.wording.components import DECLARED
from app.widgets.card import caption, set_text
from app.widgets.compact import CurrentPageStack
from app.widgets.stale_overlay import StaleOverlay

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class StaleState:
    """Tracks which pictures and captions are out of date, and dims them until they are replaced.

    `pictures`: shows one picture, or `waiting`.
    `waiting`: text in place of a picture; never dimmed.
    """

    def __init__(self, pictures: CurrentPageStack, waiting: QWidget, *captions: QLabel) -> None:
        self._pictures, self._waiting = pictures, waiting
        self._overlay = StaleOverlay(pictures)
        self._captions = {label: StaleOverlay(label) for label in captions}
        self._opened = ""
        self.newest: object = None  # the newest request about the current choices; None until there is one
        self.outdated: frozenset[str] = frozenset()  # names of the pictures that show older choices

    def add(self, label: QLabel) -> None:
        """Dim another caption, too."""
        self._captions[label] = StaleOverlay(label)

    @property
    def is_dimmed(self) -> bool:
        """Whether the picture in sight is outdated."""
        return self._overlay.is_drawn

    def outdate(self, pictures: Iterable[str], captions: bool = True) -> None:
        """Dim pictures, and the captions."""
        self.newest = None
        self.outdated |= frozenset(pictures)
        for label, overlay in self._captions.items():
            overlay.draw(captions and bool(label.text()))
        self.update()
        self._overlay.show_progress(0.0)

    def accept(self, request: object, picture: str) -> None:
        """Show a picture undimmed if it answers the newest request."""
        if request is self.newest:
            self.renew(picture)

    def renew(self, picture: str) -> None:
        """Show a picture undimmed: it is about the current choices."""
        self.outdated -= {picture}
        self.update()

    def renew_captions(self) -> None:
        """Show the captions undimmed."""
        for overlay in self._captions.values():
            overlay.draw(False)

    def say(self, label: QLabel, text: str, request: object) -> None:
        """Change a caption; one of an older request stays dimmed."""
        set_text(label, text)
        if request is self.newest:
            self._captions[label].draw(False)

    def forget(self) -> None:
        """Dim nothing: there is nothing."""
        self.outdated = frozenset()
        self.renew_captions()
        self.update()

    def end(self) -> None:
        """Clear captions that no result has replaced; no work is under way."""
        for label, overlay in self._captions.items():
            if overlay.is_drawn:
                set_text(label, "")
                overlay.draw(False)
        self._overlay.show_progress(None)

    def update(self, opened: str | None = None) -> None:
        """Dim the picture in sight if it is outdated; `opened` is another one."""
        self._opened = self._opened if opened is None else opened
        waits = self._pictures.currentWidget() is self._waiting
        self._overlay.draw(self._opened in self.outdated and not waits)

    def show_progress(self, report: JobProgress) -> None:
        """Show the progress of the work on the picture in sight."""
        self._overlay.show_progress(report.fraction)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        for overlay in (self._overlay, *self._captions.values()):
            overlay.set_palette(palette)


class PictureStack(CurrentPageStack):
    """Pictures by name, one of which is in sight; or a text in its place.

    `drawn_by`: references to the classes of the pictures.
    `title_of`: returns the title of a picture.
    `captions`: captions that are dimmed with the pictures.
    """

    made = Signal(str)  # a picture was made: its name
    pointed = Signal(object)  # as in `PlotCanvas`

    def __init__(
        self, drawn_by: Mapping[str, ClassLoader], title_of: Callable[[str], TabTitle], *captions: QLabel
    ) -> None:
        super().__init__()
        self._drawn_by = drawn_by
        self._title_of = title_of
        self._palette: Palette | None = None
        self._scale = 1.0
        self._unit = ""
        self._opened = ""
        self._awaited = False  # a result is shown as soon as it is there
        self.canvases: dict[str, PlotCanvas] = {}
        self._others: dict[str, QWidget] = {}
        self.waiting = caption()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.addWidget(self.waiting)
        self.stale = StaleState(self, self.waiting, *captions)

    def open(self, name: str, *, private: bool) -> PlotCanvas:
        """Bring a picture to the front, as soon as it has a result; make it if need be."""
        if name not in self.canvases:
            from app.widgets.plot_canvas import PlotCanvas

            canvas = self.canvases[name] = PlotCanvas(self._drawn_by[name](), "")
            self._title(canvas, name)
            assert self._palette is not None
            canvas.set_palette(self._palette)
            canvas.set_text_scale(self._scale)
            canvas.set_unit(self._unit)
            canvas.pointed.connect(self.pointed)
            self.addWidget(canvas)
            self.made.emit(name)
        canvas = self.canvases[name]
        canvas.private = private
        self._opened, self._awaited = name, True
        if canvas.has_result:
            self.setCurrentWidget(canvas)
        else:  # an empty picture costs as much to draw as a full one
            self.waiting.setText("")
            self.setCurrentWidget(self.waiting)
        self.stale.update(name)
        return canvas

    def show_result(self, name: str, result: Any) -> None:
        """Show a result in its picture."""
        canvas = self.canvases.get(name)
        if canvas is None or canvas.result is result:
            return
        canvas.show_result(result)
        if name == self._opened and self._awaited:
            self.setCurrentWidget(canvas)
            self.stale.update(name)

    def show_text(self, text: str) -> None:
        """Show a text in place of a picture."""
        self._awaited = False
        self.waiting.setText(text)
        if text:
            self.uncover()
        self.setCurrentWidget(self.waiting)
        self.stale.update()

    def add_other(self, name: str, widget: QWidget) -> None:
        """Take in a widget in place of a picture, such as a table."""
        self._others[name] = widget
        self.addWidget(widget)

    def show_other(self, name: str) -> None:
        """Show the widget in place of a picture."""
        self.setCurrentWidget(self._others[name])
        self.stale.update(name)

    @property
    def shows_text(self) -> bool:
        """Whether a text is in sight."""
        return self.currentWidget() is self.waiting and bool(self.waiting.text())

    @property
    def with_results(self) -> list[str]:
        """The names of the pictures that show something."""
        return [name for name, canvas in self.canvases.items() if canvas.has_result]

    def outdate(self) -> None:
        """Dim everything: it shows older choices."""
        self.stale.outdate([*self.with_results, *self._others])

    def forget(self, unit: str) -> None:
        """Drop all results; the next have this unit."""
        self._unit = unit
        for canvas in self.canvases.values():
            canvas.forget(unit)
        self.stale.forget()

    def retitle(self) -> None:
        """Name the pictures anew."""
        for name, canvas in self.canvases.items():
            self._title(canvas, name)

    def _title(self, canvas: PlotCanvas, name: str) -> None:
        title = self._title_of(name)
        canvas.setAccessibleName(title.shows)
        canvas.setWhatsThis(picture_words(title.shows, title.why))
        canvas.setProperty(DECLARED, True)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        self.stale.set_palette(palette)
        for canvas in self.canvases.values():
            canvas.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale
        for canvas in self.canvases.values():
            canvas.set_text_scale(scale)

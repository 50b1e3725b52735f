"""A stack that shows one picture, and the split view with a second one beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSplitter, QWidget

from app.help.controls import picture_words
from app.jobs.tasks import JobProgress
from app.model.picture_spec import TabTitle
from app.model.references import ClassLoader
from app.model.view_states import BesideViewState
from app.model.wording.components import DECLARED
from app.widgets.buttons import icon_button
from app.widgets.card import Invitation, caption, set_text
from app.widgets.combo_box import ComboBox
from app.widgets.layouts import CurrentPageStack, line_up, stack
from app.widgets.stale_overlay import StaleOverlay
from app.widgets.style import THEME

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
        self.newest: object = None  # the newest request for the current choices, if any
        self.outdated: frozenset[str] = frozenset()  # names of outdated pictures

    def add(self, label: QLabel) -> None:
        """Track another caption, too."""
        self._captions[label] = StaleOverlay(label)

    def outdate(self, pictures: Iterable[str], captions: bool = True) -> None:
        """Dim pictures, and the captions."""
        self.newest = None
        self.outdated |= frozenset(pictures)
        for label, overlay in self._captions.items():
            overlay.draw(captions and bool(label.text()))
        self.update()
        self._overlay.show_progress(0.0)

    def accept(self, request: object, picture: str) -> None:
        """Undim a picture if it answers the newest request."""
        if request is self.newest:
            self.renew(picture)

    def renew(self, picture: str) -> None:
        """Undim a picture, which shows the current choices."""
        self.outdated -= {picture}
        self.update()

    def renew_captions(self) -> None:
        """Undim the captions."""
        for overlay in self._captions.values():
            overlay.draw(False)

    def say(self, label: QLabel, text: str, request: object) -> None:
        """Set a caption; one of an older request stays dimmed."""
        set_text(label, text)
        if request is self.newest:
            self._captions[label].draw(False)

    def forget(self) -> None:
        """Undim everything: there is nothing to show."""
        self.outdated = frozenset()
        self.renew_captions()
        self.update()

    def end(self) -> None:
        """Clear outdated captions when no work is running."""
        for label, overlay in self._captions.items():
            if overlay.is_drawn:
                set_text(label, "")
                overlay.draw(False)
        self._overlay.show_progress(None)

    def update(self, opened: str | None = None) -> None:
        """Dim the visible picture if it is outdated; `opened`: it has just been opened."""
        self._opened = self._opened if opened is None else opened
        waits = self._pictures.currentWidget() is self._waiting
        self._overlay.draw(self._opened in self.outdated and not waits)

    def show_progress(self, report: JobProgress) -> None:
        self._overlay.show_progress(report.fraction)


class PictureStack(CurrentPageStack):
    """Shows one of several named pictures, or a text.

    `drawn_by`: references to the classes of the pictures. `title_of`: returns the title of a picture.
    `captions`: dimmed together with the pictures.
    """

    made = Signal(str)  # a picture was made: its name
    pointed = Signal(object)  # as in `PlotCanvas`
    picked = Signal(object)
    finished = Signal()

    def __init__(
        self, drawn_by: Mapping[str, ClassLoader], title_of: Callable[[str], TabTitle], *captions: QLabel
    ) -> None:
        super().__init__()
        self._drawn_by = drawn_by
        self._title_of = title_of
        self._unit = ""
        self._opened = ""
        self._awaited = False  # show a result as soon as it arrives
        self.canvases: dict[str, PlotCanvas] = {}
        self._others: dict[str, QWidget] = {}
        self.blank = Invitation("", "")  # in place of a picture
        self.waiting = self.blank.text
        self.addWidget(self.blank)
        self.stale = StaleState(self, self.blank, *captions)

    def open(self, name: str, *, private: bool) -> PlotCanvas:
        """Show a picture as soon as it has a result; make it if necessary."""
        if name not in self.canvases:
            from app.widgets.plot_canvas import PlotCanvas

            canvas = self.canvases[name] = PlotCanvas(self._drawn_by[name](), "")
            self._title(canvas, name)
            canvas.set_unit(self._unit)
            canvas.pointed.connect(self.pointed)
            canvas.picked.connect(self.picked)
            canvas.finished.connect(self.finished)
            self.addWidget(canvas)
            self.made.emit(name)
        canvas = self.canvases[name]
        canvas.private = private
        self._opened, self._awaited = name, True
        if canvas.has_result:
            self.setCurrentWidget(canvas)
        else:  # drawing an empty picture takes as long as a full one
            self.blank.say("", "")
            self.setCurrentWidget(self.blank)
        self.stale.update(name)
        return canvas

    def show_result(self, name: str, result: Any) -> None:
        canvas = self.canvases.get(name)
        if canvas is None or canvas.result is result:
            return
        canvas.show_result(result)
        if name == self._opened and self._awaited:
            self.setCurrentWidget(canvas)
            self.stale.update(name)

    def show_text(self, text: str, title: str = "", drawing: str = "") -> None:
        self._awaited = False
        self.blank.say(title, text, drawing)
        self.setCurrentWidget(self.blank)
        self.stale.update()

    def add_other(self, name: str, widget: QWidget) -> None:
        """Add a widget in place of a picture, such as a table."""
        self._others[name] = widget
        self.addWidget(widget)

    def show_other(self, name: str) -> None:
        """Show the widget in place of a picture."""
        self.setCurrentWidget(self._others[name])
        self.stale.update(name)

    @property
    def shows_text(self) -> bool:
        """Whether a text is shown."""
        return self.currentWidget() is self.blank and bool(self.waiting.text())

    @property
    def with_results(self) -> list[str]:
        return [name for name, canvas in self.canvases.items() if canvas.has_result]

    def outdate(self) -> None:
        """Dim everything as outdated."""
        self.stale.outdate([*self.with_results, *self._others])

    def forget(self, unit: str) -> None:
        """Drop all results, and set the unit of the next."""
        self._unit = unit
        for canvas in self.canvases.values():
            canvas.forget(unit)
        self.stale.forget()

    def retitle(self) -> None:
        """Update the titles of the pictures."""
        for name, canvas in self.canvases.items():
            self._title(canvas, name)

    def _title(self, canvas: PlotCanvas, name: str) -> None:
        title = self._title_of(name)
        canvas.setAccessibleName(title.shows)
        canvas.setWhatsThis(picture_words(title.shows, title.why))
        canvas.setProperty(DECLARED, True)


GAP, WIDE = 2, 120
"""Gap below the line of boxes, and the width of a box, in pixels."""
AS_CHOSEN = "as chosen"
"""The entry for the page's mechanism."""
MIN_WIDTH_FOR_TWO = 1000
"""Least width, in pixels, at which a second picture is shown unless the user closed it."""
MIN_WIDTH_ABREAST, MIN_WIDTH_OF_MAPS = 880, 600
"""Below this width the second picture stands below the first: side by side, titles would be cut off. Maps
stay side by side, since below each other they would be smaller still.
"""


class SecondPanel(QWidget):
    """Shows a second picture, below two boxes that choose picture and mechanism.

    `drawn_by`, `title_of`: as for `PictureStack`.
    """

    asked = Signal()  # another picture or mechanism was chosen
    swapped = Signal()
    closed = Signal()

    def __init__(self, drawn_by: Mapping[str, ClassLoader], title_of: Callable[[str], TabTitle]) -> None:
        super().__init__()
        # the picture; and the name of its mechanism, "" for the page's own
        self.tab = self.mechanism = ""
        self.tabs = _box("Second picture", "Choose the second picture")
        self.tabs.activated.connect(self._on_tab)
        self.mechanisms = _box(
            "Mechanism of the second picture", "Choose the mechanism of the second picture"
        )
        self.mechanisms.activated.connect(self._on_mechanism)
        self.swap = icon_button("swap", "Swap the two pictures")
        self.swap.clicked.connect(self.swapped)
        self.close_button = icon_button("close", "Show one picture alone")
        self.close_button.clicked.connect(self.closed)
        self.caption = caption(name="advice")
        self.caption.hide()
        self.pictures = PictureStack(drawn_by, title_of, self.caption)
        self.stale = self.pictures.stale
        self._head = QWidget()
        line_up(self._head, self.tabs, self.mechanisms, None, self.swap, self.close_button, spacing=6)
        stack(self, self._head, (self.pictures, 1), self.caption, spacing=GAP)

    def minimumSizeHint(self) -> QSize:
        """Reserve all lines of the caption: a splitter ignores height for width."""
        hint, layout = super().minimumSizeHint(), self.layout()
        needed = layout.totalMinimumHeightForWidth(self.width()) if layout is not None else 0
        return QSize(hint.width(), max(hint.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the height: the caption wraps differently."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def head_height(self) -> int:
        """Distance of the picture from the top, in pixels."""
        return 0 if self._head.isHidden() else self._head.sizeHint().height() + GAP

    def show_wall(self, on: bool) -> None:
        """Show the picture without the boxes, or with them."""
        self._head.setVisible(not on)

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture; None before it is made."""
        return self.pictures.canvases.get(self.tab)

    def offer(self, tabs: Mapping[str, str], mechanisms: Mapping[str, str]) -> None:
        """Offer pictures and mechanisms: labels by name."""
        if self.tab not in tabs:
            self.tab = ""
        if self.mechanism not in mechanisms:
            self.mechanism = ""
        _fill(self.tabs, tabs, self.tab)
        _fill(self.mechanisms, {"": AS_CHOSEN, **mechanisms}, self.mechanism)
        self.mechanisms.setVisible(bool(mechanisms))

    def choose(self, tab: str, mechanism: str) -> None:
        self.tab, self.mechanism = tab, mechanism
        for box, name in ((self.tabs, tab), (self.mechanisms, mechanism)):
            with QSignalBlocker(box):
                box.setCurrentIndex(box.findData(name))

    def open(self, *, private: bool) -> PlotCanvas:
        """Make the picture if necessary; it appears with its first result."""
        set_text(self.caption, "")
        return self.pictures.open(self.tab, private=private)

    def show_other(self) -> None:
        """Show the widget in place of the picture."""
        set_text(self.caption, "")
        self.pictures.show_other(self.tab)

    def say(self, text: str) -> None:
        """Set the caption below the picture."""
        set_text(self.caption, text)
        self.stale.renew_captions()

    def show_waiting(self, text: str) -> None:
        set_text(self.caption, "")
        self.pictures.show_text(text)

    def outdate(self) -> None:
        """Dim everything: it shows older choices."""
        self.pictures.outdate()

    def forget(self, unit: str) -> None:
        """Drop results about other data, view or mechanism."""
        self.pictures.forget(unit)
        self.show_waiting("")

    def _on_tab(self, _: int) -> None:
        self.tab = self.tabs.currentData()
        self.asked.emit()

    def _on_mechanism(self, _: int) -> None:
        self.mechanism = self.mechanisms.currentData()
        self.asked.emit()


class SplitView(QSplitter):
    """Holds the open picture and, if wanted or if there is space, a second one.

    Side by side if the width allows, else one below the other.
    """

    asked = Signal()  # the number of pictures that fit has changed

    def __init__(self, pictures: QWidget, second: SecondPanel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.second = second
        self.wanted: str | None = None  # the second picture; "" for none; None: depends on the width
        self._maps = self._on_wall = False
        self._space = False, True  # widths for the same picture twice, and below which none fit side by side
        first = QWidget()
        self._first = stack(first, (pictures, 1))
        for widget in (first, second):
            self.addWidget(widget)
            self.setStretchFactor(self.count() - 1, 1)
        second.hide()
        THEME.scaled.connect(self._measure)

    @property
    def view_state(self) -> BesideViewState:
        """The choice of the second picture."""
        return BesideViewState(self.wanted, self.second.mechanism)

    def restore_view_state(self, view_state: BesideViewState) -> None:
        """Restore the choice of the second picture."""
        self.wanted = view_state.tab
        self.second.choose(self.second.tab, view_state.mechanism)

    def second_tab(self, opened: str, tabs: Sequence[str], automatic: Iterable[str]) -> str:
        """Return the picture that is shown with the open one; "" for none.

        `automatic`: the first other one of these, if there is space and the user has not chosen; none in
        presentation mode.
        """
        if self.wanted is None:
            space = self._space[0] and not self._on_wall
            return next((tab for tab in automatic if tab != opened and space), "")
        alone = self.wanted == opened and not self.second.mechanism
        return self.wanted if self.wanted in tabs and not alone else ""

    def make_way(self, opened: str, before: str) -> None:
        """Swap the pictures if the second one is opened as the first."""
        if opened == self.wanted and not self.second.mechanism and before:
            self.wanted = before

    def show_second(self, on: bool) -> None:
        """Show the second picture, or the first one alone."""
        if on == self.second.isHidden():
            self.second.setVisible(on)
            self._turn()
            half = (self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()) // 2
            self.setSizes([half, half])

    def take_maps(self, both: bool) -> None:
        if both != self._maps:
            self._maps = both
            self._turn()
            self._measure()

    def show_wall(self, on: bool) -> None:
        """Show the pictures without the boxes (presentation mode), or with them."""
        self.second.show_wall(on)
        self._turn()
        if on or self._on_wall:  # each step may have another second picture
            self._on_wall = on
            self.asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
        self._measure()

    @property
    def is_narrow(self) -> bool:
        """Whether two pictures do not fit side by side."""
        return self.width() < (MIN_WIDTH_OF_MAPS if self._maps else MIN_WIDTH_ABREAST) * THEME.scale

    def _turn(self) -> None:
        """Arrange the pictures side by side with equal heights, or one below the other."""
        self.setOrientation(Qt.Orientation.Vertical if self.is_narrow else Qt.Orientation.Horizontal)
        level = not self.is_narrow and not self.second.isHidden()
        self._first.setContentsMargins(0, self.second.head_height if level else 0, 0, 0)

    def _measure(self) -> None:
        """Emit a signal if the number of pictures that fit has changed."""
        space = self.width() >= MIN_WIDTH_FOR_TWO * THEME.scale, self.is_narrow
        if space != self._space:
            self._space = space
            self.asked.emit()


def _box(name: str, tip: str) -> ComboBox:
    box = ComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(10)
    return box


def _fill(box: ComboBox, choices: Mapping[str, str], chosen: str) -> None:
    if [box.itemData(index) for index in range(box.count())] != list(choices):
        with QSignalBlocker(box):
            box.clear()
            for name, text in choices.items():
                box.addItem(text, name)
        box.take_no_more(WIDE)
    with QSignalBlocker(box):
        box.setCurrentIndex(box.findData(chosen))

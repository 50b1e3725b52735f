"""The pictures of a page about sensitivity: one tab each, with the tools that belong to it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QWidget

from app.forms import combo
from app.neighbours import WORDS, Neighbours
from app.pages.path_targets import targets
from app.pages.picture_tabs import PICTURES, TABS, titles
from app.pages.simulation_tools import SimulationTools
from app.theme import Palette
from app.widgets.card import Card, caption
from app.widgets.tabs import Tabs
from engine.simulation import Simulation

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class PicturesCard(Card):
    """Shows one picture at a time.

    Signals
    -------
    asked()
        A person wants to see something that has to be computed.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__("", private=True)
        self.setAccessibleName("Sensitivity and noise")
        self.tab = "k"
        self._palette: Palette | None = None
        self._scale = 1.0
        self._unit = ""
        self._curator = True
        self._titles = titles(WORDS["replace-one"])
        self._canvases: dict[str, PlotCanvas] = {}
        self._simulation: tuple[Simulation, float | None] | None = None
        # the scale is known once the picture has been drawn, in the next turn
        self._drawn = QTimer(self)
        self._drawn.setSingleShot(True)
        self._drawn.timeout.connect(self._show_log)
        self._build_tabs()
        self._build_tools()
        self.pictures = QStackedWidget()
        self.waiting = caption()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pictures.addWidget(self.waiting)
        self.body.addWidget(self.pictures, 1)
        self.advice = caption(name="advice")
        self.body.addWidget(self.advice)

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture of the open tab, once it was made."""
        return self._canvases.get(self.tab)

    @property
    def target(self) -> str:
        """Where the path leads."""
        return str(self.target_box.currentData() or "")

    def show_words(self, words: Neighbours) -> None:
        """Call the records what they are."""
        self._titles = titles(words)
        self.tabs.set_titles(self._titles)
        for tab, canvas in self._canvases.items():
            self._name(canvas, tab)

    def show_targets(self, reads: str, n: int) -> None:
        """Offer the far ends of paths that a query of that kind has, and keep the chosen one."""
        offered, chosen = targets(reads, n), self.target
        if list(offered) != [self.target_box.itemData(i) for i in range(self.target_box.count())]:
            self.target_box.clear()
            for key, words in offered.items():
                self.target_box.addItem(words, key)
            self.target_box.setCurrentIndex(max(0, self.target_box.findData(chosen)))

    def show_tab(self, tab: str) -> None:
        """Open a tab by name."""
        self.tabs.choose(tab)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        for canvas in self._canvases.values():
            canvas.set_palette(palette)
        self.simulation.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale
        for canvas in self._canvases.values():
            canvas.set_text_scale(scale)

    def show_view(self, curator: bool) -> None:
        """Offer only what may be seen: everything, or the noise at scale 1."""
        self._curator = curator
        self.tabs.show_only(TABS if curator else ("noise",))
        self.badge.setVisible(curator)
        if not curator:
            self.show_tab("noise")

    def forget(self, unit: str) -> None:
        """Drop what was drawn of other data, or in another view."""
        self._unit = unit
        self._simulation = None
        self.simulation.stop()
        self.show_families("")
        for canvas in self._canvases.values():
            canvas.set_unit(unit)
            canvas.private = self._curator
            canvas.clear()

    def open(self) -> PlotCanvas:
        """Show the picture of the open tab, and make it if need be."""
        if self.tab not in self._canvases:
            module, name = PICTURES[self.tab]
            from app.widgets.plot_canvas import PlotCanvas

            canvas = PlotCanvas(getattr(import_module(f"app.plots.{module}"), name), "")
            self._name(canvas, self.tab)
            assert self._palette is not None
            canvas.set_palette(self._palette)
            canvas.set_text_scale(self._scale)
            canvas.set_unit(self._unit)
            canvas.private = self._curator
            self._canvases[self.tab] = canvas
            self.pictures.addWidget(canvas)
            self.setTabOrder(self.simulation.again, canvas)
        canvas = self._canvases[self.tab]
        self.pictures.setCurrentWidget(canvas)
        return canvas

    def show_result(self, tab: str, result: Any) -> None:
        """Show a result in its tab."""
        if tab in self._canvases:
            self._canvases[tab].show_result(result)
            self._drawn.start()

    def show_waiting(self, words: str) -> None:
        """Say what is missing while there is nothing to draw."""
        self.waiting.setText(words)
        self.waiting.show()
        self.pictures.setCurrentWidget(self.waiting)

    def show_simulation(self, simulation: Simulation, released: float | None) -> None:
        """Show simulated releases, as many as have been played, and the last real one."""
        from app.plots.release_distribution import ReleaseView

        self._simulation = (simulation, released)
        runs = len(simulation.values)
        view = ReleaseView(
            prepared=simulation.prepared,
            simulated=simulation.values[: self.simulation.shown(runs)],
            runs=runs,
            true_value=simulation.true_value,
            released=released,
        )
        self.show_result("distribution", view)

    def show_families(self, words: str) -> None:
        """Say which families of noise are not in the picture, and why."""
        self.families.setText(words)
        self.families.setVisible(bool(words) and self.tab == "noise")

    def _name(self, canvas: PlotCanvas, tab: str) -> None:
        canvas.setAccessibleName(self._titles[tab].shows)
        canvas.setWhatsThis(self._titles[tab].why)

    def _build_tabs(self) -> None:
        self.tabs = Tabs("Pictures", self._titles)
        self.tabs.currentChanged.connect(self._on_tab)
        self.head.insertWidget(0, self.tabs)

    def _build_tools(self) -> None:
        self.save_button = self.add_tool("save", "Save the picture… (Ctrl+S)")
        self.numbers_button = self.add_tool("table", "The numbers behind the picture (Ctrl+T)")
        self.log_button = self.add_tool("logarithm", "Logarithmic vertical axis", checkable=True)
        self.log_button.toggled.connect(self._on_log)
        self.target_box = combo("Where the path leads")
        self.show_targets("column", 0)
        self.target_box.activated.connect(self._on_target)
        one_by_one = QLabel("One b&y one,")
        one_by_one.setBuddy(self.target_box)
        self.path_tools = QWidget()
        line = QHBoxLayout(self.path_tools)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(one_by_one)
        line.addWidget(self.target_box, 1)
        line.addStretch(1)
        self.simulation = SimulationTools()
        self.simulation.stepped.connect(self._show_simulation)
        self.simulation.asked.connect(self.asked)
        self.families = caption()
        for tools in (self.path_tools, self.simulation, self.families):
            tools.hide()
            self.body.addWidget(tools)

    def _on_tab(self, index: int) -> None:
        self.tab = self.tabs.key(index)
        self.path_tools.setVisible(self.tab == "path")
        self.simulation.setVisible(self.tab == "distribution")
        self.simulation.stop()
        self.families.setVisible(self.tab == "noise" and bool(self.families.text()))
        if self._palette is not None:
            self._show_log()
            self.asked.emit()

    def _on_target(self, index: int) -> None:
        self.asked.emit()

    def _show_log(self) -> None:
        canvas = self.canvas
        self.log_button.setVisible(canvas is not None and canvas.picture.has_log_y)
        self.log_button.blockSignals(True)
        self.log_button.setChecked(canvas is not None and canvas.picture.axes.get_yscale() != "linear")
        self.log_button.blockSignals(False)

    def _on_log(self, logarithmic: bool) -> None:
        if self.canvas is not None:
            self.canvas.set_log_y(logarithmic)

    def _show_simulation(self) -> None:
        if self._simulation is not None:
            self.show_simulation(*self._simulation)

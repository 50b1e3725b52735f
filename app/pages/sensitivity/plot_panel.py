"""The pictures of a page about sensitivity: one tab each, with the tools that belong to it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.model.wording.neighbours import WORDS, NeighbourWords
from app.pages.base.plot_panel import PlotPanel
from app.pages.sensitivity.path_targets import targets
from app.pages.sensitivity.simulation_bar import SimulationBar
from app.pages.sensitivity.tabs import PICTURES, PUBLIC, TABS, titles
from app.theme import Palette
from app.widgets.card import caption
from app.widgets.parameter_form import combo
from app.model.picture_spec import TabTitle
from app.widgets.tabs import Tabs
from engine.mechanisms.prepared import ScalarPrepared
from engine.simulation import Simulation


class SensitivityPlotPanel(PlotPanel):
    """Shows the curves, the noise, or simulated releases."""

    def __init__(self) -> None:
        self._titles = titles(WORDS["replace-one"])
        self._simulation: tuple[Simulation, float | None] | None = None
        super().__init__("Sensitivity and noise", "k", PICTURES)

    @property
    def target(self) -> str:
        """Where the path leads."""
        return str(self.target_box.currentData() or "")

    def show_words(self, words: NeighbourWords) -> None:
        """Call the records what they are."""
        self._titles = titles(words)
        self.tabs.set_titles(self._titles)
        for tab, canvas in self._canvases.items():
            self._name(canvas, tab)

    def show_targets(self, reads: str, n: int) -> None:
        """Offer the far ends of paths that a query of that kind has, and keep the chosen one."""
        offered, chosen = targets(reads, n), self.target
        shown = {
            self.target_box.itemData(i): self.target_box.itemText(i) for i in range(self.target_box.count())
        }
        if offered != shown:
            self.target_box.clear()
            for key, words in offered.items():
                self.target_box.addItem(words, key)
            self.target_box.setCurrentIndex(max(0, self.target_box.findData(chosen)))

    def show_target(self, target: str) -> None:
        """Let the path lead to a far end that is offered, by default to the first."""
        self.target_box.setCurrentIndex(max(0, self.target_box.findData(target)))
        self.asked.emit()

    def show_tab(self, tab: str) -> None:
        """Open a tab by name."""
        self.tabs.choose(tab)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.simulation.set_palette(palette)

    def show_view(self, curator: bool) -> None:
        """Offer only what may be seen: everything, or what follows from public facts."""
        super().show_view(curator)
        if not curator and self.tab not in PUBLIC:
            self.show_tab("noise")
        self.tabs.show_only(TABS if curator else PUBLIC)

    def forget(self, unit: str) -> None:
        """Drop what was drawn of other data, or in another view."""
        self._simulation = None
        self.simulation.stop()
        self.show_families("")
        super().forget(unit)

    def show_simulation(self, simulation: Simulation, released: float | None) -> None:
        """Show simulated releases, as many as have been played, and the last real one."""
        from app.plots.sensitivity.release_view import ReleaseView

        self._simulation = (simulation, released)
        runs, prepared = len(simulation.values), simulation.prepared
        assert isinstance(prepared, ScalarPrepared)
        view = ReleaseView(
            prepared=prepared,
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

    def _words(self, tab: str) -> TabTitle:
        return self._titles[tab]

    def _build_head(self) -> None:
        self.tabs = Tabs("Pictures", self._titles, dense=True)
        self.tabs.currentChanged.connect(self._on_tab)
        self.head.insertWidget(0, self.tabs)

    def _build_tools(self) -> tuple[QWidget, ...]:
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
        self.simulation = SimulationBar()
        self.simulation.stepped.connect(self._show_simulation)
        self.simulation.asked.connect(self.asked)
        self.families = caption()
        self._last_tool = self.simulation.again
        for tools in (self.path_tools, self.simulation, self.families):
            tools.hide()
        return self.path_tools, self.simulation, self.families

    def _show_tools(self) -> None:
        self.path_tools.setVisible(self.tab == "path")
        self.simulation.setVisible(self.tab == "distribution")
        self.families.setVisible(self.tab == "noise" and bool(self.families.text()))

    def _on_tab(self, index: int) -> None:
        self.simulation.stop()
        self._open_tab(self.tabs.key(index))

    def _on_target(self, index: int) -> None:
        self.asked.emit()

    def _show_simulation(self) -> None:
        if self._simulation is not None:
            self.show_simulation(*self._simulation)

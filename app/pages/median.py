"""The page "Median & quantiles": dots that can be dragged, and what they do to sensitivity."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.forms import combo
from app.jobs import Channel, Jobs
from app.pages import median_advice, median_work
from app.pages.median_work import Drawn, Judgement, Question
from app.session import Session
from app.plots.dot_strip import StripView
from app.state import Setup
from app.theme import Palette
from app.widgets.card import Card, caption, say
from app.widgets.plot_canvas import PlotCanvas
from app.widgets.style import icon
from app.widgets.words import count
from engine.errors import ParameterError

TABS = (
    ("k", "Against k", "Sensitivity when k records may change"),
    ("epsilon", "Against ε", "Sensitivity over a sweep of epsilon: when does smooth pay?"),
    ("path", "Along a path", "Sensitivity while the data become others, one record at a time"),
    ("noise", "Noise", "Densities of all noise families at the current scale"),
    ("distribution", "Distribution", "What would be released: theory and simulated releases"),
)
TARGETS = (
    ("lower", "every record goes to the lower bound"),
    ("upper", "every record goes to the upper bound"),
    ("halves", "half to the lower, half to the upper bound (0…0 Λ…Λ)"),
)
LIVE = frozenset(
    {
        "dataset",
        "numbers",
        "lower",
        "upper",
        "edits",
        "query",
        "method",
        "noise",
        "parameters",
        "epsilon",
        "delta",
        "view",
    }
)
FRAMES = 40
"""Steps in which the simulated releases appear when they are played."""


def picture_class(tab: str) -> type[Any]:
    """Return the picture of a tab, imported when it is first looked at."""
    if tab == "k":
        from app.plots.against_k import AgainstK

        return AgainstK
    if tab == "epsilon":
        from app.plots.against_epsilon import AgainstEpsilon

        return AgainstEpsilon
    if tab == "path":
        from app.plots.along_path import AlongPath

        return AlongPath
    if tab == "noise":
        from app.plots.noise_densities import NoiseDensities

        return NoiseDensities
    from app.plots.release_distribution import ReleaseDistribution

    return ReleaseDistribution


class MedianPage(QWidget):
    """Shows the session's data, its sensitivities and its noise.

    Signals
    -------
    judged(Judgement or None)
        What can be said about the chosen mechanism on these data (private).
    clamped(object)
        How many records the bounds move (private).
    certified(object)
        (setup, pair, certificate) of the chosen noise (public).
    failed(Failure)
        A job that ended with an error.
    """

    judged = Signal(object)
    clamped = Signal(object)
    certified = Signal(object)
    failed = Signal(object)

    title = "Median & quantiles"

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self._scale = 1.0
        self._answers = median_work.Answers(session.samples)
        self.curves: Channel = jobs.channel("curves")
        self._certificates: Channel = jobs.channel("certificate")
        self.curves.result.connect(self._on_drawn)
        self.curves.failed.connect(self.failed)
        self._certificates.result.connect(self.certified)
        self._certificates.failed.connect(self.failed)
        self._chosen: int | None = None
        self._dragged: int | None = None
        self._seed = median_work.SEED
        self._simulation: Drawn | None = None
        self._setup: Setup | None = None
        self._tab = "k"
        self._canvases: dict[str, PlotCanvas] = {}
        self._build()
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.setInterval(0)
        self._ask.timeout.connect(self._request)
        self._player = QTimer(self)
        self._player.setInterval(50)
        self._player.timeout.connect(self._play_on)
        self._frame = FRAMES
        session.changed.connect(self.refresh)

    # What the window asks for.

    @property
    def pending(self) -> bool:
        """Whether a request is about to start or pictures are being played."""
        return self._ask.isActive()

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture of the open tab."""
        return self._canvases.get(self._tab)

    @property
    def canvases(self) -> list[PlotCanvas]:
        """Every picture that was made so far."""
        strip = [self.strip] if self.strip is not None else []
        return strip + list(self._canvases.values())

    @property
    def tab(self) -> str:
        """The open tab."""
        return self._tab

    def figure_name(self) -> str:
        """Return a file name for the open picture."""
        state = self._session.state
        what = {
            "k": "sensitivity-against-k",
            "epsilon": "sensitivity-against-epsilon",
            "path": "sensitivity-along-path",
        }
        return f"{state.query}-{what.get(self._tab, self._tab)}"

    def show_tab(self, tab: str) -> None:
        """Open a tab by name."""
        self.tabs.setCurrentIndex([name for name, _, _ in TABS].index(tab))

    def start(self) -> None:
        """Make the first pictures; called once the window has been painted."""
        if self.strip is None:
            self._make_strip()
            self._open(self._tab)
        self.refresh(LIVE)

    def show_release(self) -> None:
        """Mark the newest release in the distribution."""
        if self._session.state.view == "curator" and self._tab == "distribution":
            self._show_distribution()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        for canvas in self.canvases:
            canvas.set_palette(palette)
        for button in self.findChildren(QWidget):
            name = button.property("icon_name")
            if name:
                button.setIcon(icon(name, palette.muted))  # type: ignore[attr-defined]
        self._show_play()

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self._scale = scale
        for canvas in self.canvases:
            canvas.set_text_scale(scale)
        self.strip_card.setFixedHeight(round(132 * (1 + (scale - 1) / 2)))

    # Construction.

    def _build(self) -> None:
        self.strip: PlotCanvas | None = None
        self.strip_card = Card("Data", private=True)
        self.strip_card.setFixedHeight(132)
        self.reset = self.strip_card.add_tool("reset", "Put all dots back (Ctrl+0)")
        self.reset.clicked.connect(self.reset_dots)
        self.reset.hide()
        self.card = Card("", private=True)
        self.card.setAccessibleName("Sensitivity and noise")
        self._build_tabs()
        self.save_button = self.card.add_tool("save", "Save the picture… (Ctrl+S)")
        self.numbers_button = self.card.add_tool("table", "The numbers behind the picture (Ctrl+T)")
        self.log_button = self.card.add_tool("logarithm", "Logarithmic vertical axis", checkable=True)
        self.log_button.toggled.connect(self._on_log)
        self._build_path_tools()
        self._build_play_tools()
        self.pictures = QStackedWidget()
        self.card.body.addWidget(self.pictures, 1)
        self.advice = caption(name="advice")
        self.card.body.addWidget(self.advice)
        self.waiting = QLabel()
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting.setWordWrap(True)
        self.waiting.setObjectName("caption")
        self.pictures.addWidget(self.waiting)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.strip_card)
        column.addWidget(self.card, 1)

    def _build_tabs(self) -> None:
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Pictures")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setUsesScrollButtons(False)
        for index, (name, text, tip) in enumerate(TABS):
            self.tabs.addTab(text)
            self.tabs.setTabToolTip(index, tip)
            self.tabs.setTabData(index, name)
        self.tabs.currentChanged.connect(self._on_tab)
        self.card.head.insertWidget(0, self.tabs)

    def _build_path_tools(self) -> None:
        self.target = combo("Where the path leads")
        for key, words in TARGETS:
            self.target.addItem(words, key)
        self.target.activated.connect(self._request_soon)
        self.path_tools = QWidget()
        line = QHBoxLayout(self.path_tools)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(QLabel("One by one,"))
        line.addWidget(self.target, 1)
        line.addStretch(1)
        self.path_tools.hide()
        self.card.body.addWidget(self.path_tools)

    def _build_play_tools(self) -> None:
        self.play = QPushButton()
        self.play.clicked.connect(self._on_play)
        self.again = QPushButton("New draw")
        self.again.setToolTip("Simulate with another seed")
        self.again.clicked.connect(self._on_again)
        self.play_words = QLabel()
        self.play_words.setObjectName("caption")
        self.play_tools = QWidget()
        line = QHBoxLayout(self.play_tools)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.play)
        line.addWidget(self.again)
        line.addWidget(self.play_words, 1)
        self.play_tools.hide()
        self.card.body.addWidget(self.play_tools)

    def _make_strip(self) -> None:
        from app.plots.dot_strip import DotStrip

        self.strip = PlotCanvas(DotStrip, "The data as a strip of dots; arrow keys choose and move one")
        self.strip.set_palette(self._palette)
        self.strip.set_text_scale(self._scale)
        self.strip.pressed.connect(self._on_pressed)
        self.strip.moved.connect(self._on_moved)
        self.strip.released.connect(self._on_released)
        self.strip.nudged.connect(self._on_nudged)
        self.strip.setToolTip(
            "Drag a dot and watch the curves move. Keyboard: ↑ ↓ choose a dot, ← → move it."
        )
        self.strip_card.body.addWidget(self.strip, 1)

    def _open(self, tab: str) -> None:
        if tab not in self._canvases:
            canvas = PlotCanvas(picture_class(tab), dict((name, tip) for name, _, tip in TABS)[tab])
            canvas.set_palette(self._palette)
            canvas.set_text_scale(self._scale)
            curator = self._session.state.view == "curator"
            canvas.set_unit(self._session.state.unit if curator else "× S")
            canvas.private = curator
            self._canvases[tab] = canvas
            self.pictures.addWidget(canvas)

    # From the session.

    def refresh(self, fields: frozenset[str]) -> None:
        """Follow the session."""
        if self.strip is None or not fields & LIVE:
            return
        state = self._session.state
        curator = state.view == "curator"
        self.strip_card.setVisible(curator)
        for index, (name, _, _) in enumerate(TABS):
            self.tabs.setTabVisible(index, curator or name == "noise")
        if not curator and self._tab != "noise":
            self.show_tab("noise")
        self.card.badge.setVisible(curator)
        if fields & {"dataset", "column", "numbers", "view"}:
            self._forget()
        self.reset.setVisible(bool(state.edits))
        self._request_soon()

    def reset_dots(self) -> None:
        """Undo everything that was moved by hand, as one edit."""
        self._session.edit("put all dots back", edits={})

    def _forget(self) -> None:
        """Drop what belongs to other data or to another view, so that no picture of it stays."""
        self.curves.cancel()
        self._simulation = None
        self._player.stop()
        say(self.advice, "")
        self.judged.emit(None)
        state = self._session.state
        for canvas in self.canvases:
            # noise at scale 1 is in multiples of the sensitivity, whatever that is
            canvas.set_unit(state.unit if state.view == "curator" else "× S")
            canvas.private = state.view == "curator"
            canvas.clear()

    def _request_soon(self, *_: object) -> None:
        self._ask.start()

    def _request(self) -> None:
        if self.strip is None:
            return
        state = self._session.state
        try:
            setup = state.setup()
        except ParameterError as error:
            self._setup = None
            self._wait_for(error.problem)
            return
        self._setup = setup
        self._open(self._tab)
        self.pictures.setCurrentWidget(self._canvases[self._tab])
        if setup.noise is not None and state.uses_noise:
            self._certificates.request(partial(median_work.certificate, setup), live=True)
        if state.view == "release":
            self.curves.request(partial(median_work.public, setup))
            return
        question = Question(setup, self._tab, self.target.currentData(), self._seed, self._chosen)
        self.curves.request(partial(self._answers.answer, question), live=True)

    def _wait_for(self, words: str) -> None:
        """Say what is missing while there is nothing to draw; a picture that stands may stay."""
        canvas = self.canvas
        if canvas is None or canvas.picture.result is None:
            self.waiting.setText(words[:1].upper() + words[1:] + ".")
            self.pictures.setCurrentWidget(self.waiting)

    # From the jobs.

    def _on_drawn(self, drawn: Drawn) -> None:
        state = self._session.state
        private = drawn.picture != "public"
        if private and state.view != "curator":
            return
        if drawn.picture == "strip":
            self._show_strip(drawn.result)
        elif drawn.picture == "judgement":
            self._show_judgement(drawn.result)
        elif drawn.picture == "distribution":
            self._simulation = drawn
            self._show_distribution()
        else:
            tab = "noise" if drawn.picture == "public" else drawn.picture
            self._canvases[tab].show_result(drawn.result)

    def _show_strip(self, view: StripView) -> None:
        assert self.strip is not None
        state = self._session.state
        self.strip.show_result(dataclasses.replace(view, dragged=self._chosen))
        self.strip_card.set_title(f"{state.column} · n = {count(view.n)}")
        self.clamped.emit(view.clamped)

    def _show_judgement(self, judgement: Judgement) -> None:
        unit = self._session.state.unit
        words = median_advice.warnings(judgement, unit) or [median_advice.summary(judgement, unit)]
        say(self.advice, " ".join(words))
        self.judged.emit(judgement)

    # Tabs and their tools.

    def _on_tab(self, index: int) -> None:
        self._tab = self.tabs.tabData(index)
        self.path_tools.setVisible(self._tab == "path")
        self.play_tools.setVisible(self._tab == "distribution")
        if self._tab != "distribution":
            self._player.stop()
            self._frame = FRAMES
        if self.strip is not None:
            self._open(self._tab)
            self.pictures.setCurrentWidget(self._canvases[self._tab])
            self._show_log()
            self._request_soon()

    def _show_log(self) -> None:
        picture = self._canvases[self._tab].picture
        self.log_button.setVisible(picture.has_log_y)
        self.log_button.blockSignals(True)
        self.log_button.setChecked(bool(picture.log_y))
        self.log_button.blockSignals(False)

    def _on_log(self, logarithmic: bool) -> None:
        self._canvases[self._tab].set_log_y(logarithmic)

    def _show_play(self) -> None:
        playing = self._player.isActive()
        self.play.setText("&Stop" if playing else "&Play")
        self.play.setIcon(icon("stop" if playing else "play", self._palette.ink, size=14))
        self.play.setToolTip("Let hypothetical releases appear one after another")

    def _on_play(self) -> None:
        if self._player.isActive():
            self._player.stop()
        else:
            self._frame = 0
            self._player.start()
        self._show_play()

    def _play_on(self) -> None:
        self._frame += 1
        if self._frame >= FRAMES:
            self._player.stop()
            self._show_play()
        self._show_distribution()

    def _on_again(self) -> None:
        self._seed += 1
        self._request_soon()

    def _show_distribution(self) -> None:
        from app.plots.release_distribution import ReleaseView

        drawn = self._simulation
        if drawn is None:
            return
        simulation = drawn.result
        shown = max(1, round(len(simulation.values) * min(1.0, self._frame / FRAMES)))
        self._canvases["distribution"].show_result(
            ReleaseView(
                prepared=simulation.prepared,
                simulated=simulation.values[:shown],
                runs=len(simulation.values),
                true_value=simulation.true_value,
                released=self._last_release(),
            )
        )
        self.play_words.setText(
            f"{shown} simulated releases with seed {simulation.seed}: no budget is spent, nothing leaves"
        )

    def _last_release(self) -> float | None:
        """Return the newest release that the present choices could have made."""
        state = self._session.state
        for record in reversed(state.releases):
            if state.dataset and record.dataset == state.dataset.key and record.column == state.column:
                return record.release.value if record.release.query == state.query else None
        return None

    # Dots.

    def _on_nudged(self, right: int, up: int) -> None:
        """Choose another dot (up, down) or move the chosen one (left, right)."""
        if up:
            self._choose(up)
        else:
            self._nudge(right)

    def _choose(self, step: int) -> None:
        """Choose the dot that lies `step` dots higher (or the middle one to begin with)."""
        if self.strip is None or self.strip.picture.result is None:
            return
        view: StripView = self.strip.picture.result
        order = view.values.argsort(kind="stable")
        records = view.indices[order].tolist()
        place = records.index(self._chosen) + step if self._chosen in records else len(records) // 2
        self._chosen = records[min(max(place, 0), len(records) - 1)]
        self.strip.show_result(dataclasses.replace(view, dragged=self._chosen))

    def _nudge(self, hundredths: int) -> None:
        setup = self._setup
        if self._chosen is None:
            self._choose(0)
        if self._chosen is None or setup is None:
            return
        domain = setup.source.domain
        value = setup.source.edits.get(self._chosen, setup.source.values[self._chosen])
        moved = float(domain.clamp(value)) + hundredths * domain.width / 100
        self._move(self._chosen, moved)

    def _on_pressed(self, x: float, y: float) -> None:
        if self.strip is None or self._setup is None:
            return
        self._dragged = self.strip.picture.nearest_dot(x, y)
        if self._dragged is not None:
            self._chosen = self._dragged
            self._choose(0)

    def _on_moved(self, x: float, y: float) -> None:
        if self._dragged is not None:
            self._move(self._dragged, x)

    def _on_released(self, x: float, y: float) -> None:
        self._dragged = None

    def _move(self, index: int, value: float) -> None:
        setup = self._setup
        if setup is None:
            return
        domain = setup.source.domain
        rounded = float(f"{min(max(value, domain.lower), domain.upper):.6g}")
        self._session.move_point(index, min(max(rounded, domain.lower), domain.upper))

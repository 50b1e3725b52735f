"""The form of a release: what is asked, how it is protected, and Run."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.certificates import Certified
from app.desks import queries_of
from app.forms import ParameterForm, Row, combo
from app.jobs import Report
from app.session import Session
from app.theme import Palette
from app.widgets.card import Card, badge, caption, say
from app.widgets.dialogs import TextDialog
from app.widgets.style import icon
from engine.mechanisms import MECHANISMS
from engine.noise import NOISES
from engine.queries import QUERIES

TIP = Qt.ItemDataRole.ToolTipRole
CERTIFIED_HELP = "Certified: checked numerically from the density of the noise, not taken on trust."
TUNING = ("constants", "split")
"""Parameters that are right as they are for nearly everybody."""


class ReleasePanel(Card):
    """Edits query, method and noise of the session; asks for a run.

    Signals
    -------
    run_requested(), cancel_requested()
    """

    run_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Release", parent=parent)
        self._session = session
        self._problems = False
        self._running = False
        self.tuning_button = self.add_tool("tune", "Fine tuning: constants and split", checkable=True)
        self.tuning_button.toggled.connect(self._show_forms)
        self.query = self._components("What to release", {})
        self.method = self._components("How it is protected", MECHANISMS)
        self.noise = self._components("Family of the noise", NOISES)
        self.query_row = Row(
            "&Query", self.query, help="The function of the data that is released", fields=["query"]
        )
        self.method_row = Row(
            "&Method", self.method, help="How the release is made private", fields=["method"]
        )
        self.noise_row = Row("Noi&se", self.noise, help="The distribution of the noise", fields=["noise"])
        self.query_form, self.method_form, self.noise_form, self.tuning_form = (
            ParameterForm() for _ in range(4)
        )
        self.query_form.edited.connect(self._on_query_parameter)
        self.method_form.edited.connect(self._on_method_parameter)
        self.tuning_form.edited.connect(self._on_method_parameter)
        self.noise_form.edited.connect(self._on_noise_parameter)
        self._line = self._details = self._link = ""
        self.certificate = caption()
        self.certificate.setTextFormat(Qt.TextFormat.RichText)
        self.certificate.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.certificate.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.certificate.linkActivated.connect(self.show_details)
        self.elsewhere = caption(name="problem")
        for widget in (
            self.query_row,
            self.query_form,
            self.method_row,
            self.method_form,
            self.noise_row,
            self.noise_form,
            self.tuning_form,
            self.certificate,
        ):
            self.body.addWidget(widget)
        self._build_error()
        self.body.addWidget(self.elsewhere)
        self._build_run()
        session.changed.connect(self.refresh)
        self.refresh()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows beside which problems are explained."""
        forms = (self.query_form, self.method_form, self.noise_form, self.tuning_form)
        drawn = [row for form in forms for row in form.rows.values()]
        return (self.query_row, self.method_row, self.noise_row, *drawn)

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Show the state of the session."""
        if fields is not None and not fields & {"page", "query", "method", "noise", "parameters", "view"}:
            return
        state = self._session.state
        if fields is None or "page" in fields:
            self.query.clear()
            offer(self.query, queries_of(state.page))
        for box, name in ((self.query, state.query), (self.method, state.method), (self.noise, state.noise)):
            box.setCurrentIndex(box.findData(name))
            box.setToolTip(box.itemData(box.currentIndex(), TIP) or "")
        self._show_forms()
        self.set_title(f"Release the {QUERIES[state.query].label.lower()}")
        self.noise_row.setVisible(state.uses_noise)

    def show_problems(self, elsewhere: str, some: bool) -> None:
        """Allow Run only while nothing is wrong; `elsewhere` is what has no field here."""
        self._problems = some
        say(self.elsewhere, elsewhere)
        self._enable()

    def show_certificate(self, certified: Certified | None) -> None:
        """Show what the chosen noise was certified to give; None while nobody knows."""
        paragraphs = certified.paragraphs() if certified else []
        line = certified.line() if certified else ""
        self._details = "\n\n".join(paragraphs)
        self._line = line
        self._show_line()
        self.certificate.setToolTip(f"{CERTIFIED_HELP} Its details tell about the pairs in print, too.")
        self.certificate.setAccessibleName(line)
        self.certificate.setAccessibleDescription(self._details)

    def _show_line(self) -> None:
        link = f'<a href="#details" style="color: {self._link}">details</a>'
        say(self.certificate, f"{escape(self._line)} · {link}" if self._line else "")

    def show_details(self, _: str = "") -> TextDialog:
        """Open all that was found about the noise in a small window."""
        dialog = TextDialog("What the noise really gives", self._details, self.window())
        dialog.show()
        return dialog

    def show_error(self, words: str, private: bool) -> None:
        """Show the error to be expected, with the badge where it depends on the data."""
        say(self.error, words)
        self._error_badge.setVisible(private and bool(words))

    def show_running(self, running: bool) -> None:
        """Show or hide the progress of a run."""
        self._running = running
        self._progress_box.setVisible(running)
        if running:
            self.progress.setRange(0, 0)
            self.left.setText("")
        self._enable()

    def show_progress(self, report: Report) -> None:
        """Show how far the run is."""
        if report.fraction > 0:
            self.progress.setRange(0, 1000)
            self.progress.setValue(round(1000 * report.fraction))
        left = report.seconds_left
        self.left.setText("" if left is None else f"{max(1, round(left))} s left")

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self.run.setIcon(icon("play", palette.on_accent, disabled=palette.muted))
        self._link = palette.text(palette.accent)
        self._show_line()

    def _components(self, name: str, classes: Mapping[str, Any]) -> QComboBox:
        box = combo(name)
        offer(box, classes)
        box.activated.connect(self._on_component)
        return box

    def _build_error(self) -> None:
        self.error = caption()
        self.error.setToolTip(
            "Typical: half of the releases lie closer to the true value, half farther. Without the badge it "
            "depends on public facts only."
        )
        self._error_badge = badge()
        self._error_badge.hide()
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.error, 1)
        line.addWidget(self._error_badge)
        self.body.addLayout(line)

    def _build_run(self) -> None:
        self.run = QPushButton("&Run   Ctrl+R")
        self.run.setObjectName("run")
        self.run.setIconSize(QSize(16, 16))
        self.run.setAccessibleName("Run: make one release")
        self.run.setToolTip(
            "Make one release with fresh noise; it is recorded below, and its budget is spent"
        )
        self.run.clicked.connect(self.run_requested)
        self.body.addWidget(self.run)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of the run")
        self.left = QLabel()
        self.left.setObjectName("caption")
        self.cancel = QPushButton("Cancel   Esc")
        self.cancel.clicked.connect(self.cancel_requested)
        self._progress_box = QWidget()
        line = QHBoxLayout(self._progress_box)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.progress, 1)
        line.addWidget(self.left)
        line.addWidget(self.cancel)
        self._progress_box.hide()
        self.body.addWidget(self._progress_box)

    def _show_forms(self) -> None:
        state = self._session.state
        method = MECHANISMS[state.method].parameters()
        chosen = state.chosen("method", state.method)
        tuning = [one for one in method if one.name in TUNING]
        self.tuning_button.setVisible(bool(tuning))
        shown = tuning if self.tuning_button.isChecked() else []
        self.query_form.show_parameters(QUERIES[state.query].parameters(), state.chosen("query", state.query))
        self.method_form.show_parameters(tuple(one for one in method if one.name not in TUNING), chosen)
        self.tuning_form.show_parameters(tuple(shown), chosen)
        noise = NOISES[state.noise].parameters() if state.uses_noise else ()
        self.noise_form.show_parameters(noise, state.chosen("noise", state.noise))
        self._order_tabs()

    def _order_tabs(self) -> None:
        """Let Tab follow the eye: rows of parameters are made anew, and would come last."""
        order: list[QWidget] = []
        for box, form in (
            (self.query, self.query_form),
            (self.method, self.method_form),
            (self.noise, self.noise_form),
            (None, self.tuning_form),
            (self.certificate, None),
            (self.run, None),
        ):
            order += [box] if box else []
            order += [row.box for row in form.rows.values()] if form else []
        for first, second in pairwise(order):
            self.setTabOrder(first, second)

    def _enable(self) -> None:
        self.run.setEnabled(not self._problems and not self._running)

    def _on_component(self) -> None:
        chosen = {"query": self.query, "method": self.method, "noise": self.noise}
        for field, box in chosen.items():
            if box.currentData() != getattr(self._session.state, field):
                self._session.edit(f"change the {field}", **{field: box.currentData()})

    def _on_query_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("query", self._session.state.query, name, value, continuous)

    def _on_method_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("method", self._session.state.method, name, value, continuous)

    def _on_noise_parameter(self, name: str, value: object, continuous: bool) -> None:
        self._set("noise", self._session.state.noise, name, value, continuous)

    def _set(self, kind: str, component: str, name: str, value: object, continuous: bool) -> None:
        merge = f"{kind}/{component}/{name}" if continuous else ""
        self._session.set_parameter(kind, component, name, value, merge=merge)


def offer(box: QComboBox, classes: Mapping[str, Any]) -> None:
    """Add components of the catalog to the choices, with a line about each."""
    for key, component in classes.items():
        box.addItem(component.label, key)
        box.setItemData(box.count() - 1, component.summary, TIP)

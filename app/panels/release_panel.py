"""The form of a release: query, mechanism and Run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from app.model.pages.registry import PAGE_KINDS, queries_of
from app.model.pages.workspaces import RunButton
from app.model.selection import selection, step_of
from app.model.theme import Palette
from app.model.views import CURATOR
from app.model.wording.buttons import BUTTONS
from app.model.wording.guarantees import certificate_line, certificate_paragraphs
from app.model.wording.not_dp import NOT_DP
from app.model.wording.releases import (
    ExpectedWords,
    fit_words,
    grid_words,
    inexact_words,
    sentence,
    unit_of,
    with_counted,
)
from app.panels.mechanism_form import MechanismForm
from app.releases.registry import SHAPES
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import (
    Card,
    ConfidentialMark,
    Remarks,
    caption,
    hide_for_now,
    linked_caption,
    set_text,
    show_again,
)
from app.widgets.dialogs import TextDialog
from app.widgets.form_row import FormRow
from app.widgets.layouts import Flow, line_up, stack
from app.widgets.progress_row import ProgressRow
from app.widgets.stale_overlay import StaleOverlay
from app.widgets.style import THEME, icon

if TYPE_CHECKING:
    from engine.analysis.noise import NoiseCertificates

GAP = 2


class ReleaseKinds(QWidget):
    """A button for each kind of release, which chooses its first mechanism. Hidden for a single kind."""

    chosen = Signal(str)  # the name of a mechanism

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Kind of release")
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._on_clicked)
        self._flow = Flow(gap=GAP)
        self.setLayout(self._flow)
        self._names: dict[str, tuple[str, ...]] = {}
        self._tips: dict[str, str] = {}
        self.hide()

    @property
    def buttons(self) -> dict[str, QAbstractButton]:
        return {button.text(): button for button in self._group.buttons()}

    def show_kinds(self, offered: Mapping[str, Any], usual: Collection[str], chosen: str) -> None:
        """Show the kinds of the offered mechanisms, and mark one; `usual` mechanisms come first."""
        names = kinds_of(offered, usual)
        if names != self._names:
            self._names = names
            self._tips = {name: f"{one.label}: {one.summary}" for name, one in offered.items()}
            self._rebuild()
        for text, button in self.buttons.items():
            button.setChecked(chosen in names[text])

    @property
    def has_choice(self) -> bool:
        return len(self._names) > 1

    def _rebuild(self) -> None:
        for old in self._group.buttons():
            self._group.removeButton(old)
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        for text, names in self._names.items():
            button = push_button(text, self._tips[names[0]], name="segment", checkable=True)
            button.setProperty("plain", True)
            self._group.addButton(button)
            self._flow.addWidget(button)

    def _on_clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(self._names[button.text()][0])


def kinds_of(offered: Mapping[str, Any], usual: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of differentially private mechanisms by kind; `usual` ones come first."""
    results: dict[str, tuple[str, ...]] = {}
    for name, one in sorted(offered.items(), key=lambda item: item[0] not in usual):
        text = SHAPES[one.facts.shape].short if one.family == "mechanism" and one.facts.is_private else ""
        if text:
            results[text] = (*results.get(text, ()), name)
    return results


class RunFooter(QWidget):
    """The footer below the form, which never scrolls; `problem` says why Run is disabled."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.problem = caption(name="problem")
        self.run = push_button("", name="run")
        self.run.setIconSize(QSize(16, 16))
        self.progress = ProgressRow("Progress of the run")
        stack(self, self.problem, self.progress, self.run, spacing=6)  # Run stays at the lower end

    @property
    def running(self) -> bool:
        """Whether it shows the progress of a run."""
        return not self.progress.isHidden()


KEY = "   Ctrl+R"
RUN = f"{BUTTONS['run']}{KEY}"
RUN_HELP = "Make one release with fresh randomness. It is recorded below and uses budget"
OVER_HELP = "Run asks before a release passes the limit. Lower ε, or change the limit (Ctrl+B)"
LINES = ("caption",) * 3
"""The lines of the expected error, or of a problem."""
HIDDEN_ERROR = "The typical error may depend on the data, so this view does not show it"
GRID_HELP = (
    "Released numbers are multiples of this public step. Value and noise are rounded exactly, so the last "
    "digits reveal nothing. Clamping moves the result into the possible range, at no cost."
)
CLAMPED = {"bounds": "clamped", "none": "not clamped"}
INEXACT_HELP = (
    "The proof of ε and δ assumes real numbers. Here floating point or another library computes them, and "
    "the last digits may reveal more. The ledger notes this."
)
CERTIFIED_HELP = "Checked numerically from the density of the noise."
BUDGET = frozenset({"epsilon", "delta"})
SHOWN = BUDGET | {
    "page",
    "mechanism",
    "remembered",
    "guess",
    "trusted",
    "columns",
    "bounds",
    "points",
    "edges",
    "view",
}
"""The fields of the state that the form follows."""


class ReleasePanel(Card):
    """Edits query and mechanism, and requests releases."""

    run_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__("Release")
        self._session = session
        self._problems = False
        self._purpose: RunButton | None = None
        self.tuning_button = self.add_tool("tune", BUTTONS["how"], BUTTONS["how"], checkable=True)
        self.tuning_button.toggled.connect(self._show_forms)
        self._over = self._range = ""
        self._line = self._details = ""
        self.certificate = linked_caption(self.show_details)
        self.grid = caption()
        self.grid.setToolTip(GRID_HELP)
        self.kinds = ReleaseKinds()
        self.kinds.chosen.connect(session.choose)
        self.form = MechanismForm(session)
        self.put(self.kinds)
        self._build_error()
        self._more = QWidget()  # rows of the data panels that stand under How
        self._rows = stack(self._more, spacing=self.body.spacing())
        self._facts = QWidget()
        stack(self._facts, self.certificate, self.grid, spacing=1)
        self.put(self.form, self._more, self._facts)
        self._old_error, self._old_certificate = StaleOverlay(self._errors), StaleOverlay(self.certificate)
        self._build_run()
        session.watch(SHOWN, self, self.refresh)
        self.refresh()
        THEME.follow(self.set_palette)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows that can show a problem."""
        return self.form.rows

    def refresh(self, fields: frozenset[str] = SHOWN) -> None:
        """Show the state of the session."""
        state = self._session.state
        if not fields <= BUDGET:  # which changes during a drag of a slider
            self._show_help()
            self._show_range()
            usual = PAGE_KINDS[state.page].queries.values()
            self.kinds.show_kinds(queries_of(state.page), usual, state.query)
            self._show_title()
        self._show_forms()

    def _show_title(self) -> None:
        """Say what the button does with the chosen mechanism."""
        purpose, state, label = self._purpose, self._session.state, self._session.state.asked.label
        action = purpose.text.replace("&", "") if purpose else "Release"
        of = f": {label}" if state.topic else f" the {label.lower()}"
        self.set_title(action + of * (purpose is None or purpose.primary))

    def adopt(self, rows: Iterable[FormRow]) -> None:
        """Take rows of a data panel below the form."""
        for row in rows:
            if row.parentWidget() is not self._more:
                self._rows.addWidget(row)
        self._more.setVisible(any(not row.isHidden() for row in self._more.findChildren(FormRow)))

    def show_problems(self, elsewhere: str, some: bool) -> None:
        """Enable Run only without problems; `elsewhere` is a problem without a field here."""
        self._problems = some
        set_text(self.elsewhere, elsewhere[:1].upper() + elsewhere[1:])
        self._show_grid()
        self._enable()

    def _show_grid(self) -> None:
        """Show the grid of released values, and whether privacy holds to the last bit."""
        state = self._session.state
        # exact counts have no grid
        setup = None if self._problems or not state.promises else selection(state)
        text, reason = "", ""
        if setup is not None:
            unit = unit_of(setup.mechanism, setup.unit)
            text = with_counted(grid_words(step_of(setup), unit, state.coordinates), setup.mechanism)
            reason = setup.mechanism.inexact
        settings = setup.mechanism.settings() if setup else {}
        after = [CLAMPED.get(settings.get("clamp", ""), ""), fit_words(settings)]
        if not self._problems:
            self.grid.setText(sentence(", ".join(filter(None, [text, *after])) if text else ""))
        self._show_how()
        set_text(self.inexact, sentence(inexact_words(not reason, reason)))

    def show_purpose(self, purpose: RunButton | None) -> None:
        """Give the large button another purpose; None: it makes a release. The primary one is blue."""
        other, self._purpose = purpose != self._purpose, purpose
        if other:
            self._show_over()
            adds = purpose is not None and not purpose.primary
            text = RUN if purpose is None else purpose.text if adds else f"{purpose.text}{KEY}"
            name = "Run: make one release" if purpose is None else purpose.text.replace("&", "")
            self.run.setText(text)
            self.run.setAccessibleName(name)
            self.run.setProperty("secondary", adds)
            self.run.style().polish(self.run)
            self.set_palette(THEME.palette)
            self._show_title()
            self._show_help()
            self._show_range()
        self._enable()

    def _show_help(self) -> None:
        promises = self._session.state.promises
        text = RUN_HELP if promises else f"{RUN_HELP}. {NOT_DP}"
        self.run.setToolTip(text if self._purpose is None else self._purpose.help)

    def show_budget(self, text: str) -> None:
        """Show that a release would pass the limit of the budget."""
        self._over = text
        self._show_over()

    def _show_over(self) -> None:
        set_text(self.over, self._over if self._purpose is None else "")

    def show_certificate(self, certified: NoiseCertificates | None) -> None:
        """Show the certified guarantee of the chosen noise; None while not known."""
        paragraphs = certificate_paragraphs(certified) if certified else []
        line = certificate_line(certified) if certified else ""
        self._details = "\n\n".join(paragraphs)
        self._line = line
        self._old_certificate.draw(False)
        self._show_line()
        self.certificate.setToolTip(f"{CERTIFIED_HELP} The details also cover the published parameter pairs.")
        self.certificate.setAccessibleName(line)
        self.certificate.setAccessibleDescription(self._details)

    def _show_line(self) -> None:
        link = f'<a href="#details" style="color: {THEME.palette.text(THEME.palette.accent)}">details</a>'
        self.certificate.setText(f"{escape(self._line)} · {link}" if self._line else "")
        self._show_how()

    def _show_how(self) -> None:
        """Show what stands under How: the guarantee of the noise, and the grid of released values."""
        if self._problems and self.tuning_button.isChecked():
            hide_for_now(self._facts)
            return
        for line in (self.certificate, self.grid):
            line.setVisible(bool(line.text()))
        texts = self.certificate.text() or self.grid.text()
        show_again(self._facts, self.tuning_button.isChecked() and bool(texts))

    def show_details(self, _: str = "") -> TextDialog:
        """Open all details about the noise in a small window."""
        dialog = TextDialog("Guarantee of the noise", self._details, self.window())
        dialog.show()
        return dialog

    def show_error(self, said: ExpectedWords) -> None:
        """Show the expected error as the headline of the form, with the badge if it depends on the data."""
        set_text(self.error, said.headline)
        self._range = said.more
        self._show_range()
        self._old_error.draw(False)
        self._error_badge.setVisible(said.private and bool(said.text))

    def _show_range(self) -> None:
        """Show more about the error; without one, the purpose of the button, or the mechanism of a topic."""
        state = self._session.state
        about = state.asked.summary if state.topic else HIDDEN_ERROR * (state.view != CURATOR)
        about = self._purpose.help if self._purpose else about
        set_text(self.error_range, self._range or ("" if self.error.text() else sentence(about)))

    def outdate(self) -> None:
        """Dim results of older choices until they are replaced."""
        self._old_error.draw(bool(self.error.text()))
        self._old_certificate.draw(bool(self._line))

    def show_running(self, running: bool) -> None:
        self.footer.progress.show_running(running)
        self._enable()

    def set_palette(self, palette: Palette) -> None:
        adds = self._purpose is not None and not self._purpose.primary
        name, ink = ("plus", palette.ink) if adds else ("play", palette.on_accent)
        self.run.setIcon(icon(name, ink, disabled=palette.muted))
        self._show_line()

    def _build_error(self) -> None:
        self.error, self.error_range = caption(name="headline"), caption()
        self._errors = Remarks(LINES, lambda: self.rows, self.error, self.error_range)
        self.remarks = self._errors
        self._errors.setToolTip(
            "Typical: half of the releases lie closer to the true value, half farther. Without the badge, "
            "it depends on public facts only."
        )
        self._error_badge = ConfidentialMark()
        self._error_badge.hide()
        line = line_up(None, (self._errors, 1), self._error_badge, spacing=6)
        self.body.addLayout(line)

    def _build_run(self) -> None:
        self.footer = RunFooter(self)
        self.run, self.elsewhere = self.footer.run, self.footer.problem
        self.run.setText(RUN)
        self.run.setAccessibleName("Run: make one release")
        self.run.clicked.connect(self.run_requested)
        self.footer.progress.cancelled.connect(self.cancel_requested)
        self.inexact = caption(name="warning")
        self.inexact.setToolTip(INEXACT_HELP)
        self.over = caption(name="warning")
        self.over.setToolTip(OVER_HELP)
        self.put(self.inexact, self.over)

    def _show_forms(self) -> None:
        """Show the parameters, with the advanced ones or without."""
        self.form.show_state(self._session.state, self.tuning_button.isChecked())
        self.kinds.setVisible(self.kinds.has_choice)
        self._show_how()
        fields = (field for field in self._session.state.kind.fields if field.advanced)
        advanced = (*self.form.advanced, *(field.label.replace("&", "") for field in fields))
        text = f"How: {', '.join((*advanced, 'guarantee of the noise', 'grid'))}"
        self.tuning_button.setToolTip(text)
        self.tuning_button.setAccessibleName(text)

    def _enable(self) -> None:
        able = self._purpose is None or self._purpose.able
        self.run.setEnabled(able and not self._problems and not self.footer.running)

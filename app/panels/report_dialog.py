"""The dialog that creates a report."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QRadioButton, QWidget

from app.model.report_document import REPORT_VIEWS, ReportOptions
from app.widgets.card import WHY_CONFIDENTIAL, Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack
from app.widgets.value_editors import ParameterForm
from engine.parameters import Parameter

VIEW_HELP = {
    "release": "Public facts, releases and their costs. You can give this file to anyone.",
    "curator": "Also true values, sensitivities and pictures of the raw data, each marked “Confidential”.",
}
SWITCH = "Switch to the Curator view of the window first (Ctrl+Shift+U)"
ONLY_CURATORS = "Computed from the raw data: only a report of the Curator view may show it"
NAMES = (
    Parameter(
        "title",
        "text",
        "",
        "&Title",
        "The title of the report; also part of its file name.",
        spoken="Title of the report",
    ),
    Parameter("author", "text", "", "&Author", "The author of the report. Empty by default."),
    Parameter("notes", "text", "", "&Notes", "One line below the title, such as the name of a project."),
)
FIGURES_HELP = "Each released number, point, ball or table, drawn only from the release"


class ReportDialog(FittingDialog):
    """Asks for title, readers and pictures of a report. `pictures`: the titles of the visible ones, and
    whether they are private.
    """

    wanted = Signal(object)  # ReportOptions

    def __init__(
        self, title: str, pictures: Sequence[tuple[str, bool]], curator: bool, parent: QWidget
    ) -> None:
        super().__init__("Report", 520, parent)
        names, form = Card("Report"), ParameterForm(spacing=5)
        names.put(form)
        form.show_parameters(NAMES, {"title": title})
        self.title, self.author, self.notes = (row.box for row in form.rows.values())
        for row in form.rows.values():
            row.show_empty(title if row.box is self.title else "")
            row.box.setMaxLength(300)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save_button = self.buttons.addButton(
            "&Save as HTML or PDF…", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.save_button.setObjectName("run")
        self.save_button.setToolTip("Choose a file: .html for a page, .pdf for paper")
        self.save_button.setDefault(True)
        self.buttons.accepted.connect(self._on_save)
        self.buttons.rejected.connect(self.reject)
        stack(
            self,
            names,
            self._view_card(curator),
            self._picture_card(pictures),
            self.buttons,
            margins=12,
            spacing=10,
        )
        self._show_view()
        self.title.setFocus()
        self.title.selectAll()

    def _view_card(self, curator: bool) -> Card:
        card = Card("Contents")
        self.views = {view: QRadioButton(text) for view, text in REPORT_VIEWS.items()}
        for view, button in self.views.items():
            card.body.addWidget(button)
            card.body.addWidget(caption(VIEW_HELP[view]))
        self.views["curator"].setEnabled(curator)
        if not curator:
            self.views["curator"].setToolTip(SWITCH)
        self.views["release"].setChecked(True)
        for button in self.views.values():
            button.toggled.connect(self._show_view)
        return card

    def _picture_card(self, pictures: Sequence[tuple[str, bool]]) -> Card:
        card = Card("Pictures")
        self.figures = QCheckBox("&Figures of what was released")
        self.figures.setToolTip(FIGURES_HELP)
        self.figures.setChecked(True)
        card.body.addWidget(self.figures)
        self.pictures: list[tuple[QCheckBox, bool]] = []
        for title, private in pictures:
            box = QCheckBox(f"{title.replace('&', '&&')}{' (only in the Curator view)' * private}")
            box.setToolTip("Visible now; depends on public facts only")
            box.setChecked(True)
            card.body.addWidget(box)
            self.pictures.append((box, private))
        return card

    @property
    def view(self) -> str:
        return next(view for view, button in self.views.items() if button.isChecked())

    @property
    def options(self) -> ReportOptions:
        wanted = (
            index for index, (box, _) in enumerate(self.pictures) if box.isChecked() and box.isEnabled()
        )
        return ReportOptions(
            title=self.title.text().strip() or self.title.placeholderText() or "Report",
            view=self.view,
            figures=self.figures.isChecked(),
            pictures=tuple(wanted),
            author=self.author.text().strip(),
            notes=self.notes.text().strip(),
        )

    def _show_view(self, _: bool = True) -> None:
        """Offer only the pictures of the chosen view."""
        for box, private in self.pictures:
            if private:
                box.setEnabled(self.view == "curator")
                box.setChecked(self.view == "curator")
                box.setToolTip(WHY_CONFIDENTIAL if box.isEnabled() else ONLY_CURATORS)

    def _on_save(self) -> None:
        self.wanted.emit(self.options)
        self.accept()

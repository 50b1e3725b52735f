"""How a picture is saved: its format, its width, its font, what stands around it; with a preview."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QPushButton, QSizePolicy, QWidget

from app.model.preferences import GROUPS, SETTINGS
from app.model.wording.formatting import escape
from app.settings import Settings
from app.widgets.card import Card
from app.widgets.combo_box import TYPE_SIZE
from app.widgets.form_row import FormRow, combo
from app.widgets.layouts import line_up, stack
from app.widgets.parameter_form import ParameterForm

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "png": "PNG image",
        "svg": "SVG drawing",
        "pdf": "PDF document",
        "pgf": "PGF for LaTeX (TikZ)",
    }
)
PARTS: Mapping[str, str] = MappingProxyType({"shown": "as shown, zoomed", "whole": "the whole picture"})
MIN_PREVIEW = QSize(240, 260)
"""Of the preview."""
FIELDS, LARGER = 430, 280
"""Width of the fields, and what each doubling of the type adds."""


class ExportDialog(QDialog):
    """Asks how the picture is to look; what is chosen is kept for the next ones."""

    changed = Signal()  # the figure will look otherwise
    save_requested = Signal()
    copy_requested = Signal()

    def __init__(
        self, title: str, settings: Settings, suffix: str, *, zoomed: bool, private: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Save figure")
        self._settings = settings
        self._image: QImage | None = None
        card = self._card = Card(title)
        self.format = _choice("Format", FORMATS, "The kind of file; papers take PDF, LaTeX takes PGF, too")
        self.format.setCurrentIndex(self.format.findData(suffix))
        self.part = _choice(
            "Part", PARTS, "What of the picture is saved: the part that is seen, or all of it"
        )
        self.part_row = FormRow("Part", self.part)
        if not zoomed:
            self.part_row.hide()
        self.part.activated.connect(self._on_part)
        names = [name for name in GROUPS["Figures"] if private or name != "figure_stamp"]
        form = ParameterForm()
        card.put(FormRow("Format", self.format), form, self.part_row)
        form.show_parameters(tuple(SETTINGS[name] for name in names), settings.values)
        form.edited.connect(self._on_edited)
        for row in form.rows.values():
            row.box.setWhatsThis(escape(row.declared.help))  # it says nothing about the data
        self.rows = form.rows
        card.body.addStretch(1)
        self.preview = QLabel()
        self.preview.setObjectName("preview")
        self.preview.setAccessibleName("Preview of the figure")
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setMinimumSize(MIN_PREVIEW)
        self.preview.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.copy_button = buttons.addButton("&Copy", QDialogButtonBox.ButtonRole.ActionRole)
        self.save_button = QPushButton("&Save…")
        buttons.addButton(self.save_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.save_button.setObjectName("run")
        self.save_button.setDefault(True)
        self.save_button.clicked.connect(self.save_requested)
        self.copy_button.clicked.connect(self.copy_requested)
        buttons.rejected.connect(self.reject)
        stack(self, line_up(None, card, (self.preview, 1), spacing=12), buttons, margins=12, spacing=10)
        self.resize(940, 460)

    @property
    def suffix(self) -> str:
        """The format that is chosen."""
        return str(self.format.currentData())

    @property
    def whole(self) -> bool:
        """Whether all of a zoomed picture is saved."""
        return str(self.part.currentData()) == "whole"

    def show_preview(self, image: QImage) -> None:
        """Show how the figure will look."""
        self._image = image
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        self.ensurePolished()
        scale = self.fontInfo().pixelSize() / TYPE_SIZE
        self._card.setFixedWidth(round(FIELDS + LARGER * (scale - 1)))
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._image is not None:
            room = self.preview.size()
            pixmap = QPixmap.fromImage(self._image)
            if pixmap.width() > room.width() or pixmap.height() > room.height():
                mode = Qt.TransformationMode.SmoothTransformation
                pixmap = pixmap.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, mode)
            self.preview.setPixmap(pixmap)

    def _on_edited(self, name: str, value: object, _: bool) -> None:
        self._settings.change(**{name: value})
        self.changed.emit()

    def _on_part(self, _: int) -> None:
        self.changed.emit()


def _choice(name: str, choices: Mapping[str, str], tip: str) -> QComboBox:
    box = combo(name)
    box.setToolTip(tip)
    for key, text in choices.items():
        box.addItem(text, key)
    return box

"""The dialog that saves a picture: format, width, font and frame, with a preview."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QSizePolicy, QWidget

from app.model.preferences import GROUPS, SETTINGS, SHOWN_WITH
from app.settings import Settings
from app.widgets.buttons import push_button
from app.widgets.card import Card, Remarks, caption
from app.widgets.combo_box import TYPE_SIZE
from app.widgets.layouts import line_up, stack
from app.widgets.value_editors import ParameterForm
from engine.errors import ParameterError
from engine.parameters import Parameter

FORMATS = {
    "png": "PNG image",
    "svg": "SVG drawing",
    "pdf": "PDF document",
    "pgf": "PGF for LaTeX (TikZ)",
}
FORMAT = Parameter(
    "format",
    "choice",
    "png",
    "Format",
    "The kind of file: PNG for the screen, SVG and PDF for papers and slides, PGF for LaTeX documents, in "
    "the font of the document.",
    choices=tuple(FORMATS),
    choice_labels=tuple(FORMATS.values()),
)
SHOWN, WHOLE = "shown", "whole"
PART = Parameter(
    "part",
    "choice",
    SHOWN,
    "Part",
    "The part of a zoomed picture to save: the visible part, or all of it.",
    choices=(SHOWN, WHOLE),
    choice_labels=("as shown, zoomed", "the whole picture"),
)
MIN_PREVIEW = QSize(240, 260)
"""Size of the preview."""
FIELDS, LARGER = 370, 360
"""Width of the fields, and the addition for each doubling of the font size."""


class ExportDialog(QDialog):
    """Asks for the style of a saved picture, and keeps it for the next ones."""

    changed = Signal()  # another style was chosen
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
        names = [name for name in GROUPS["Figures"] if private or name != "figure_stamp"]
        declared = (FORMAT, *(SETTINGS[name] for name in names), PART)
        form = ParameterForm()
        card.remarks = Remarks(("caption",), lambda: form.rows.values())
        card.put(form)
        form.show_parameters(declared, {**settings.values, "format": suffix})
        form.edited.connect(self._on_edited)
        self.rows = form.rows
        self.format, self.part = self.rows["format"].box, self.rows["part"].box
        self.rows["part"].setVisible(zoomed)
        self._show_format()
        card.body.addStretch(1)
        card.put(caption("The file looks like the preview, colors included."))
        self.preview = QLabel()
        self.preview.setObjectName("preview")
        self.preview.setAccessibleName("Preview of the figure")
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setMinimumSize(MIN_PREVIEW)
        self.preview.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.copy_button = buttons.addButton("&Copy", QDialogButtonBox.ButtonRole.ActionRole)
        self.save_button = push_button("&Save…", clicked=self._on_save, name="run")
        buttons.addButton(self.save_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.save_button.setDefault(True)
        self.copy_button.clicked.connect(self._on_copy)
        buttons.rejected.connect(self.reject)
        foot = line_up(None, (card.remarks, 1), buttons)
        sheet = line_up(None, card, (self.preview, 1), spacing=12)
        stack(self, (sheet, 1), foot, margins=12, spacing=10)
        self.resize(QSize(1200, 560).boundedTo(parent.window().size()))

    @property
    def suffix(self) -> str:
        return str(self.format.currentData())

    @property
    def whole(self) -> bool:
        """Whether all of a zoomed picture is saved."""
        return bool(self.part.currentData() == WHOLE)

    def show_preview(self, image: QImage) -> None:
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
        if name in SETTINGS:
            try:
                self._settings.change(**{name: value})
            except ParameterError as error:
                self.rows[name].refuse(error.problem)
                return
        if name != "format":
            self.changed.emit()
        self._show_format()

    def _show_format(self) -> None:
        """Enable the resolution for PNG alone: drawings have none, and their field says so."""
        resolution, has_pixels = self.rows["figure_dpi"], self.suffix == "png"
        resolution.setEnabled(has_pixels)
        resolution.set_value(self._settings["figure_dpi"] if has_pixels else None)
        resolution.show_empty(SHOWN_WITH["figure_dpi"]["empty"] if has_pixels else "PNG only")

    def _on_save(self) -> None:
        if not self.rows["figure_dpi"].refused:
            self.save_requested.emit()

    def _on_copy(self) -> None:
        if not self.rows["figure_dpi"].refused:
            self.copy_requested.emit()

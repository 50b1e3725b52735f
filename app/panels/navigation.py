"""The list of pages at the left, and the switch between the two views below it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.actions import page_icons, page_titles
from app.model.theme import Palette
from app.widgets.buttons import Segmented
from app.widgets.card import plain
from app.widgets.layouts import stack
from app.widgets.style import THEME, icon

WIDTH = 176
COMPACT = 46


class Navigation(QWidget):
    """Chooses the page and the view."""

    page_chosen = Signal(str)
    view_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("navigation")
        self.pages = QListWidget()
        self.pages.setObjectName("pages")
        self.pages.setAccessibleName("Pages")
        self.pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages.setMinimumHeight(120)
        self._compact = False
        for number, text in enumerate(page_titles().values(), 1):
            label = text.replace("&&", "&")
            item = QListWidgetItem(label)
            item.setToolTip(f"{label} (Ctrl+{number})" if number < 10 else label)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, label)
            self.pages.addItem(item)
        self.pages.itemActivated.connect(self._on_item)
        self.pages.itemClicked.connect(self._on_item)
        self.view = Segmented(
            "View",
            {
                "curator": (
                    "Curator",
                    "eye",
                    "Show everything, including confidential results (Ctrl+Shift+U)",
                ),
                "release": ("Release", "shield", "Show only results that you may share (Ctrl+Shift+R)"),
            },
        )
        self.view.chosen.connect(self.view_chosen)
        self._fit()
        THEME.scaled.connect(self._fit)
        stack(self, (self.pages, 1), plain("View", "caption"), self.view)
        THEME.follow(self.set_palette)

    def show_page(self, name: str) -> None:
        self.pages.setCurrentRow(list(page_titles()).index(name))

    def set_compact(self, compact: bool) -> None:
        """Show icons alone, or with labels."""
        if compact != self._compact:
            self._compact = compact
            self._fit()
            for row, text in enumerate(page_titles().values()):
                self.pages.item(row).setText("" if compact else text.replace("&&", "&"))
            self.view.set_compact(compact)

    def set_palette(self, palette: Palette) -> None:
        icons = page_icons()
        for row, name in enumerate(page_titles()):
            self.pages.item(row).setIcon(icon(icons[name], palette.ink, palette.on_accent))

    def _fit(self) -> None:
        self.view.set_scale(THEME.scale)
        self.pages.setIconSize(QSize(1, 1) * round(18 * THEME.scale))
        # labels do not count: they are hidden before the window must grow
        self.setMinimumWidth(round(COMPACT * THEME.scale))
        self.setMaximumWidth(round((COMPACT if self._compact else WIDTH) * THEME.scale))

    def _on_item(self, item: QListWidgetItem) -> None:
        self.page_chosen.emit(list(page_titles())[self.pages.row(item)])

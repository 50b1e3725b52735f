"""The help window: the list of pages, a search, and the open page."""

from __future__ import annotations

import itertools
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QSplitter, QToolButton, QTreeWidget, QTreeWidgetItem, QWidget

from app.help.browser import FormulaStyle, PageView, Pictures, pictures_of
from app.help.index import Heading, contents, search
from app.jobs.channels import Channel
from app.jobs.tasks import JobTask
from app.model.texts.pages import HelpPage, pages
from app.model.theme import Palette
from app.model.wording.components import LINK
from app.widgets.card import keep_room, linked_caption, set_text
from app.widgets.form_row import line_edit
from app.widgets.layouts import line_up, stack
from app.widgets.style import THEME, icon

KEY = Qt.ItemDataRole.UserRole
CONTENTS = 280
"""Width of the list of pages, in pixels."""
ICON = 18


def draw_formulas(page: HelpPage, setting: FormulaStyle, task: JobTask) -> tuple[HelpPage, Pictures]:
    """Return a page with the pictures of its formulas (in a worker)."""
    return page, pictures_of(page, setting, task)


class HelpWindow(QDialog):
    """Shows help pages, and keeps a history. `parent`: the main window. `channel`: draws formulas."""

    def __init__(self, parent: QWidget, channel: Channel) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sensiscope help")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._channel = channel
        self._past: list[str] = []
        self._future: list[str] = []
        self.key = ""  # the page that is open or loading
        self._links: list[tuple[str, str]] = []
        self._build()
        channel.result.connect(self._on_drawn)
        self._list_pages("")
        self.resize(1000, 700)
        THEME.follow(self.set_palette)

    def open_page(self, key: str) -> None:
        """Open a page, and add the current one to the history."""
        if key == self.key or key not in pages()[0]:
            return
        if self.key:
            self._past.append(self.key)
        self._future.clear()
        self._go(key)

    def go_back(self) -> None:
        """Go back to the previous page."""
        if self._past:
            self._future.append(self.key)
            self._go(self._past.pop())

    def go_forward(self) -> None:
        if self._future:
            self._past.append(self.key)
            self._go(self._future.pop())

    def go_home(self) -> None:
        """Open the first page."""
        self.open_page(home())

    def show_chosen(self, chosen: list[tuple[str, str]]) -> None:
        """Link the pages about the choices in the window; `key` and label of each."""
        self._links = chosen
        style = f"color: {THEME.palette.text(THEME.palette.accent)}; text-decoration: none"
        links = (f'<a href="{LINK}{key}" style="{style}">{label}</a>' for key, label in chosen)
        set_text(self.chosen, f"Chosen now: {' · '.join(links)}" if chosen else "")

    def set_palette(self, palette: Palette) -> None:
        """Set colours and font size."""
        self.show_chosen(self._links)
        for button, name in self._buttons.items():
            button.setIcon(icon(name, palette.muted, palette.ink, disabled=palette.grid))
            button.setIconSize(QSize(1, 1) * round(ICON * THEME.scale))
        self._list_pages(self.sought.text())  # its headings take the new font size
        self.tree.setMinimumWidth(round(CONTENTS * THEME.scale * 0.8))
        self._splitter.setSizes([round(CONTENTS * THEME.scale), 10_000])
        if self.key:
            self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search first; close the window if there is none."""
        if event.key() == Qt.Key.Key_Escape and self.sought.text():
            self.sought.clear()
            return
        super().keyPressEvent(event)

    def _build(self) -> None:
        self.back = self._tool("Back (Alt+Left)", self.go_back)
        self.forward = self._tool("Forward (Alt+Right)", self.go_forward)
        self.home = self._tool("First page (Alt+Home)", self.go_home)
        self._buttons = {self.back: "back", self.forward: "forward", self.home: "home"}
        for keys, slot in (
            (QKeySequence.StandardKey.Back, self.go_back),
            (QKeySequence.StandardKey.Forward, self.go_forward),
            ("Alt+Home", self.go_home),
            (QKeySequence.StandardKey.Find, self._seek),
        ):
            QShortcut(QKeySequence(keys), self, slot)
        tip = "Search for pages with all of these words (Ctrl+F); Return opens the first"
        self.sought = line_edit("Search the help", "Search all pages", tip)
        self.sought.setClearButtonEnabled(True)
        self.sought.textChanged.connect(self._list_pages)
        self.sought.returnPressed.connect(self._open_first)
        self.chosen = linked_caption(self._on_link)  # the pages about the choices in the window
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Pages")
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(0)
        self.tree.setRootIsDecorated(False)
        self.tree.currentItemChanged.connect(self._on_item)
        self.view = PageView()
        self.view.wanted.connect(self.open_page)
        line = line_up(None, *self._buttons, (self.chosen, 1), spacing=4)
        keep_room(self.chosen)
        side = QWidget()
        stack(side, self.sought, (self.tree, 1), spacing=8)
        self._splitter = QSplitter()
        self._splitter.addWidget(side)
        right = QWidget()
        stack(right, line, (self.view, 1), spacing=6)
        self._splitter.addWidget(right)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setChildrenCollapsible(False)
        stack(self, self._splitter, margins=12)

    def _tool(self, tip: str, slot: object) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(slot)
        return button

    def _go(self, key: str) -> None:
        self.key = key
        self._show_place()
        self._draw()

    def _draw(self) -> None:
        """Let a worker prepare the open page."""
        self._channel.request(partial(draw_formulas, pages()[0][self.key], self.view.setting))

    def _show_place(self) -> None:
        """Mark the open page in the list, and enable Back and Forward."""
        self.back.setEnabled(bool(self._past))
        self.forward.setEnabled(bool(self._future))
        with QSignalBlocker(self.tree):
            for item in self._items():
                if item.data(0, KEY) == self.key:
                    self.tree.setCurrentItem(item)

    def _items(self) -> list[QTreeWidgetItem]:
        groups = [self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount())]
        children = (group.child(i) for group in groups if group for i in range(group.childCount()))
        return [child for child in children if child is not None]

    def _list_pages(self, label: str) -> None:
        """List all pages by group, or those that match the search, best first."""
        with QSignalBlocker(self.tree):
            self.tree.clear()
            if label.strip():
                hits = search(label)
                text = f"{len(hits)} found" if hits else "No match"
                self._add_group(text, [(hit.heading, hit.excerpt) for hit in hits])
            else:
                for title, some in itertools.groupby(contents(), lambda one: one.group):
                    self._add_group(title, [(one, one.summary) for one in some])
            self.tree.expandAll()
        self._show_place()

    def _add_group(self, title: str, headings: list[tuple[Heading, str]]) -> None:
        group = QTreeWidgetItem([title])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = self.tree.font()
        font.setBold(True)
        group.setFont(0, font)
        for heading, tip in headings:
            item = QTreeWidgetItem([heading.title])
            item.setData(0, KEY, heading.key)
            item.setToolTip(0, f"{heading.title}: {tip}")
            group.addChild(item)
        self.tree.addTopLevelItem(group)

    def _seek(self) -> None:
        self.sought.setFocus()
        self.sought.selectAll()

    def _open_first(self) -> None:
        items = self._items()
        if items:
            self.open_page(items[0].data(0, KEY))

    def _on_item(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, KEY):
            self.open_page(item.data(0, KEY))

    def _on_link(self, link: str) -> None:
        self.open_page(link.removeprefix(LINK))

    def _on_drawn(self, results: tuple[HelpPage, Pictures]) -> None:
        page, pictures = results
        if page.key == self.key:
            self.view.show_page(page, pictures)
            self.setWindowTitle(f"{page.title} – Sensiscope help")


def home() -> str:
    """Return the key of the first page."""
    return contents()[0].key

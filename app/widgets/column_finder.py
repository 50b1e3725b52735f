"""Finds columns by a part of their name in wide tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, islice

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListView

from app.model.wording.numbers import format_count
from engine.data import Column

MAX_COLUMNS = 60
"""The most columns that are listed without a search."""
PORTION = 500
"""Items that a box loads at a time."""

Index = QModelIndex | QPersistentModelIndex


class ColumnFinder(QLineEdit):
    """A search field, visible if there are more columns than the list shows."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Find a column")
        self.setClearButtonEnabled(True)
        self.hide()

    def list_matches(self, columns: Collection[Column], chosen: Collection[str]) -> list[Column]:
        """Return the columns to list: the first matches, and the chosen ones."""
        self.setVisible(len(columns) > MAX_COLUMNS)
        if len(columns) <= MAX_COLUMNS:
            return list(columns)
        self.setPlaceholderText(f"Find one of {format_count(len(columns))} columns")
        meant = {column.name for column in islice(self._matches(columns), MAX_COLUMNS)}
        return [column for column in columns if column.name in meant or column.name in chosen]

    def _matches(self, columns: Iterable[Column]) -> Iterable[Column]:
        word = self.text().strip().casefold()
        return (column for column in columns if word in column.name.casefold())


def checked_names(
    columns: Iterable[Column], listed: Mapping[str, bool], chosen: Collection[str]
) -> tuple[str, ...]:
    """Return the names checked in the list, and earlier choices outside the list."""
    return tuple(one.name for one in columns if listed.get(one.name, one.name in chosen))


class OfferedItems(QAbstractListModel):
    """The items of a combo box: label, value and tooltip.

    A box measures all its items before it opens, so later ones load on demand.
    """

    def __init__(self, items: Iterable[tuple[str, object, str]], parent: QComboBox) -> None:
        super().__init__(parent)
        self._items = list(items)
        self._positions = {value: index for index, (_, value, _) in enumerate(self._items)}
        self._fetched = min(PORTION, len(self._items))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._fetched

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._fetched < len(self._items)

    def fetchMore(self, parent: Index) -> None:
        self._fetch(self._fetched + PORTION)

    def data(self, index: Index, role: int = 0) -> object:
        text, value, tip = self._items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.UserRole:
            return value
        return (tip or None) if role == Qt.ItemDataRole.ToolTipRole else None

    def match(
        self,
        start: Index,
        role: int,
        value: object,
        hits: int = 1,
        flags: Qt.MatchFlag = Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchWrap,
    ) -> list[QModelIndex]:
        """Find the next item by its first letters, without a query for each item."""
        if role != Qt.ItemDataRole.DisplayRole or not flags & Qt.MatchFlag.MatchStartsWith:
            return super().match(start, role, value, hits, flags)
        letters, first = str(value).casefold(), start.row()
        positions = chain(range(first, len(self._items)), range(first))
        result = (index for index in positions if self._items[index][0].casefold().startswith(letters))
        return [self.index(self._known(index), 0) for index in islice(result, 1)]

    def position(self, value: object) -> int:
        """Return the index of a value; -1 if there is none."""
        return self._known(self._positions.get(value, -1))

    def _known(self, index: int) -> int:
        if index >= self._fetched:
            self._fetch(index + PORTION)
        return index

    def _fetch(self, count: int) -> None:
        last = min(count, len(self._items)) - 1
        self.beginInsertRows(QModelIndex(), self._fetched, last)
        self._fetched = last + 1
        self.endInsertRows()


def offer(box: QComboBox, items: Iterable[tuple[str, object, str]]) -> None:
    """Fill a box with these items, each with its value and tooltip."""
    box.setModel(OfferedItems(items, box))  # Qt deletes the previous one
    view = box.view()
    if isinstance(view, QListView):
        view.setUniformItemSizes(True)


def select(box: QComboBox, value: object) -> None:
    """Select a value, or none."""
    model = box.model()
    box.setCurrentIndex(model.position(value) if isinstance(model, OfferedItems) else -1)

"""The columns that are drawn: never the same one twice."""

from __future__ import annotations

from functools import partial

from app.model.picture_spec import OptionGroup
from app.pages.base.options_editor import ParameterEditor


class DistinctEditor(ParameterEditor):
    """Lets both columns be chosen; one that is chosen twice gives way to the next."""

    def __init__(self, group: type[OptionGroup]) -> None:
        super().__init__(group)
        for name, other in (("across", "up"), ("up", "across")):
            # before others hear of the choice
            self.boxes[name].activated.connect(partial(self._part, name, other))

    def _part(self, name: str, other: str, _: int) -> None:
        here, there = self.boxes[name], self.boxes[other]
        if here.currentIndex() == there.currentIndex():
            there.setCurrentIndex((there.currentIndex() + 1) % there.count())

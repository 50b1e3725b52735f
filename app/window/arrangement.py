"""What stands around the page, and what folds away where the window is narrow."""

from __future__ import annotations

import dataclasses
from enum import Enum

ROOMY = 1200
"""Width in which list of pages, page and right column stand side by side."""
WORDS = 1000
"""Width in which one of both has room: the words of the list, or the right column."""
BESIDE = 1275
"""Width in which a lesson, a page and the right column stand side by side."""


class Forms(Enum):
    """Where the forms of the right column stand."""

    FOLDED = "nowhere"
    BESIDE = "beside the page"
    FOR_PAGE = "in the place of the page"
    BELOW_TEXT = "below a lesson's text"


@dataclasses.dataclass(frozen=True)
class Wishes:
    """Whether users want to see the forms, wherever that is not a matter of course.

    Attributes
    ----------
    roomy, narrow : bool
        In a window that has room for them, and in one that has not.
    lesson : bool
        In a lesson that has not.
    """

    roomy: bool = True
    narrow: bool = False
    lesson: bool = False


@dataclasses.dataclass(frozen=True)
class Situation:
    """All that decides what is seen around a page.

    Attributes
    ----------
    width : float
        Of the window, in pixels of ordinary type.
    presenting, lesson, listing : bool
        Whether the window is in presentation mode, in a lesson, or shows a list that takes all the room.
    """

    width: float
    presenting: bool = False
    lesson: bool = False
    listing: bool = False
    wishes: Wishes = Wishes()

    @property
    def tight(self) -> bool:
        """Whether there is no room for the forms beside a lesson and its page."""
        return self.lesson and (self.presenting or self.width < BESIDE)

    @property
    def roomy(self) -> bool:
        """Whether there is room for the forms beside list and page."""
        return self.width >= ROOMY

    @property
    def foldable(self) -> bool:
        """Whether users choose if the forms are seen."""
        return not self.listing and (self.tight or not (self.lesson or self.presenting))

    @property
    def wanted(self) -> bool:
        """Whether users have chosen to see the forms."""
        if self.tight:
            return self.wishes.lesson
        return self.wishes.roomy if self.roomy else self.wishes.narrow

    @property
    def forms(self) -> Forms:
        """Where the forms stand."""
        if self.listing or (self.foldable and not self.wanted) or (self.presenting and not self.lesson):
            return Forms.FOLDED
        if self.tight:
            return Forms.BELOW_TEXT
        return Forms.BESIDE if self.lesson or self.width >= WORDS else Forms.FOR_PAGE

    @property
    def words(self) -> bool:
        """Whether the list of pages has words beside its icons."""
        return self.width >= (ROOMY if self.forms is Forms.BESIDE else WORDS)

    def choose(self, shown: bool) -> Wishes:
        """Return what users want once they have chosen to see the forms, or not."""
        kind = "lesson" if self.tight else "roomy" if self.roomy else "narrow"
        return dataclasses.replace(self.wishes, **{kind: shown})

"""All pages that are declared, by name."""

from __future__ import annotations

import dataclasses

from app.model.page_spec import PageSpec
from app.model.pages import sensitivity
from app.model.picture_spec import PictureSpec

PAGES: dict[str, PageSpec] = {}
"""In the order of the menu."""


def register(page: PageSpec) -> PageSpec:
    """Take a page up."""
    PAGES[page.name] = page
    return page


def add_picture(page: str, picture: PictureSpec) -> None:
    """Give a page one more picture; windows that are opened from now on show it."""
    PAGES[page] = dataclasses.replace(PAGES[page], pictures=(*PAGES[page].pictures, picture))


for _page in (sensitivity.MEDIAN, sensitivity.SPANNING_TREE):
    register(_page)

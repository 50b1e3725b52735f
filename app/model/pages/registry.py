"""All pages that are declared, by name."""

from __future__ import annotations

from app.model.page_spec import PageSpec
from app.model.pages import sensitivity

PAGES: dict[str, PageSpec] = {}
"""In the order of the menu."""


def register(page: PageSpec) -> PageSpec:
    """Take a page up."""
    PAGES[page.name] = page
    return page


for _page in (sensitivity.MEDIAN, sensitivity.SPANNING_TREE):
    register(_page)

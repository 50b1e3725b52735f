"""All pages that are declared, by name."""

from __future__ import annotations

from app.model.page_spec import PageSpec
from app.model.pages import clustering, one_cluster, sensitivity

PAGES: dict[str, PageSpec] = {}
"""In the order of the menu."""


def register(page: PageSpec) -> PageSpec:
    """Take a page up."""
    PAGES[page.name] = page
    return page


for _page in (sensitivity.MEDIAN, sensitivity.SPANNING_TREE, clustering.CLUSTERING, one_cluster.ONE_CLUSTER):
    register(_page)

"""All declared pages, by name."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.model.kinds.page_data import PageData
from app.model.page_spec import PageSpec
from app.model.pages import clustering, histogram, one_cluster, sensitivity
from app.model.pages.audit import AUDIT
from app.model.pages.audit import TAB as AUDIT_TAB
from app.model.pages.workspaces import FIRST, WORKSPACES
from app.model.picture_spec import PictureSpec
from engine.catalog import questions_about
from engine.mechanisms.facts import facts_of
from engine.plugins import complete, load_extras, watched

PAGES: dict[str, PageSpec] = watched({})
"""The pages in menu order."""

PAGE_KINDS: dict[str, PageData] = watched({})


def register(page: PageSpec) -> PageSpec:
    """Register a page; `ValueError` if its name is taken."""
    if page.name in PAGES:
        raise ValueError(f"there is another page called {page.name!r}")
    if page.data is None:
        raise ValueError(f"the page {page.name!r} does not say what it works on")
    PAGES[page.name] = page
    PAGE_KINDS[page.name] = page.data
    return page


def places() -> dict[str, PageSpec]:
    """Return all pages and workspaces by name, in menu order."""
    return {**FIRST, **PAGES, **WORKSPACES}


def tabs_of(location: str) -> tuple[str, ...]:
    """Return the tabs of a page or workspace; every page has one for audits."""
    spec = places()[location]
    return (*spec.titles, *((AUDIT_TAB,) if spec.data is not None else ()))


def layers_of(location: str, tab: str, shows: str = "") -> tuple[str, ...]:
    """Return the names of the layers of a picture; `shows` selects a picture of the audit."""
    name = f"{AUDIT_TAB} {shows}" if tab == AUDIT_TAB else tab
    pictures = (*places()[location].pictures, *AUDIT.pictures)
    return next((spec.drawn_by().layers() for spec in pictures if spec.name == name and spec.drawn_by), ())


def paired_of(location: str) -> tuple[str, ...]:
    """Return the names of the pictures that can be shown side by side, in pairs."""
    spec = places()[location]
    return (*spec.titles, *(AUDIT.titles if spec.data is not None else ()))


def queries_of(page: str) -> dict[str, Any]:
    """Return the queries of a page by name."""
    data = PAGE_KINDS[page]
    return {
        name: asked
        for name, asked in questions_about(data.reads).items()
        if facts_of(asked).topic == data.topic
    }


def add_picture(page: str, picture: PictureSpec, *, after: str = "") -> None:
    """Add a picture to a page, after the picture `after` or else last; windows opened later show it."""
    before = PAGES[page].pictures
    names = [one.name for one in before]
    if picture.name in names:
        raise ValueError(f"the page {page!r} has another picture called {picture.name!r}")
    index = names.index(after) + 1 if after in names else len(before)
    PAGES[page] = dataclasses.replace(PAGES[page], pictures=(*before[:index], picture, *before[index:]))


for _page in (
    sensitivity.MEDIAN,
    sensitivity.SPANNING_TREE,
    clustering.CLUSTERING,
    one_cluster.ONE_CLUSTER,
    histogram.HISTOGRAM,
):
    register(_page)

load_extras("app.extras")
complete(__name__)

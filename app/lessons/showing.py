"""Opens the picture of a scene in its page, and starts what the scene starts there."""

from __future__ import annotations

from app.lessons.lesson import Scene
from app.model.audit_choice import AuditChoice
from app.pages.base.page import Page
from app.pages.base.view import View
from app.pages.compare.page import ComparePage
from app.pages.sensitivity.page import SensitivityPage
from app.pages.sensitivity.spanning_tree import SpanningTreePage


def show_scene(place: View, scene: Scene) -> None:
    """Bring a page, which has the data of the scene already, to what the scene shows."""
    place.drop_pending_view_state()
    if isinstance(place, ComparePage):
        _compare(place, scene)
        return
    if isinstance(place, SensitivityPage):
        place.card.choose_options(target=scene.path)
    if isinstance(place, SpanningTreePage):
        place.graph.show_distance(scene.k or 0)
    place.show_tab(scene.tab)
    if isinstance(place, Page) and scene.audit:
        _audit(place, scene)


def _compare(page: ComparePage, scene: Scene) -> None:
    if scene.compare:
        page.demonstrate(scene.compare.tab)


def _audit(page: Page, scene: Scene) -> None:
    audit = scene.audit
    assert audit is not None
    page.card.audit.fold(True)
    page.card.audit.choose(AuditChoice())
    page.show_audit(pair=audit.pair, bug=audit.bug, runs=audit.runs, shows=audit.shows)

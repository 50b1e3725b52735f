"""Opens the picture of a scene in its page, and starts what the scene starts there."""

from __future__ import annotations

from app.lessons.lesson import AuditScene, Scene
from app.model.audit_choice import AuditChoice
from app.pages.base.page import Page
from app.pages.base.view import View


def show_scene(place: View, scene: Scene) -> None:
    """Bring a page, which has the data of the scene already, to what the scene shows."""
    place.drop_pending_view_state()
    place.choose(target=scene.path, k=scene.k or 0)
    if scene.tab:
        place.demonstrate(scene.tab)
    if isinstance(place, Page) and scene.audit:
        _audit(place, scene.audit)


def _audit(page: Page, audit: AuditScene) -> None:
    page.card.audit.fold(True)
    page.card.audit.choose(AuditChoice())
    page.show_audit(pair=audit.pair, bug=audit.bug, runs=audit.runs, shows=audit.shows)

"""Opens the picture of a scene in its page, and starts what the scene starts there."""

from __future__ import annotations

from app.lessons.lesson import Scene
from app.model.audit_choice import AuditChoice
from app.pages.base.view import View


def show_scene(place: View, scene: Scene) -> None:
    """Bring a page, which has the data of the scene already, to what the scene shows."""
    place.drop_pending_view_state()
    place.choose(target=scene.path, k=scene.k or 0)
    if scene.tab:
        place.demonstrate(scene.tab)
    if asked := scene.audit:
        choice = AuditChoice(pair=asked.pair, bug=asked.bug, runs=asked.runs)
        place.show_audit(choice, asked.shows, folded=True)

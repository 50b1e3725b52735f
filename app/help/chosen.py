"""The pages about what is chosen in the window."""

from __future__ import annotations

from app.model.components import page_key
from app.model.pages.registry import places
from app.model.state import SessionState
from app.model.texts.kinds import TOPICS
from app.model.texts.pages import pages
from engine.catalog import kind_of, kinds
from engine.components import runs_file


def chosen_keys(state: SessionState) -> list[str]:
    """Return the keys of pages: of the room, of what is asked, of how it is protected, and of its parts."""
    position = places()[state.visible_view]
    keys = [position.help] if position.help else []
    if not position.pictures:
        return keys
    components = [one.component for one in state.mechanism.from_question()]
    return keys + [page_about(page_key(kind_of(one), one.name)) for one in components]


def page_about(key: str) -> str:
    """Return the key of the page to open for `key`: all functions from files share one."""
    files = {
        page_key(kind, name) for kind, some in kinds().items() for name, one in some.items() if runs_file(one)
    }
    return f"{TOPICS}/functions-from-a-file" if key in files else key


def chosen_pages(state: SessionState) -> list[tuple[str, str]]:
    """Return key and title of each such page that there is."""
    results = pages()[0]
    return [(key, results[key].title) for key in chosen_keys(state) if key in results]

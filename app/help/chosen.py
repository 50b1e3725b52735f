"""The pages about what is chosen in the window."""

from __future__ import annotations

from app.help.index import FIRST
from app.help.kinds import TOPICS
from app.help.pages import pages
from app.model.components import FAMILY_PLURALS, PART_FAMILIES
from app.model.mechanism_choice import FILE, uses_noise
from app.model.state import SessionState
from engine.mechanisms import SANITIZERS
from engine.mechanisms.aggregators import AGGREGATORS
from engine.queries import QUERIES


def chosen_keys(state: SessionState) -> list[str]:
    """Return the keys of pages: of the room, of what is asked, of how it is protected, and of its parts."""
    if state.workspace == "lessons":
        return [FIRST]
    keys = [f"{TOPICS}/comparing"] if state.workspace == "compare" else []
    if state.query in QUERIES:
        keys += [f"queries/{state.query}", f"methods/{state.method}"]
        keys += [f"noises/{state.noise}"] if uses_noise(state) else []
    else:
        keys.append(f"mechanisms/{state.query}")
        keys += [page_about(f"{FAMILY_PLURALS[part]}/{getattr(state, part)}") for part in _parts(state)]
    return keys


def _parts(state: SessionState) -> list[str]:
    kinds = {declared.kind for declared in SANITIZERS[state.query].parameters()}
    if "aggregator" in kinds:
        kinds |= {declared.kind for declared in AGGREGATORS[state.aggregator].parameters()}
    return [part for part in PART_FAMILIES if part in kinds]


def page_about(key: str) -> str:
    """Return the key of the page to open for `key`: all functions from files share one."""
    return f"{TOPICS}/functions-from-a-file" if key == f"functions/{FILE}" else key


def chosen_pages(state: SessionState) -> list[tuple[str, str]]:
    """Return key and title of each such page that there is."""
    found = pages()[0]
    return [(key, found[key].title) for key in chosen_keys(state) if key in found]

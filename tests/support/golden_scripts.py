"""What is saved of the window: scripts, and session files."""

import json
from collections.abc import Iterator
from pathlib import Path

from golden_cases import Document, chosen, groups
from golden_window import beginnings

from app.documents.loading import load_session
from app.documents.reading import read_session
from app.export.script import script_of, to_python
from app.model.pages.registry import PAGE_KINDS
from engine import __version__
from engine.errors import SensiscopeError
from engine.ledger import Ledger

MASK = "<…>"
KEYED = ("key", "seal", "digest", "account", "program")
"""What a session file has from the key of a ledger, which is another one each time, and the version."""
EXAMPLES = {page: desk.example for page, desk in PAGE_KINDS.items()} | {"clustering": "four-heaps"}
"""The example of each page that has the most cases."""


def dump(folder: Path) -> Iterator[tuple[str, str]]:
    """Return name and text of each file: scripts by page, and the session of all pages."""
    heads = [head for head in groups() if head in EXAMPLES.items() or head[1] == "admissions"]
    documents, session = beginnings(folder, heads)
    for (page, example), document in documents.items():
        scripts: dict[str, str] = {}
        for case in groups()[page, example]:
            scripts.setdefault(_script(chosen(document, case), folder), case)
        blocks = [f"== {page}, {example}: {case}\n{script}" for script, case in scripts.items()]
        yield f"scripts-{page}-{example}.txt", "\n".join(blocks)
    yield "scripts-session.txt", json.dumps(_masked(session), indent=1, ensure_ascii=False) + "\n"


def _script(document: Document, folder: Path) -> str:
    """Return the script of a session, or why there is none; no picture need be drawn for it."""
    file = folder / "scripted.sensiscope"
    file.write_text(json.dumps(document), encoding="utf-8")
    try:
        work = load_session(read_session(file, None), {}, Ledger(None)).work
        place = work.state.workspace or work.state.page
        return to_python(script_of(work.state, work.view_states[place])).replace(__version__, MASK)
    except SensiscopeError as error:
        return f"{error}\n"


def _masked(value: object) -> object:
    if isinstance(value, list):
        return [_masked(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: MASK if name in KEYED else _masked(item) for name, item in value.items()}

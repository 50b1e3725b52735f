"""Read session files that an attacker may have written: check everything, run nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from app.documents.components import ChosenValues, SpecificationKind, choices_of, file_record
from app.documents.document import FORMAT, HEAD, Document, Keys, document_of
from app.documents.json_text import parse_json, read_text
from app.documents.schema import DocumentError, FilePath, OneOf, OptionalOf, Record, ValueKind, quote
from app.documents.writing import is_sealed_by
from app.model.pages.registry import PAGE_KINDS, queries_of
from engine import __version__
from engine.catalog import from_files, kinds
from engine.components import stands_alone
from engine.progress import Progress, part, silent
from engine.specification import Choices, describe

SHARED_NAMES = ("method", "noise", "sampling", "aggregator")
"""Kinds of components whose names all pages of earlier formats shared."""


@dataclasses.dataclass(frozen=True)
class StoredSession:
    """A session file that was read.

    `key` says which key its digests were made with; `own` whether it was sealed with the key of one's own
    ledger: then nobody else has changed it.
    """

    path: Path
    document: Document
    key: str
    own: bool


def read_session(path: Path, keys: Keys | None, progress: Progress = silent) -> StoredSession:
    """Read a session file; `DocumentError` if it is another kind of file or anything in it is invalid."""
    try:
        text = read_text(path, part(progress, 0.0, 0.3))
        progress(0.3, "reading the session")
        plain = parse_json(text)
        progress(0.6, "reading the session")
        document = document_in(plain, str(path.absolute().parent))
        return StoredSession(path, document, plain["key"], is_sealed_by(plain, keys))
    except DocumentError as error:
        raise error.of(path.name) from None


def document_in(plain: Any, folder: str) -> Document:
    """Return the document in parsed JSON; `folder` is that of its file."""
    if not isinstance(plain, dict) or "format" not in plain:
        raise DocumentError("", "is not a session file")
    _check_format(plain)
    HEAD.read({name: plain[name] for name in HEAD.fields if name in plain}, "")
    content = {name: value for name, value in plain.items() if name not in HEAD.fields}
    if plain["format"] < FORMAT:
        content = _upgrade(content, FilePath(folder))
    document: Document = document_of(folder).read(content, "")
    return document


def _check_format(plain: dict[str, Any]) -> None:
    """Refuse other versions of the format before anything else is checked."""
    version = plain["format"]
    if type(version) is not int or version < 1:
        raise DocumentError("format", f"{quote(version)} is not a version of session files")
    if version > FORMAT:
        program = plain.get("program")
        newer = (
            f" ({program})" if isinstance(program, str) and program.isascii() and len(program) < 20 else ""
        )
        raise DocumentError(
            "", f"was saved by a newer Sensiscope{newer}; this is {__version__}, which cannot read it"
        )


def _upgrade(plain: dict[str, Any], path: FilePath) -> dict[str, Any]:
    """Return the content of an earlier, flat format in the current one.

    Only its mechanisms are checked; all else is left as it is.
    """
    shared, pages = plain.get("shared"), plain.get("pages")
    if not isinstance(shared, dict) or not isinstance(pages, dict):
        return plain
    fields = {kind: OneOf(kinds()[kind]) for kind in SHARED_NAMES} | {"parameters": ChosenValues(path)}
    result = Record(dict, fields).read({name: shared[name] for name in fields if name in shared}, "shared")
    known = Choices({kind: result[kind] for kind in SHARED_NAMES}, result["parameters"])
    others = {name: value for name, value in shared.items() if name not in fields}
    return {
        **plain,
        "shared": {**others, "chosen": choices_of(path).plain(known)},
        "pages": {name: _upgrade_page(name, page, known, path) for name, page in pages.items()},
    }


def _upgrade_page(name: str, page: Any, known: Choices, path: FilePath) -> Any:
    if name not in PAGE_KINDS or not isinstance(page, dict) or not isinstance(page.get("desk"), dict):
        return page
    desk, where = page["desk"], f"pages.{name}.desk"
    [from_file] = from_files("function").values()
    fields: dict[str, ValueKind] = {
        "query": OneOf(queries_of(name)),
        "function": OneOf(kinds()["function"]),
        "black_box": OptionalOf(file_record(from_file, path)),
    }
    asked = Record(dict, fields).read({key: desk[key] for key in fields if key in desk}, where)
    file = asked["black_box"]
    if file is not None:
        known = known.learned(describe(file))
    elif not stands_alone(kinds()["function"][asked["function"]]):
        raise DocumentError(f"{where}.black_box", "is null; it must name a function from a file")
    mechanism = known.named(function=asked["function"]).ask(asked["query"])
    others = {key: value for key, value in desk.items() if key not in fields}
    return {**page, "desk": {**others, "mechanism": SpecificationKind("mechanism", path).plain(mechanism)}}

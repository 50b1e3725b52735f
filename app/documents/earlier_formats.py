"""Session files of earlier formats, in which what is chosen stands side by side and makes no tree."""

from __future__ import annotations

from typing import Any

from app.documents.components import ChosenValues, SpecificationKind, choices_of, file_record
from app.documents.data_reference import FilePlace
from app.documents.errors import DocumentError
from app.documents.kinds import OneOf, ValueKind
from app.documents.structures import OptionalOf, Record
from app.model.pages.registry import PAGE_KINDS, queries_of
from engine.catalog import from_files, kinds
from engine.components import stands_alone
from engine.specification import Choices, describe

NAMES = ("method", "noise", "sampling", "aggregator")
"""The kinds of components of which all pages shared a name."""


def upgraded(plain: dict[str, Any], file_place: FilePlace) -> dict[str, Any]:
    """Return the content of a file as the format of now has it.

    Raises
    ------
    DocumentError
        If what it says of mechanisms makes no sense; all else is left as it is.
    """
    shared, pages = plain.get("shared"), plain.get("pages")
    if not isinstance(shared, dict) or not isinstance(pages, dict):
        return plain
    fields = {kind: OneOf(kinds()[kind]) for kind in NAMES} | {"parameters": ChosenValues(file_place)}
    result = Record(dict, fields).read({name: shared[name] for name in fields if name in shared}, "shared")
    known = Choices({kind: result[kind] for kind in NAMES}, result["parameters"])
    upgraded_pages = {name: _page(name, page, known, file_place) for name, page in pages.items()}
    others = {name: value for name, value in shared.items() if name not in fields}
    return {
        **plain,
        "shared": {**others, "chosen": choices_of(file_place).plain(known)},
        "pages": upgraded_pages,
    }


def _page(name: str, page: Any, known: Choices, file_place: FilePlace) -> Any:
    if name not in PAGE_KINDS or not isinstance(page, dict) or not isinstance(page.get("desk"), dict):
        return page
    desk, where = page["desk"], f"pages.{name}.desk"
    [from_file] = from_files("function").values()
    fields: dict[str, ValueKind] = {
        "query": OneOf(queries_of(name)),
        "function": OneOf(kinds()["function"]),
        "black_box": OptionalOf(file_record(from_file, file_place)),
    }
    asked = Record(dict, fields).read({key: desk[key] for key in fields if key in desk}, where)
    file = asked["black_box"]
    if file is not None:
        known = known.learned(describe(file))
    elif not stands_alone(kinds()["function"][asked["function"]]):
        raise DocumentError(f"{where}.black_box", "is null; it must say which function from a file is meant")
    mechanism = known.named(function=asked["function"]).ask(asked["query"])
    others = {key: value for key, value in desk.items() if key not in fields}
    return {
        **page,
        "desk": {**others, "mechanism": SpecificationKind("mechanism", file_place).plain(mechanism)},
    }

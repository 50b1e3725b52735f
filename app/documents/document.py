"""What a session file is: one object, whose every part is described by a kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Protocol

from app.documents.components import choices_of
from app.documents.data_reference import FilePlace
from app.documents.errors import DocumentError, inside, quoted
from app.documents.kinds import Number, OneOf, Text, ValueKind
from app.documents.page_documents import PageDocument, page_of
from app.documents.releases import releases_kind
from app.documents.structures import OptionalOf, Record, TableOf
from app.documents.view_states import view_state_kind
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import PICTURED, WORKSPACES
from app.model.release_record import ReleaseRecord
from app.model.view_states import ViewState
from app.model.views import VIEWS
from engine.privacy import Privacy

FORMAT = 3
"""The version of what is described here; those before are `upgraded`, and a later one is refused."""


class Keys(Protocol):
    """What a ledger does with its key."""

    @property
    def key_id(self) -> str:
        """Tells the key from others."""

    def keyed(self, purpose: str, content: bytes) -> str:
        """Return a digest that only the key makes."""


@dataclasses.dataclass(frozen=True)
class Document:
    """A session, without its data.

    Attributes
    ----------
    page, room : str
        What is open.
    shared : mapping of str to object
        The fields of a `SessionState` that all pages share.
    pages : mapping of str to PageDocument
        All pages with data.
    rooms : mapping of str to ViewState
    releases : tuple of ReleaseRecord
    """

    page: str
    room: str
    shared: Mapping[str, Any]
    pages: Mapping[str, PageDocument]
    rooms: Mapping[str, ViewState]
    releases: tuple[ReleaseRecord, ...]

    def __post_init__(self) -> None:
        if self.page not in self.pages:
            raise DocumentError("page", f"{quoted(self.page)} is open, but there is nothing about its data")


@dataclasses.dataclass(frozen=True)
class Each:
    """An object whose every name has a kind of its own; names may be left out."""

    kinds: Mapping[str, ValueKind]

    def plain(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object."""
        return {name: self.kinds[name].plain(item) for name, item in value.items()}

    def read(self, plain: Any, where: str) -> dict[str, Any]:
        """Return all that is there."""
        named = TableOf(_Whatever()).read(plain, where)
        for name in named:
            if name not in self.kinds:
                raise DocumentError(inside(where, name), "is not known to this version of Sensiscope")
        return {name: self.kinds[name].read(item, inside(where, name)) for name, item in named.items()}


class _Whatever:
    """What another kind looks at."""

    def plain(self, value: Any) -> Any:
        return value

    def read(self, plain: Any, where: str) -> Any:
        return plain


def _shared(**fields: Any) -> dict[str, Any]:
    Privacy(fields["epsilon"], fields["delta"] or 0.0)
    return fields


SHARED = ("guess", "remembered", "epsilon", "delta", "view")
"""The fields of a `SessionState` that all pages share and that a session file keeps."""


def shared_of(file_place: FilePlace) -> Record:
    """Return the kind of the fields of a `SessionState` that all pages share and a session file keeps."""
    return Record(
        _shared,
        {
            "guess": Number(0, 1),
            "chosen": choices_of(file_place),
            "epsilon": Number(),
            "delta": OptionalOf(Number()),
            "view": OneOf(VIEWS),
        },
        attributes={"chosen": "remembered"},
    )


def document_of(folder: str) -> Record:
    """Return the kind of the content of a session file in a folder."""
    file_place = FilePlace(folder)
    pages = {page: page_of(page, file_place) for page in PAGE_KINDS}
    rooms = {room: view_state_kind(room) for room in PICTURED}
    return Record(
        Document,
        {
            "page": OneOf(PAGE_KINDS),
            "room": OneOf(("", *WORKSPACES)),
            "shared": shared_of(file_place),
            "pages": Each(pages),
            "rooms": Each(rooms),
            "releases": releases_kind(),
        },
    )


HEAD = Record(dict, {"format": Number(), "program": Text(40), "key": Text(64), "seal": Text(128)})
"""What stands before the content."""

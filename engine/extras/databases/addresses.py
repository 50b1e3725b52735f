"""Addresses in files: they are followed only after they were confirmed.

Users who open a file want to see its content.  Following an address runs a driver and connects to a server.
"""

from __future__ import annotations

import hashlib
import re

from engine.data.formats.file_format import DataFile
from engine.data.reading_options import ANY_ADDRESS
from engine.errors import DataError, UnconfirmedAddress

MAX_LENGTH = 2000
"""Letters of an address: what is longer cannot be looked at before it is confirmed."""

USER_PASSWORD = re.compile(r"^(postgres(?:ql)?://[^:@/]*:)[^@/]*(?=@)", re.IGNORECASE)
SECRETS = re.compile(
    r"((?:^|[;?&])\s*\w*(?:pwd|password|passwd|secret|token)\s*=\s*)"  # the key, and its value:
    r"(\{(?:[^}]|\}\})*\}?|[^;&]*)",
    re.IGNORECASE,
)

ANOTHER_PART = re.compile(r";[^;=]*=")
"""In a password between braces: drivers differ in where that ends, so that it may be more."""


def confirmed_address(file: DataFile) -> str:
    """Return the address in a file; `UnconfirmedAddress` if it was not confirmed, or another one was."""
    long = file.path.stat().st_size > 4 * MAX_LENGTH  # before it is read
    try:
        address = "" if long else file.path.read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise DataError("an address is text in UTF-8; save the file so", source=file.name) from None
    if long or len(address) > MAX_LENGTH:
        raise DataError(
            f"an address has at most {MAX_LENGTH:,} letters, and this one is longer; shorten it",
            source=file.name,
        )
    if any(ANOTHER_PART.search(hidden[2]) for hidden in SECRETS.finditer(address)):
        raise DataError(
            "its password holds a ';' and a '=' after it, so that it cannot be told from other parts of the "
            "address; choose another password, or keep it in a data source (DSN)",
            source=file.name,
        )
    fingerprint = hashlib.sha256(address.encode()).hexdigest()
    if file.options.connect not in (ANY_ADDRESS, fingerprint):
        raise UnconfirmedAddress(file.path, file.name, shown_address(address), fingerprint)
    return address


def shown_address(address: str) -> str:
    """Return an address in one line, without passwords, and with nothing in it that cannot be seen."""
    hidden = SECRETS.sub(r"\1…", USER_PASSWORD.sub(r"\1…", address))
    return " ".join("".join(char if char.isprintable() or char.isspace() else "?" for char in hidden).split())

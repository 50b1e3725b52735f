"""Labels of buttons that texts name, and labels without mnemonics."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BUTTONS: Mapping[str, str] = MappingProxyType(
    {
        "audit": "Audit",
        "find-epsilon": "Find ε",
        "how": "How",
        "logarithm": "Logarithmic vertical axis",
        "new-seed": "Ne&w seed",
        "run": "&Run",
        "settings": "Settings",
        "small-cell": "Sparse cell",
    }
)


def without_mnemonic(text: str) -> str:
    """Return the label of a button or a menu without mnemonics, dots and colon."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…:,")

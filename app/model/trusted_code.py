"""Which functions from files the user has allowed to run: what the files hold counts, not their names."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from engine.components import runs_file
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.components import FunctionFromFile
    from engine.specification import Specification


HOW = "it runs only after “Look and confirm…”"


@dataclasses.dataclass(frozen=True)
class TrustedFunction:
    """A function in a file as it was when the user looked at it, and at what it imports from beside it."""

    path: str
    function_name: str
    digest: str

    @classmethod
    def of(cls, box: FunctionFromFile, modules: Mapping[str, bytes]) -> TrustedFunction:
        """Return what it is to trust a function whose file and modules are as `modules_beside` read them."""
        return cls(str(Path(box.path).resolve()), box.function_name, box.digest_of(modules))


def names_file(mechanism: Specification) -> bool:
    """Tell whether a function from a file is chosen in a mechanism."""
    return any(runs_file(one.component) for one in mechanism.walk())


def check_trust(box: FunctionFromFile, trusted: Collection[TrustedFunction]) -> None:
    """Raise `ParameterError` for a function that is not confirmed, or a file that has changed since."""
    target = f"{Path(box.path).name}:{box.function_name}"
    if not any(
        one.function_name == box.function_name and one.path == str(Path(box.path).resolve())
        for one in trusted
    ):
        # a file that a session from elsewhere names is not even looked at
        raise ParameterError("function", f"{target} is not confirmed yet; {HOW}")
    try:
        result = TrustedFunction.of(box, box.modules())
    except OSError as error:
        raise ParameterError(
            "function", f"{box.path} cannot be read ({error.strerror}); choose another file"
        ) from None
    if result not in trusted:
        raise ParameterError(
            "function",
            f"{target} has changed since it was confirmed, or what it imports from beside it; {HOW}",
        )

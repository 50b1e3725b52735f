"""Functions from files that the user allows to run; trust depends on the contents of files."""

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
    """A confirmed function: its file, and the modules beside it that it imports, as they were then."""

    path: str
    function_name: str
    digest: str

    @classmethod
    def of(cls, box: FunctionFromFile, modules: Mapping[str, bytes]) -> TrustedFunction:
        """Return the trust in a function whose modules are as `modules_beside` reads them."""
        return cls(str(Path(box.path).resolve()), box.function_name, box.digest_of(modules))


def names_file(mechanism: Specification) -> bool:
    """Return whether a mechanism has a function from a file."""
    return any(runs_file(one.component) for one in mechanism.walk())


def check_trust(box: FunctionFromFile, trusted: Collection[TrustedFunction]) -> None:
    """Raise `ParameterError` for an unconfirmed function, or a file that has changed since."""
    target = f"{Path(box.path).name}:{box.function_name}"
    if not any(
        one.function_name == box.function_name and one.path == str(Path(box.path).resolve())
        for one in trusted
    ):
        # a file named by a foreign session is not even read
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
            f"{target}, or a module that it imports, has changed since it was confirmed; {HOW}",
        )

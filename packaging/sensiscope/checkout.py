"""``sensiscope.engine`` and ``sensiscope.app`` in a checkout, where both folders lie at the top.

In a wheel they lie within `sensiscope`, and this module is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

PREFIX = "sensiscope."
PACKAGES = ("engine", "app")


class SameModule(Loader):
    """Give a module that has another name already."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module under its own name."""
        module = import_module(spec.name.removeprefix(PREFIX))
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore what Python has changed; the module has been executed."""
        module.__spec__ = self._own


class SecondNames(MetaPathFinder):
    """Find modules of `PACKAGES` by their names within `sensiscope`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec that leads to the same module."""
        own = fullname.removeprefix(PREFIX)
        if own == fullname or own.partition(".")[0] not in PACKAGES:
            return None
        found = find_spec(own)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, SameModule(), origin=found.origin, is_package=is_package)


def give_second_names() -> None:
    """Let imports find the packages under both names."""
    sys.meta_path.insert(0, SecondNames())  # before the finder that would load them a second time

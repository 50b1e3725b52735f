"""Packages of one's own that add to the program: found by their entry points, loaded once.

A package says in its ``pyproject.toml`` what is to be called, or imported, when the program starts:

.. code-block:: toml

    [project.entry-points."sensiscope.plugins"]
    stopwatch = "stopwatch.plugin:register"

All that is registered there takes part from then on.  What fails is left out as if it were not
installed, and said in one line.  What is bundled in `engine.extras` registers itself in the same way.
"""

from __future__ import annotations

import dataclasses
import os
import pkgutil
import sys
import threading
from collections.abc import Callable, Collection, MutableMapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sensiscope.plugins"
"""The group of entry points."""

MAX_ENTRY_POINTS = 50
"""Entry points of a package, at most."""

LARGEST = 1 << 18
"""Bytes of a file that lists entry points, at most."""

OFF = "SENSISCOPE_PLUGINS"
"""The environment variable that keeps all plug-ins out when it is "off"."""


@dataclasses.dataclass(frozen=True)
class Plugin:
    """A plug-in, as `load_plugins` returns it.

    Attributes
    ----------
    name : str
        That of its entry point.
    package, version : str
        The installed package that it comes with.
    problem : str
        Why it is left out, in one line; "" for one that takes part.
    """

    name: str
    package: str
    version: str
    problem: str = ""

    @property
    def text(self) -> str:
        """Return it in one line."""
        title = f"plug-in '{self.name}' ({self.package} {self.version})"
        return f"{title} is left out: {self.problem}" if self.problem else title


_found: dict[tuple[str, str], Plugin] = {}
_watched: list[Any] = []
_asked: list[bool] = []

RegistryT = TypeVar("RegistryT", bound="MutableMapping[Any, Any] | list[Any]")


def watched(registry: RegistryT) -> RegistryT:
    """Return a registry, from which what a failed plug-in has put there is taken again."""
    _watched.append(registry)
    return registry


EXTRAS = "engine.extras"
"""The package of what is bundled as plug-ins: each of its packages has a module `plugin` with `register`."""

_lock = threading.RLock()
_begun: set[str] = set()
_loaded: set[str] = set()


def load_extras(package: str = EXTRAS) -> None:
    """Let all bundled plug-ins register themselves, once: whoever reads a registry has them all.

    They come before foreign ones, and whatever `SENSISCOPE_PLUGINS` says: a script sees what the window sees.
    """
    if package in _loaded:
        return
    with _lock:
        if package in _begun:  # while they are loaded, they may read registries themselves
            return
        _begun.add(package)
        for extra in sorted(pkgutil.iter_modules(import_module(package).__path__), key=lambda one: one.name):
            if extra.ispkg:
                import_module(f"{package}.{extra.name}.plugin").register()
        _loaded.add(package)


_complete: set[str] = set()
_waiting: dict[str, list[str]] = {}


def after_import(module: str, target: str) -> None:
    """Call the function "module:name" as soon as a module that has a registry is imported."""
    if module in _complete:
        pkgutil.resolve_name(target)()
    else:
        _waiting.setdefault(module, []).append(target)


def complete(module: str) -> None:
    """Say, at its end, that a module with a registry is imported: extras that wait for it add theirs."""
    load_extras()
    _complete.add(module)
    for target in _waiting.pop(module, []):
        pkgutil.resolve_name(target)()


def load_plugins(
    first: Sequence[str] = (), check: Callable[[list[Any]], None] | None = None
) -> tuple[Plugin, ...]:
    """Load all plug-ins that are installed, once; window and command line do so when they start.

    Parameters
    ----------
    first : sequence of str
        Modules that are imported before, if there may be plug-ins: their registries are then complete
        before anything is added, which may be taken out again.
    check : callable, optional
        Takes what one plug-in has added to registries; it is left out if this raises an exception.

    Returns
    -------
    tuple of Plugin
        In the order of their names, also those that are left out.

    Notes
    -----
    Without any this takes some milliseconds: `importlib.metadata` is imported only when a package on the
    path names the group `GROUP`.  With the environment variable ``SENSISCOPE_PLUGINS=off`` there are none.

    Examples
    --------
    >>> [plugin.name for plugin in load_plugins()]
    []
    """
    load_extras()
    if not _asked:
        _asked.append(True)
        if os.environ.get(OFF, "").lower() not in ("off", "0", "no") and is_any_installed(sys.path):
            for module in first:
                import_module(module)
            entries = _entries()
            packages = {entry.module.partition(".")[0] for entry in entries}
            for entry in entries:
                _load(entry, packages, check)
    return tuple(_found.values())


def is_any_installed(path: list[str]) -> bool:
    """Tell whether an installed package on a path, or one in a zip file, may have plug-ins."""
    for folder in path:
        try:
            names = os.listdir(folder or ".")
        except NotADirectoryError:
            if os.path.basename(folder) != _STANDARD:
                return True  # a zip file: only `importlib.metadata` looks into it
            continue
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")) and _names_group(
                os.path.join(folder or ".", name, "entry_points.txt")
            ):
                return True
    return False


_STANDARD = f"python{sys.version_info.major}{sys.version_info.minor}.zip"
"""What Python itself has on the path, there or not."""


def _names_group(file: str) -> bool:
    try:
        with open(file, "rb") as opened:
            return GROUP.encode() in opened.read(LARGEST + len(GROUP))
    except OSError:
        return False


def _entries() -> list[EntryPoint]:
    """Return the entry points of all packages; note the packages whose metadata cannot be read."""
    from importlib.metadata import distributions

    entries: list[EntryPoint] = []
    seen: set[str] = set()
    for package in distributions():
        folder = getattr(package, "_path", None)  # none in a package of another kind of importer
        file = os.path.join(str(folder), "entry_points.txt")
        if os.path.exists(file) and not _names_group(file):
            continue
        try:
            if os.path.exists(file) and os.path.getsize(file) > LARGEST:
                raise ValueError(f"it is larger than {LARGEST >> 10} kB")
            own = list(package.entry_points.select(group=GROUP))
            wrong = [entry.name for entry in own if not entry.pattern.match(entry.value)]
            if wrong or len(own) > MAX_ENTRY_POINTS:
                raise ValueError(
                    f"'{wrong[0]}' names no module" if wrong else f"more than {MAX_ENTRY_POINTS} entry points"
                )
            name = package.name.casefold()
        except Exception as error:  # in another encoding, cut, or written by hand
            title = os.path.basename(str(folder))
            problem = " ".join(f"its metadata cannot be read ({error})".split())
            _found.setdefault((title, "entry_points.txt"), Plugin("entry_points.txt", title, "?", problem))
            continue
        if name not in seen:  # an earlier folder of the path hides what is behind it
            seen.add(name)
            entries += own
    return sorted(entries, key=lambda entry: (entry.name, entry.value))


def _load(entry: EntryPoint, packages: Collection[str], check: Callable[[list[Any]], None] | None) -> None:
    """Load one; what fails is undone: registries are as before, and modules of `packages` not imported."""
    package, version = _package_of(entry)
    before, imported = [(registry, registry.copy()) for registry in _watched], set(sys.modules)
    problem = ""
    try:
        target = entry.load()
        if callable(target):
            target()
        added: list[Any] = []
        for registry, content in before:
            if not isinstance(registry, list):
                # what is imported later cannot fail later
                added.extend(registry[name] for name in registry.keys() - content.keys())
        if check is not None:
            check(added)
    except (Exception, SystemExit) as error:  # whatever it is: the program starts without it
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        for registry, content in before:
            registry.clear()
            (registry.extend if isinstance(registry, list) else registry.update)(content)
        for name in set(sys.modules) - imported:  # another plug-in may need what registers itself there
            if name.partition(".")[0] in packages:
                del sys.modules[name]
    _found.setdefault((package, entry.name), Plugin(entry.name, package, version, problem))


def _package_of(entry: EntryPoint) -> tuple[str, str]:
    """Return name and version of the package that an entry point is of, as far as its metadata tell."""
    try:
        return (entry.dist.name, str(entry.dist.version)) if entry.dist else ("?", "?")
    except Exception:  # in another encoding, or not there
        return "?", "?"

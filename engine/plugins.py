"""Find plug-ins by their entry points, and load them once.

A plug-in that fails is left out, with a one-line message.  Bundled `engine.extras` register like plug-ins.
"""

from __future__ import annotations

import dataclasses
import os
import pkgutil
import sys
import threading
from collections.abc import Callable, Collection, Iterable, MutableMapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "sensiscope.plugins"
"""The group of entry points."""

MAX_ENTRY_POINTS = 50
"""Largest number of entry points of a package."""

LARGEST = 1 << 18
"""Largest size in bytes of a file that lists entry points."""

OFF = "SENSISCOPE_PLUGINS"
"""Environment variable; "off" disables all plug-ins."""


@dataclasses.dataclass(frozen=True)
class Plugin:
    """A plug-in, as `load_plugins` returns it.

    Attributes
    ----------
    name : str
        Name of its entry point.
    package, version : str
        The installed package that contains it.
    problem : str
        Why it is left out, on one line; "" if it is loaded.
    """

    name: str
    package: str
    version: str
    problem: str = ""

    @property
    def text(self) -> str:
        """Describe the plug-in in one line."""
        title = f"plug-in '{self.name}' ({self.package} {self.version})"
        return f"{title} is left out: {self.problem}" if self.problem else title


_found: dict[tuple[str, str], Plugin] = {}
_watched: list[Any] = []
_asked: list[bool] = []

RegistryT = TypeVar("RegistryT", bound="MutableMapping[Any, Any] | list[Any]")


def watched(registry: RegistryT) -> RegistryT:
    """Mark a registry so that entries of a failed plug-in are removed from it."""
    _watched.append(registry)
    return registry


EXTRAS = "engine.extras"
"""The package of bundled plug-ins; each has a module `plugin` with a function `register`."""

_lock = threading.RLock()
_begun: set[str] = set()
_loaded: set[str] = set()


def load_extras(package: str = EXTRAS) -> None:
    """Let all bundled plug-ins register themselves, once, so that registries are complete.

    They precede other plug-ins and ignore `SENSISCOPE_PLUGINS`: scripts and window have the same extras.
    """
    if package in _loaded:
        return
    with _lock:
        if package in _begun:  # extras may read registries while they load
            return
        _begun.add(package)
        for extra in sorted(pkgutil.iter_modules(import_module(package).__path__), key=lambda one: one.name):
            if extra.ispkg:
                import_module(f"{package}.{extra.name}.plugin").register()
        _loaded.add(package)


_complete: set[str] = set()
_waiting: dict[str, list[str]] = {}


def after_import(module: str, target: str) -> None:
    """Call the function "module:name" once a module with a registry has been imported."""
    if module in _complete:
        pkgutil.resolve_name(target)()
    else:
        _waiting.setdefault(module, []).append(target)


def complete(module: str) -> None:
    """Mark a module with a registry as imported, and run the registrations that wait for it."""
    load_extras()
    _complete.add(module)
    for target in _waiting.pop(module, []):
        pkgutil.resolve_name(target)()


def load_plugins(
    first: Sequence[str] = (), check: Callable[[list[Any]], None] | None = None
) -> tuple[Plugin, ...]:
    """Load all installed plug-ins, once; window, command line and `sensiscope` call this at their start.

    Parameters
    ----------
    first : sequence of str
        Modules to import first if any plug-in may exist: their registries must be complete before plug-ins
        add entries that may be removed again.
    check : callable, optional
        Receives the entries that one plug-in has added to registries; an exception excludes the plug-in.

    Returns
    -------
    tuple of Plugin
        Sorted by name, including those that are left out.

    See Also
    --------
    register, register_format, add_resources

    Notes
    -----
    A plug-in declares in its ``pyproject.toml`` a function to call, or a module to import:
    ``[project.entry-points."sensiscope.plugins"]`` followed by, for example, ``stopwatch =
    "stopwatch.plugin:register"``.

    Without plug-ins this takes a few milliseconds: `importlib.metadata` is imported only if a package on the
    path has an entry point in `GROUP`.  The environment variable ``SENSISCOPE_PLUGINS=off`` disables all
    plug-ins.

    Examples
    --------
    >>> [plugin.name for plugin in load_plugins()]
    []
    """
    load_extras()
    is_any = are_pending()
    _asked.append(True)
    if is_any:
        for module in first:
            import_module(module)
        entries = _entries()
        packages = _packages(entries)
        for entry in entries:
            _load(entry, packages, check)
    return tuple(_found.values())


def are_pending() -> bool:
    """Tell whether plug-ins may be installed, and `load_plugins` has not been called."""
    is_off = os.environ.get(OFF, "").lower() in ("off", "0", "no")
    return not _asked and not is_off and is_any_installed(sys.path)


def is_importing() -> bool:
    """Tell whether a module of a plug-in is being imported: loading it must wait until it is complete."""
    packages = _packages(_entries())
    return any(
        name.partition(".")[0] in packages
        and getattr(getattr(module, "__spec__", None), "_initializing", False)
        for name, module in list(sys.modules.items())
    )


def _packages(entries: Iterable[EntryPoint]) -> set[str]:
    return {entry.module.partition(".")[0] for entry in entries}


def is_any_installed(path: list[str]) -> bool:
    """Tell whether an installed package on a path, possibly in a zip file, may have plug-ins."""
    for folder in path:
        try:
            names = os.listdir(folder or ".")
        except NotADirectoryError:
            if os.path.basename(folder) != _STANDARD:
                return True  # a zip file: only `importlib.metadata` can read it
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
"""Python's own entry on the path, whether or not it exists."""


def _names_group(file: str) -> bool:
    try:
        with open(file, "rb") as opened:
            return GROUP.encode() in opened.read(LARGEST + len(GROUP))
    except OSError:
        return False


def _entries() -> list[EntryPoint]:
    """Return the entry points of all packages; note packages with unreadable metadata."""
    from importlib.metadata import distributions

    entries: list[EntryPoint] = []
    seen: set[str] = set()
    for package in distributions():
        folder = getattr(package, "_path", None)  # other importers have none
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
        except Exception as error:  # another encoding, truncated, or written by hand
            title = os.path.basename(str(folder))
            problem = " ".join(f"its metadata cannot be read ({error})".split())
            _found.setdefault((title, "entry_points.txt"), Plugin("entry_points.txt", title, "?", problem))
            continue
        if name not in seen:  # as in imports, an earlier folder of the path takes precedence
            seen.add(name)
            entries += own
    return sorted(entries, key=lambda entry: (entry.name, entry.value))


def _load(entry: EntryPoint, packages: Collection[str], check: Callable[[list[Any]], None] | None) -> None:
    """Load one plug-in; on failure restore the registries and forget imported modules of `packages`."""
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
                # import lazy entries now, so that they cannot fail later
                added.extend(registry[name] for name in registry.keys() - content.keys())
        if check is not None:
            check(added)
    except (Exception, SystemExit) as error:  # any failure: the program must start without the plug-in
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        for registry, content in before:
            registry.clear()
            (registry.extend if isinstance(registry, list) else registry.update)(content)
        for name in set(sys.modules) - imported:  # another plug-in may need the registrations of this module
            if name.partition(".")[0] in packages:
                del sys.modules[name]
    _found.setdefault((package, entry.name), Plugin(entry.name, package, version, problem))


def _package_of(entry: EntryPoint) -> tuple[str, str]:
    """Return name and version of an entry point's package; "?" if its metadata are unreadable."""
    try:
        return (entry.dist.name, str(entry.dist.version)) if entry.dist else ("?", "?")
    except Exception:  # unreadable or missing
        return "?", "?"

"""Locate bundled resources, in the folder beside this package, and those of plug-ins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine.plugins import watched

_added: list[Path] = watched([])


def resource(*parts: str) -> Path:
    """Return the path of a bundled file, e.g. ``resource("examples", "salaries.csv")``."""
    return _root().joinpath(*parts)


@cache
def _root() -> Path:
    return Path(__file__).resolve().parents[1] / "resources"


def add_resources(folder: str | Path) -> None:
    """Add a folder of examples, lessons, help pages and icons to the bundled ones.

    Parameters
    ----------
    folder : str or Path
        It contains any of the folders ``examples``, ``lessons``, ``help/<kind>`` and ``icons``, with files
        like the bundled ones.

    Raises
    ------
    ValueError
        If the folder does not exist.

    See Also
    --------
    load_plugins, register

    Examples
    --------
    >>> from pathlib import Path
    >>> add_resources(Path("there") / "is no such folder")
    Traceback (most recent call last):
    ...
    ValueError: there is no folder ...
    """
    path = Path(folder).resolve()
    if not path.is_dir():
        raise ValueError(f"there is no folder {path}")
    if path not in _added:
        _added.append(path)


def resource_folders(*parts: str) -> tuple[Path, ...]:
    """Return the bundled folder, and the added folders with that name."""
    return (resource(*parts), *(folder.joinpath(*parts) for folder in _added))


def resource_files(*parts: str, suffix: str) -> Iterator[Path]:
    """Yield all files of a folder, the bundled ones first, sorted by name."""
    for folder in resource_folders(*parts):
        yield from sorted(folder.glob(f"*{suffix}"))


def resource_file(*parts: str) -> Path:
    """Return the path of a bundled or added file; if it does not exist, its path among the bundled ones."""
    candidates = (path for path in resource_folders(*parts) if path.is_file())
    return next(candidates, resource(*parts))

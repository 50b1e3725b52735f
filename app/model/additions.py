"""What plug-ins add to command line and window beside components, pages and pictures: by reference.

Whatever is named here is imported when it is used, so that a plug-in can register it before Qt is loaded.
"""

from __future__ import annotations

import dataclasses
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.plugins import load_extras, load_plugins, watched
from engine.resources import resource_folders

_OPTIONS: list[str] = watched([])
_CONTROLLERS: dict[str, str] = watched({})
_QUESTIONS: dict[type[Exception], str] = watched({})


@dataclasses.dataclass(frozen=True)
class LoadQuestion:
    """What must be confirmed before a file is read; with Cancel nothing is opened."""

    path: Path
    title: str
    sentences: tuple[str, ...]
    accept: tuple[str, str]  # the button that goes on, and its tip
    declined: str  # said after Cancel
    connect: str  # `ReadingOptions.connect` with which the file is read then


def add_options(module: str) -> None:
    """Let a module add options to all commands that read data, and, if it is bundled, to the window's start.

    It has ``configure(group)``, which adds them to an `argparse` group, and ``running(options)``, a context
    manager in which the command runs.
    """
    _OPTIONS.append(module)


def add_controller(name: str, target: str) -> None:
    """Add an `app.window.extra_controllers.ExtraController`, "module:Class", to all windows."""
    _CONTROLLERS[name] = target


def add_load_question(error: type[Exception], target: str) -> None:
    """Ask the `LoadQuestion` that "module:function" makes of such an error where a file cannot be read."""
    _QUESTIONS[error] = target


def added_options() -> Iterator[Any]:
    """Yield the modules that add options."""
    load_extras("app.extras")
    yield from map(import_module, _OPTIONS)


def added_controllers() -> dict[str, Any]:
    """Return the classes of controllers, by name."""
    load_extras("app.extras")
    return {name: pkgutil.resolve_name(target) for name, target in _CONTROLLERS.items()}


def load_question(error: BaseException | None) -> LoadQuestion | None:
    """Return what must be confirmed before the file is read at which there was an error, if that helps."""
    load_extras("app.extras")
    for kind, target in _QUESTIONS.items():
        if isinstance(error, kind):
            question: LoadQuestion = pkgutil.resolve_name(target)(error)
            return question
    return None


def left_out() -> Iterator[str]:
    """Yield a line for each plug-in, and each example of one, that is left out."""
    for plugin in load_plugins():
        if plugin.problem:
            yield plugin.text
    if len(resource_folders("examples")) > 1:  # the bundled cards need not be read yet
        from engine.data.examples import EXAMPLES

        for fault in EXAMPLES.faults:
            yield f"an example is left out: {fault}"

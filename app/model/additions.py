"""Options, controllers and questions that plug-ins add to the command line and the window, by reference.

Each target is imported on first use, so that a plug-in can register it before Qt is loaded.
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
    """A question to confirm before a file is read; Cancel opens nothing."""

    path: Path
    title: str
    sentences: tuple[str, ...]
    accept: tuple[str, str]  # the button that continues, and its tooltip
    declined: str  # message after Cancel
    connect: str  # `ReadingOptions.connect` for reading the file after the answer


def add_options(module: str) -> None:
    """Register a module that adds options to all commands that read data, and to a bundled window's start.

    The module has ``configure(group)``, which adds them to an `argparse` group, and ``running(options)``, a
    context manager around the command.
    """
    _OPTIONS.append(module)


def add_controller(name: str, target: str) -> None:
    """Add an `app.window.extra_controllers.ExtraController`, "module:Class", to all windows."""
    _CONTROLLERS[name] = target


def add_load_question(error: type[Exception], target: str) -> None:
    """Ask the question made by "module:function" from an error of this type when a file cannot be read."""
    _QUESTIONS[error] = target


def added_options() -> Iterator[Any]:
    """Yield the modules that add options."""
    load_extras("app.extras")
    yield from map(import_module, _OPTIONS)


def added_controllers() -> dict[str, Any]:
    """Return the added controller classes by name."""
    load_extras("app.extras")
    return {name: pkgutil.resolve_name(target) for name, target in _CONTROLLERS.items()}


def load_question(error: BaseException | None) -> LoadQuestion | None:
    """Return the question whose answer may get past this reading error, if there is one."""
    load_extras("app.extras")
    for kind, target in _QUESTIONS.items():
        if isinstance(error, kind):
            question: LoadQuestion = pkgutil.resolve_name(target)(error)
            return question
    return None


def left_out() -> Iterator[str]:
    """Yield a line for each plug-in, and each example of a plug-in, that could not be loaded."""
    for plugin in load_plugins():
        if plugin.problem:
            yield plugin.text
    if len(resource_folders("examples")) > 1:  # without plug-ins, the cards need not be read yet
        from engine.data.examples import EXAMPLES

        for fault in EXAMPLES.faults:
            yield f"an example is left out: {fault}"

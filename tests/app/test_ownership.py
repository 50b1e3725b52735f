"""Who deletes what, as `app/README.md` has it: no loops in dialogs; connections end with receivers."""

import ast
import functools
from pathlib import Path

import pytest

APP = Path(__file__).resolve().parents[2] / "app"
LONG_LIVED = {"session", "jobs", "settings", "controllers", "undo_group", "styleHints", "QGuiApplication"}
"""What outlives those who listen to it, by its name with or without an underscore."""
ASKING = {"QMessageBox", "QFileDialog", "QInputDialog", "QColorDialog", "QFontDialog"}
OF_THE_PROGRAM = {"application.exec"}
"""The one loop."""


def calls(source: str) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]


def loops(calls: list[ast.Call]) -> list[str]:
    """Return the calls that run an event loop before they return."""
    found = []
    for call in calls:
        called = call.func
        owner = getattr(getattr(called, "value", None), "id", None)
        method = getattr(called, "attr", getattr(called, "id", None))
        if method in ("exec", "exec_") and (words := ast.unparse(called)) not in OF_THE_PROGRAM:
            found.append(words)
        if owner in ASKING:  # such as QMessageBox.question
            found.append(ast.unparse(called))
    return found


def lasting(calls: list[ast.Call]) -> list[str]:
    """Return the connections that outlive their receivers: of what lives longer, and to no method."""
    found = []
    for call in calls:
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "connect" and call.args):
            continue
        sender = ast.unparse(call.func.value)
        names = {name.lstrip("_").partition("(")[0] for name in sender.split(".")}
        if names & LONG_LIVED and not isinstance(call.args[0], ast.Attribute):
            found.append(ast.unparse(call))
    return found


@functools.cache
def calls_of_files() -> dict[str, list[ast.Call]]:
    """Return what each file of the app but the commands calls: what those wait for ends with them."""
    files = [file for file in APP.rglob("*.py") if not file.is_relative_to(APP / "commands")]
    return {str(file.relative_to(APP)): calls(file.read_text("utf-8")) for file in files}


@pytest.mark.parametrize("rule", [loops, lasting])
def test_the_rule_holds_everywhere(rule):
    broken = {file: rule(calls) for file, calls in calls_of_files().items()}
    assert {file: found for file, found in broken.items() if found} == {}


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (loops, "dialog.exec()"),
        (loops, "QMessageBox.question(self, 'a', 'b')"),
        (lasting, "self._session.changed.connect(lambda fields: self.refresh())"),
        (lasting, "QGuiApplication.styleHints().colorSchemeChanged.connect(partial(f, 1))"),
    ],
)
def test_what_breaks_a_rule_is_found(rule, line):
    assert rule(calls(line))

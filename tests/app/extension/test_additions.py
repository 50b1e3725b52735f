"""A plug-in adds options of commands, questions before a file is read, and controllers, by one call each."""

import contextlib
import sys
import types
from pathlib import Path

import pytest

from app.commands.main import main
from app.model import additions
from app.model.additions import LoadQuestion, add_controller, add_load_question, add_options
from app.model.pages.registry import PAGES, add_picture
from app.session import Session
from app.widgets.asking import ChoiceDialog
from app.window.extra_controllers import ExtraController
from app.window.main_window import MainWindow
from engine.data import reading
from engine.errors import DataError

PATIENCE = 20_000
HERE = "plug_in_of_a_test"


class Locked(DataError):
    """The file wants a word."""

    path = Path()


class Counter(ExtraController):
    """Counts its windows."""

    started = 0

    def start(self):
        Counter.started += 1


def unlock(error):
    """Ask whether to go on."""
    return LoadQuestion(
        error.path, "Unlock?", ("It is locked.",), ("&Unlock", "Go on"), "It stays locked", "open"
    )


@pytest.fixture
def plug_in(monkeypatch):
    """Return a module that is registered in all three ways, and what it has heard."""
    module = types.ModuleType(HERE)
    module.heard = []
    module.configure = lambda group: group.add_argument("--tempo", type=int)

    @contextlib.contextmanager
    def running(options):
        module.heard.append(options.tempo)
        yield
        module.heard.append("done")

    module.running, module.unlock, module.Counter = running, unlock, Counter
    monkeypatch.setitem(sys.modules, HERE, module)
    for name in ("_OPTIONS", "_CONTROLLERS", "_QUESTIONS"):
        monkeypatch.setattr(additions, name, getattr(additions, name).copy())
    add_options(HERE)
    add_controller("counter", f"{HERE}:Counter")
    add_load_question(Locked, f"{HERE}:unlock")
    return module


def test_an_option_of_commands(plug_in):
    words = ["run", "median", "--example", "salaries", "--epsilon", "1", "--seed", "1"]
    assert [main(words), main([*words, "--tempo", "90"])] == [0, 0]
    assert plug_in.heard == [None, "done", 90, "done"]


@pytest.mark.usefixtures("undrawn", "plug_in")
def test_a_question_and_a_controller(qapp, tmp_path, monkeypatch):
    path, read = tmp_path / "locked.csv", reading._read

    def locked(file, columns, progress):
        if file.options.connect != "open":
            raise Locked("it is locked", source=file.name)
        return read(file, columns, progress)

    path.write_text("pay\n1\n2\n3\n", "utf-8")
    monkeypatch.setattr(reading, "_read", locked)
    monkeypatch.setattr(Locked, "path", path)
    before = Counter.started
    window = MainWindow(Session())
    window.show()
    assert window.wait_until_idle(PATIENCE)
    assert Counter.started == before + 1
    window.controllers.data.open_file(str(path))
    assert window.wait_until_idle(PATIENCE)
    window.findChildren(ChoiceDialog)[-1].answers["accept"].click()
    assert window.wait_until_idle(PATIENCE)
    assert window.session.state.table.table.n == 3
    window.controllers.session_files._closing = True
    window.close()
    window.deleteLater()


def test_a_picture_whose_name_is_taken_is_refused():
    with pytest.raises(ValueError, match="another picture called 'k'"):
        add_picture("median", PAGES["median"].picture("k"))

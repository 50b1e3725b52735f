"""Jobs that begin anew where Python has stopped an import of theirs."""

import importlib
import sys
import threading

import pytest

from app.jobs import tasks


@pytest.fixture
def stopped_import(tmp_path, monkeypatch):
    """What Python raises where two threads import modules that need each other."""
    both, begun, errors = threading.Barrier(2, timeout=60), set(), []

    def meet(name):
        """Wait for the other one; whoever is imported again after the error meets nobody."""
        if name not in begun:
            begun.add(name)
            both.wait()

    monkeypatch.setattr(threading, "meet", meet, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    for one, other in (("first", "second"), ("second", "first")):
        (tmp_path / one).mkdir()
        (tmp_path / one / "__init__.py").write_text(
            f"import threading\nthreading.meet(__name__)\nimport {other}.part\n"
        )
        (tmp_path / one / "part.py").touch()

    def load(name):
        try:
            importlib.import_module(f"{name}.part")
        except RuntimeError as error:
            errors.append(error)

    threads = [threading.Thread(target=load, args=(name,)) for name in ("first", "second")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in ("first", "second"):
        sys.modules.pop(name, None)
        sys.modules.pop(f"{name}.part", None)
    return errors[0]


def test_a_job_begins_anew_after_an_import_that_another_one_has_stopped(
    qtbot, heard, monkeypatch, stopped_import
):
    monkeypatch.setattr(tasks, "PAUSE", 0.0)
    channel, results, failures, _ = heard
    tries = []

    def work(task):
        tries.append(task)
        if len(tries) < 3:
            raise stopped_import
        return "done"

    channel.request(work)
    qtbot.waitUntil(lambda: not channel.busy)
    assert (len(tries), results, failures) == (3, ["done"], [])


def test_what_cannot_be_taken_back_is_not_done_twice(qtbot, heard, stopped_import):
    channel, results, failures, _ = heard
    tries = []

    def work(task):
        tries.append(task)
        task.settle()
        raise stopped_import

    channel.request(work)
    qtbot.waitUntil(lambda: not channel.busy)
    assert (len(tries), results, len(failures)) == (1, [], 1)


def test_a_package_that_was_stopped_and_imported_again_has_all_its_parts(
    qtbot, heard, monkeypatch, tmp_path, stopped_import
):
    """Python leaves out those that were there before: Matplotlib had lost its colours for good."""
    monkeypatch.setattr(tasks, "PAUSE", 0.0)
    package = tmp_path / "stopped_library"
    package.mkdir()
    (package / "part.py").touch()
    (package / "__init__.py").write_text(
        "import sys\nfirst = 'stopped_library.part' not in sys.modules\n"
        "import stopped_library.part\nif first: raise OSError('stopped')\n"
    )
    channel, results, failures, _ = heard

    def work(task):
        if "stopped_library.part" not in sys.modules:
            with pytest.raises(OSError, match="stopped"):
                importlib.import_module("stopped_library")
            assert not hasattr(importlib.import_module("stopped_library"), "part")
            raise type(stopped_import)("deadlock detected by _ModuleLock('stopped_library.part') at 1")
        return hasattr(sys.modules["stopped_library"], "part")

    channel.request(work)
    qtbot.waitUntil(lambda: not channel.busy)
    for name in ("stopped_library", "stopped_library.part"):
        sys.modules.pop(name)
    assert (results, failures) == ([True], [])

"""Files of tests that a worker reads when their turn has come, not before."""

import gc
import itertools
from collections.abc import Iterator
from typing import Any

import pytest


def read_late(config: pytest.Config) -> None:
    """Let each worker read only the files whose tests it runs, if everything is run.

    Four workers that each collect everything are busy for a tenth of the time with tests that others run.
    """
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if hasattr(config, "workerinput") and everything:
        config.pluginmanager.register(Late(), "late-files")


class LateFile(pytest.File):
    """Stands for a file of tests until it is read."""

    module: pytest.Module

    def collect(self) -> Iterator[pytest.Item]:
        """Collect the one item that is handed out to a worker."""
        yield Turn.from_parent(self, name="tests")


class Turn(pytest.Item):
    """The turn of a file: its tests are collected and run."""

    parent: LateFile

    def tests(self) -> list[pytest.Item]:
        """Read the file; return those of its tests that were asked for."""
        gc.disable()  # what is read stays
        found = list(self.session.genitems(self.parent.module))
        self.ihook.pytest_collection_modifyitems(session=self.session, config=self.config, items=found)
        gc.enable()
        return found

    def runtest(self) -> None:
        """Do nothing: the tests are run one by one."""


class Late:
    """Hands out files in place of tests."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self) -> Iterator[Any]:
        """Put what stands for a file in its place."""
        found = yield
        return [late_file(one) if isinstance(one, pytest.Module) else one for one in found]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        """Choose among tests when they are there; begin with long files, which may last."""
        turns = [item for item in items if isinstance(item, Turn)]
        items[:] = [item for item in items if not isinstance(item, Turn)]
        yield
        items += sorted(turns, key=lambda turn: (-turn.path.stat().st_size, turn.path))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        """Run the tests of a file one after the other."""
        if not isinstance(item, Turn):
            return None
        session, place = item.session, item.session.items.index(item)
        tests = item.tests()
        if not tests:  # as after a test: the next file may lie elsewhere
            session._setupstate.teardown_exact(nextitem)
        for test, after in itertools.pairwise([*tests, nextitem]):
            session.items[place] = test  # reports are of the test whose turn it is
            test.ihook.pytest_runtest_protocol(item=test, nextitem=after)
            if session.shouldfail or session.shouldstop:
                break
        session.items[place] = item
        return True


def late_file(module: pytest.Module) -> LateFile:
    """Return what stands for a file that was not read yet."""
    late: LateFile = LateFile.from_parent(module.parent, path=module.path)
    late.module = module
    return late

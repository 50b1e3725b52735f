"""The root of the app holds few files, and each name means one thing."""

import re
from collections import defaultdict
from pathlib import Path

from engine.lazy_names import listed_names

MOST_FILES = 8
"""At the root of `app`."""
CLASS = re.compile(r"^ *class (\w+)[:(\[]", re.MULTILINE)


def test_few_files_stand_at_the_root_of_the_app(root: Path) -> None:
    files = sorted(file.name for file in (root / "app").glob("*.py"))
    assert "session.py" in files
    assert len(files) <= MOST_FILES, files


def test_a_class_name_means_one_thing(root: Path) -> None:
    places = defaultdict(list)
    for package in ("app", "engine"):
        for file in (root / package).rglob("*.py"):
            for name in CLASS.findall(file.read_text(encoding="utf-8")):
                places[name].append(file.relative_to(root).as_posix())
    assert places["SessionState"] == ["app/model/state.py"]
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_name_of_a_package_is_that_of_a_module_in_it(root: Path) -> None:
    # Python sets an imported module as an attribute of its package: it would hide a function of that name
    stubs = [stub for package in ("app", "engine") for stub in (root / package).rglob("__init__.pyi")]
    assert root / "engine/audit/__init__.pyi" in stubs
    for stub in stubs:
        modules = {file.stem for file in stub.parent.iterdir()}
        assert modules.isdisjoint(listed_names(str(stub))), stub

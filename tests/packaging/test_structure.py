"""The root of the app holds few files, and each class name means one thing."""

import re
from collections import defaultdict
from pathlib import Path

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

"""Workflows use pinned actions, and try every Python that the project names."""

import re
import tomllib
from pathlib import Path


def test_every_action_is_pinned_by_its_commit(root: Path) -> None:
    texts = {file.name: file.read_text("utf-8") for file in (root / ".github" / "workflows").glob("*.yml")}
    assert set(texts) == {"tests.yml", "slow.yml", "bundles.yml", "publish.yml"}
    used = [line for text in texts.values() for line in re.findall(r"uses: (.*)", text)]
    assert used
    own = [line for line in used if line.startswith("./.github/workflows/")]
    pinned = [line for line in used if re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)]
    assert len(own) + len(pinned) == len(used)
    assert len({line.partition("@")[0] for line in pinned}) == len(set(pinned)), "one version of each"


def test_they_try_every_system_and_python(root: Path) -> None:
    classifiers = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    pythons = [line.rpartition(" ")[2] for line in classifiers if re.search(r"Python :: 3\.\d+$", line)]
    text = (root / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert f"python: {pythons!s}".replace("'", '"') in text
    assert re.search(r"system: \[ubuntu-\S+, macos-\S+, windows-\S+\]", text)

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = ["requirements.lock", "requirements-dev.lock", "requirements-benchmarks.lock"]
BUNDLE = "requirements-bundle.lock"


def read(file: Path) -> list[tuple[Requirement, list[str]]]:
    """Return the requirements of a lock, each with its hashes."""
    text = re.sub(r"^\s*#.*\n", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    entries = []
    for entry in text.replace("\\\n", " ").splitlines():
        requirement, *hashes = re.split(r"\s--hash=", entry)
        entries.append((Requirement(requirement.strip()), [each.strip() for each in hashes]))
    return entries


@pytest.mark.parametrize("lock", [*LOCKS, BUNDLE])
def test_everything_is_pinned_and_hashed(root: Path, lock: str) -> None:
    entries = read(root / "packaging" / lock)
    assert len(entries) > 10
    for requirement, hashes in entries:
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), requirement


@pytest.mark.parametrize("lock", [*LOCKS, BUNDLE])
def test_locks_name_no_host_and_no_path(root: Path, lock: str) -> None:
    for line in (root / "packaging" / lock).read_text(encoding="utf-8").splitlines():
        assert not re.search(r"://|^-|file:|index|(^|[\s=])/|localhost", line), line


def test_each_lock_holds_the_one_before_it(root: Path, script: Callable[[str], ModuleType]) -> None:
    assert list(script("setup_environment").LOCKS) == LOCKS
    smaller: set[str] = set()
    for lock in LOCKS:
        entries = {str(requirement) for requirement, _ in read(root / "packaging" / lock)}
        assert smaller < entries
        smaller = entries


def test_a_bundle_is_made_of_what_the_program_runs_with(root: Path) -> None:
    program, bundle = (
        {str(requirement) for requirement, _ in read(root / "packaging" / lock)}
        for lock in (LOCKS[0], BUNDLE)
    )
    assert program < bundle


@pytest.mark.parametrize(
    ("lock", "groups"),
    [
        (LOCKS[0], ["build"]),
        (LOCKS[1], ["build", "dev", "docs"]),
        (LOCKS[2], ["build", "dev", "docs", "benchmarks"]),
        (BUNDLE, ["build", "bundle"]),
    ],
)
def test_locks_satisfy_the_project(root: Path, lock: str, groups: list[str]) -> None:
    """A dependency added to pyproject.toml without renewing the locks is found here."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    asked = list(project["project"]["dependencies"])
    for extra in ("window", "scikit-learn"):
        asked += project["project"]["optional-dependencies"][extra]
    for group in groups:
        asked += project["dependency-groups"][group]
    pinned: dict[str, list[str]] = {}
    for requirement, _ in read(root / "packaging" / lock):
        version = str(requirement.specifier).removeprefix("==")
        pinned.setdefault(canonicalize_name(requirement.name), []).append(version)
    for each in map(Requirement, asked):
        if each.marker and not each.marker.evaluate():
            continue
        versions = pinned.get(canonicalize_name(each.name), [])
        assert versions, f"{each.name} is not locked: python3 packaging/lock.py"
        assert all(each.specifier.contains(version) for version in versions), each


def test_the_build_backend_is_among_the_pins(root: Path) -> None:
    """The project is installed without build isolation, from pinned parts only."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    pinned = {canonicalize_name(requirement.name) for requirement, _ in read(root / "packaging" / LOCKS[0])}
    assert {Requirement(each).name for each in project["build-system"]["requires"]} <= pinned
    assert "editables" in pinned

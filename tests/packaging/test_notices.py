"""The third-party notices are about what the locks install."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from packaging.utils import canonicalize_name

from app.help.about import ABOUT

RENEW = "run: .venv/bin/python packaging/notices.py"


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    """What stands in the notices."""
    return (root / "resources" / "notices.txt").read_text(encoding="utf-8")


def test_every_library_of_the_lock_is_there_in_its_version(
    root: Path, script: Callable[[str], ModuleType], text: str
) -> None:
    lock = (root / "packaging" / "requirements.lock").read_text(encoding="utf-8")
    pinned = {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock, re.M)
    }
    head = text.partition("=" * 100)[0]
    listed = {
        canonicalize_name(name): version
        for name, version in re.findall(r"^([\w.-]+) (\d\S*): (?=[A-Z])", head, re.M)
    }
    needed = script("notices").needed()
    assert len(needed) > 15
    assert {name: pinned[name] for name in needed} == listed, RENEW


def test_there_is_the_text_of_each_licence(text: str) -> None:
    head, *parts = text.split("=" * 100)
    named = {part.strip().partition(":")[0] for part in parts[::2] if "\n" not in part.strip()}
    without = {name for name in re.findall(r"^([\w.-]+) \d\S*: ", head, re.M) if name not in named}
    assert without == {"PySide6_Essentials", "shiboken6"}, "they bring none: the texts stand elsewhere"
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "https://download.qt.io/" in head


@pytest.mark.skipif(not shutil.which("dpkg-query"), reason="libraries have packages on Debian")
def test_libraries_of_the_system_bring_theirs_into_a_bundle(
    script: Callable[[str], ModuleType], tmp_path: Path
) -> None:
    (tmp_path / "libz.so.1").touch()
    (tmp_path / "libnobody.so.1").touch()
    script("licences").copy_licences(tmp_path, tmp_path / "licences")
    assert "zlib" in (tmp_path / "licences" / "zlib1g.txt").read_text("utf-8", "replace")
    assert {file.name for file in (tmp_path / "licences").iterdir()} - {"python.txt"} == {"zlib1g.txt"}


def test_a_bill_of_materials_lists_what_the_lock_pins(
    root: Path, script: Callable[[str], ModuleType], tmp_path: Path
) -> None:
    lock = (root / "packaging" / "requirements.lock").read_text(encoding="utf-8")
    pinned = {
        f"pkg:pypi/{canonicalize_name(name)}@{version}"
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", lock, re.M)
    }
    bill = script("sbom").bill(tmp_path)
    python, *packages = bill["components"]
    assert python["name"] == "CPython"
    assert {entry["purl"] for entry in packages} <= pinned
    assert len(packages) > 15
    assert all(entry["licenses"][0]["license"]["name"] for entry in packages)
    (depends,) = bill["dependencies"]
    assert depends["dependsOn"] == [entry["bom-ref"] for entry in bill["components"]]


def test_about_leads_to_them(root: Path) -> None:
    (link,) = re.findall(r'href="([^"]+)"', ABOUT)
    assert link == (root / "resources" / "notices.txt").as_uri()
    assert "LGPL" in ABOUT

"""The version is stated once, and everything else that shows one shows the same."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from packaging.version import Version

from engine import __version__

MAX_LINES = 60
"""Of a version in the changelog: longer lists are read by no one."""


def test_the_changelog_keeps_its_rules(root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *released = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert first == "[Unreleased]"
    dates = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", title) for title in released]
    assert all(dates)
    assert [found[2] for found in dates] == sorted((found[2] for found in dates), reverse=True)
    for part in text.split("\n## ")[1:]:
        groups = re.findall(r"^### (.+)$", part, re.MULTILINE)
        assert groups
        assert len(set(groups)) == len(groups)
        assert part.count("\n") <= MAX_LINES
    links = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", text, re.MULTILINE))
    assert list(links) == ["Unreleased", *(found[1] for found in dates)]
    assert links["Unreleased"].endswith(f"v{last_release(root)}...HEAD")


def last_release(root: Path) -> str:
    """Return the newest version that the changelog dates."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r"^## \[(\d+\.\d+\.\d+)\]", text, re.MULTILINE)
    assert found is not None
    return found[1]


def test_between_releases_the_version_is_the_next_one(root: Path) -> None:
    version, last = Version(__version__), Version(last_release(root))
    assert version == last or (version > last and version.dev == 0)


def test_citation_and_appstream_name_the_last_version(root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    version = last_release(root)
    (date,) = re.findall(rf"^## \[{re.escape(version)}\] - (\S+)$", text, re.MULTILINE)
    citation = (root / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\ndate-released: {date}\n" in citation
    release = ET.parse(root / "packaging" / "linux" / "invalid.sensiscope.Sensiscope.metainfo.xml").find(
        "releases/release"
    )
    assert release is not None
    assert release.attrib == {"version": version, "date": date}

"""Renew ``resources/notices.txt`` after a change of the locks: ``.venv/bin/python packaging/notices.py``.

Whose libraries the program is installed with, under which licences, and their texts: from what the packages
in the environment say of themselves.  Packages that only build or test it are left out.
"""

import re
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from lock import EXTRAS
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
NOTICES = ROOT / "resources" / "notices.txt"
TEXT = re.compile(r"^(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
RULE = "=" * 100
QT = """\
Qt for Python (PySide6, Shiboken) and the Qt libraries in it are used under the GNU Lesser General Public
License, version 3, the text of which stands below, at python-flint. They are installed beside Sensiscope,
unchanged, as shared libraries of their own, and may be replaced by others. (In bundles for Linux
their symbols are stripped, and of ICU's data what English needs and all languages share is left.)
Their sources: https://download.qt.io/official_releases/QtForPython/"""


def needed() -> list[str]:
    """Return the names of all packages that are installed with the program, sorted."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: set[str] = set()
    waiting = [*project["dependencies"]]
    for extra in EXTRAS:
        waiting += project["optional-dependencies"][extra]
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name not in found and (not requirement.marker or requirement.marker.evaluate({"extra": ""})):
            found.add(name)
            waiting += distribution(name).requires or []
    return sorted(found)


def licence(package: Distribution) -> str:
    """Return under which licence a package is, in a few words."""
    told, stated = package.metadata, (package.metadata.get("License") or "").strip()
    if told.get("License-Expression"):
        return told.get("License-Expression")
    if stated and len(stated.splitlines()) == 1:
        return stated
    classified = [line for line in told.get_all("Classifier") or [] if line.startswith("License")]
    kinds = [line.rpartition(" :: ")[2] for line in classified]
    return ", ".join(kinds) or "see its text"


def home(package: Distribution) -> str:
    """Return where a package is at home; "" where it does not say so."""
    urls = dict(line.split(", ", 1) for line in package.metadata.get_all("Project-URL") or [])
    known = {name.lower(): url for name, url in urls.items()}
    wanted = ("homepage", "home", "home page", "source", "repository", "source code")
    return package.metadata.get("Home-page") or next((known[one] for one in wanted if one in known), "")


def texts(package: Distribution) -> dict[str, str]:
    """Return the texts of its licences by their paths."""
    found = {}
    for file in package.files or []:
        place = Path(str(file.locate()))
        if TEXT.match(file.name) and file.suffix not in (".py", ".pyc", ".h") and place.is_file():
            lines = place.read_text(encoding="utf-8", errors="replace").splitlines()
            path = re.sub(r"^[^/]*\.dist-info/(licenses/)?", "", str(file))
            found[path] = "\n".join(line.rstrip() for line in lines).strip("\n\f")
    return found


def notices() -> str:
    """Return the whole file."""
    packages = [distribution(name) for name in needed()]
    rows = [f"{one.name} {one.version}: {licence(one)}. {home(one)}".strip() for one in packages]
    head = f"THIRD-PARTY NOTICES\n\nSensiscope is installed with these libraries:\n\n{chr(10).join(rows)}"
    parts = [f"{head}\n\n{QT}\n"]
    seen: dict[str, str] = {}
    for one in packages:
        for path, text in sorted(texts(one).items()):
            title = f"{one.name}: {path}"
            key = " ".join(text.split())
            parts.append(
                f"{RULE}\n{title}\n{RULE}\n\n{f'The same as {seen[key]}.' if key in seen else text}\n"
            )
            seen.setdefault(key, title)
    return "\n".join(parts)


if __name__ == "__main__":
    NOTICES.write_text(notices(), encoding="utf-8")
    print(f"{NOTICES.relative_to(ROOT)}: {len(needed())} packages")

"""Hooks of the builder of wheels: fill in addresses, and write all packages as one.

``source`` in pyproject.toml is the public address of the project.  Without it, links and pictures of the
README lead nowhere in a package index, and building warns.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PLACES = {"Source": "", "Issues": "/issues", "Changelog": "/blob/HEAD/CHANGELOG.md", "Releases": "/releases"}
"""What lies where at the public address."""

LINK = re.compile(
    r"(?P<code>```.*?```|`[^`\n]*`)"
    r"|(?P<picture>!?)(?P<text>\[(?:[^\[\]]|\[[^\]]*\])*\])\((?!https?:|mailto:|#)(?P<file>[^)\s]+)\)",
    re.DOTALL,
)
"""Code, which stays as it is, or a link or picture whose target is a file of the project."""


def with_addresses(text: str, source: str, version: str) -> str:
    """Return Markdown whose links and pictures lead to the files of a version at a public address."""
    tag = "HEAD" if ".dev" in version else f"v{version}"

    def address(found: re.Match[str]) -> str:
        if found["code"]:
            return found[0]
        kind = "raw" if found["picture"] else "blob"
        return f"{found['picture']}{found['text']}({source}/{kind}/{tag}/{found['file']})"

    return LINK.sub(address, text)


class Addresses(MetadataHookInterface):
    """The addresses of the project, and the README as a package index shows it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the fields that pyproject.toml calls dynamic."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["urls"] = {}
        if source := self.config["source"].rstrip("/"):
            text = with_addresses(text, source, metadata["version"])
            metadata["urls"] = {name: f"{source}{place}" for name, place in PLACES.items()}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class Wheel(BuildHookInterface[Any]):
    """The files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write all packages as one, and warn if a package index would show no pictures."""
        if version != "standard":
            return
        self._written = tempfile.TemporaryDirectory()
        packages, share = (Path(self._written.name, name) for name in ("sensiscope", "share"))
        write_package = runpy.run_path(str(Path(self.root, "packaging", "one_package.py")))["write_package"]
        write_package(Path(self.root), packages)
        self.build_config.set_exclude_all()
        build_data["force_include"][str(packages)] = "sensiscope"
        if self._write_manual(share):
            for file in filter(Path.is_file, share.rglob("*")):
                build_data["shared_data"][str(file)] = file.relative_to(share.parent).as_posix()
        else:
            self.app.display_warning(
                "no manual page and no completions: they need the program's packages here"
            )
        if not self.metadata.core.urls:
            self.app.display_warning(
                'no public address: name it in pyproject.toml, source = "https://…"; '
                "until then a package index shows the README without its pictures"
            )

    def _write_manual(self, share: Path) -> bool:
        """Write the manual page and completions, for which the command line must be importable."""
        command = [sys.executable, str(Path(self.root, "packaging", "manual.py")), str(share)]
        environment = {**os.environ, "PYTHONPATH": self.root}
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the written files."""
        if version == "standard":
            self._written.cleanup()

"""Write the bill of materials of a bundle: ``sbom.py FOLDER FILE``, by the Python that made the bundle.

CycloneDX 1.6: the Python packages of the program and, on Debian, the packages of the system's libraries.
"""

import json
import platform
import subprocess
import sys
import uuid
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from bundle import NAME, version
from licences import packages
from notices import home, licence, needed


def python_component(name: str) -> dict[str, Any]:
    """Return the entry of an installed Python package."""
    package = distribution(name)
    purl = f"pkg:pypi/{name}@{package.version}"
    entry = {"type": "library", "name": name, "version": package.version, "purl": purl, "bom-ref": purl}
    entry["licenses"] = [{"license": {"name": licence(package)}}]
    if address := home(package):
        entry["externalReferences"] = [{"type": "website", "url": address}]
    return entry


def debian_component(name: str) -> dict[str, Any]:
    """Return the entry of a Debian package."""
    command = ["dpkg-query", "--show", "--showformat", "${Version}", name]
    number = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    purl = f"pkg:deb/debian/{name}@{number}"
    return {"type": "library", "name": name, "version": number, "purl": purl, "bom-ref": purl}


def bill(libraries: Path) -> dict[str, Any]:
    """Return the bill of a bundle whose libraries lie in a folder."""
    python = {
        "type": "platform",
        "name": "CPython",
        "version": platform.python_version(),
        "bom-ref": "python",
    }
    components = [python, *map(python_component, needed()), *map(debian_component, packages(libraries))]
    program = {"type": "application", "name": NAME, "version": version(), "bom-ref": NAME}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid4()}",
        "version": 1,
        "metadata": {"component": program},
        "components": components,
        "dependencies": [{"ref": NAME, "dependsOn": [entry["bom-ref"] for entry in components]}],
    }


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(bill(Path(sys.argv[1])), indent=1) + "\n", encoding="utf-8")

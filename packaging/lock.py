"""Renew the lock files from pyproject.toml: ``python3 packaging/lock.py [--upgrade]``. Needs ``uv``.

A lock contains a smaller one with the same versions, so that installing it only adds packages.
The locks hold for every platform and every Python that Sensiscope supports.
Afterwards ``packaging/notices.py`` renews the third-party notices.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = "packaging/requirements.lock"
DEV = "packaging/requirements-dev.lock"
LOCKS = {
    RUN: (["build"], None),
    DEV: (["build", "dev", "docs"], RUN),
    "packaging/requirements-benchmarks.lock": (["build", "dev", "docs", "benchmarks"], DEV),
    "packaging/requirements-bundle.lock": (["build", "bundle"], RUN),
}
"""The groups of each lock, and which smaller one it contains with the same versions."""

EXTRAS = ("window", "scikit-learn")
"""What the program is run with in a checkout and in a bundle, besides its dependencies."""


def main() -> int:
    """Compile the locks from the default index, whatever this machine is set up to use."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_"))}
    environment["UV_NO_CONFIG"] = "1"
    for lock, (groups, smaller) in LOCKS.items():
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
        # The same versions for every Python, so that what passes on one passes on all.
        command += ["--fork-strategy", "fewest"]
        command += ["--generate-hashes", "--custom-compile-command", "python3 packaging/lock.py"]
        command += [option for extra in EXTRAS for option in ("--extra", extra)]
        command += [option for group in groups for option in ("--group", group)]
        command += ["--constraints", smaller] if smaller else []
        command += [*sys.argv[1:], "pyproject.toml", "--output-file", lock]
        try:
            status = subprocess.run(command, cwd=ROOT, env=environment).returncode
        except FileNotFoundError:
            print(
                "packaging/lock.py: uv is not on the PATH; install it with: pipx install uv", file=sys.stderr
            )
            return 1
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())

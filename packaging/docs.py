"""The documentation as a site, built offline: ``python3 packaging/docs.py [--out FOLDER]``.

Guides, help pages and the reference of the Python API become pages of HTML in FOLDER, by default
``build/site``, that ask no other host for anything. A warning is an error.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import setup_environment

BUILD = Path(__file__).with_name("docs_site.py")


def main() -> int:
    """Set up, and build in the environment."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = setup_environment.ROOT / "build" / "site"
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=default)
    out = parser.parse_args().out.absolute()
    try:
        python = setup_environment.prepare(setup_environment.DEV)
    except setup_environment.SetupError as error:
        setup_environment.say(f"error: {error}")
        return 1
    return subprocess.run([python, BUILD, out], cwd=setup_environment.ROOT, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

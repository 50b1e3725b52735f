"""Build the documentation as a site: ``python3 packaging/docs.py [--out FOLDER] [--pictures]``.

The site in FOLDER, by default ``build/site``, needs no network. A warning is an error.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import setup_environment

BUILD = Path(__file__).with_name("docs_site.py")
PICTURES = Path(__file__).with_name("screenshots.py")


def main() -> int:
    """Set up, and build in the environment."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = setup_environment.ROOT / "build" / "site"
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=default)
    parser.add_argument("--pictures", action="store_true", help="renew the pictures of the window first")
    options = parser.parse_args()
    steps = [[PICTURES]] * options.pictures + [[BUILD, options.out.absolute()]]
    try:
        python = setup_environment.prepare(setup_environment.DEV)
    except setup_environment.SetupError as error:
        setup_environment.say(f"error: {error}")
        return 1
    for step in steps:
        if status := subprocess.run([python, *step], cwd=setup_environment.ROOT, check=False).returncode:
            return status
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

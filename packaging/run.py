"""Start Sensiscope, making everything it needs first: ``python3 packaging/run.py [arguments]``."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (this is what tells people with an older one)
    sys.exit("Sensiscope needs Python 3.11 or newer; this is Python " + sys.version.split()[0])

import os
import subprocess

import setup_environment


def main(arguments: list[str]) -> int:
    """Set up, then become Sensiscope."""
    try:
        python = setup_environment.prepare(setup_environment.RUN)
    except setup_environment.SetupError as error:
        setup_environment.say(f"error: {error}")
        return 1
    # -P: a folder named `app` where the person stands is none of ours.
    command = [str(python), "-P", "-m", "app", *arguments]
    if os.name != "nt":
        os.execv(python, command)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

"""``sensiscope`` and ``python -m app``."""

import sys


def main() -> None:
    """Run the command line with the program's arguments and exit with its status."""
    from app.cli import main as run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

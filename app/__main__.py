"""``sensiscope`` and ``python -m app``."""

import sys


def main() -> None:
    """Run the command line with the program's arguments and exit with its status."""
    try:
        from app.cli import main as run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while the program was still being loaded
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()

"""``sensiscope`` and ``python -m app``."""

import contextlib
import os
import sys
import warnings

INTERRUPTED = 130


def main() -> None:
    """Run the command line with the program's arguments and exit with its status."""
    if not sys.warnoptions:  # warnings of libraries can depend on the records
        warnings.simplefilter("ignore")
    try:
        from app.commands.main import main as run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # Ctrl+C while the program was loading
        status = INTERRUPTED
    if status == INTERRUPTED:
        # the interpreter would wait for threads, which may be in a long calculation
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    main()

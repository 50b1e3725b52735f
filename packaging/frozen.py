"""What the executable of a bundle runs: the program, or what Python itself would be asked to run.

The program starts processes of its own: functions from a file, for instance.  It asks for them in the words
of Python's command line, and in a bundle this executable takes the place of Python.

Nobody installs packages into a bundle.  What lies in the folder ``plugins`` beside the person's ledger is
importable in its place: ``pip install --no-deps --target FOLDER PACKAGE``, by any Python.
"""

import multiprocessing
import sys

from platformdirs import user_data_path


def main() -> None:
    """Run a piece of code (``-P -c CODE …``), or the program."""
    sys.path.append(str(user_data_path("Sensiscope", appauthor=False) / "plugins"))
    multiprocessing.freeze_support()
    if sys.argv[1:3] == ["-P", "-c"]:
        code, sys.argv = sys.argv[3], ["-c", *sys.argv[4:]]
        exec(code, {"__name__": "__main__"})
        return
    from sensiscope.__main__ import main as run

    run()


if __name__ == "__main__":
    main()

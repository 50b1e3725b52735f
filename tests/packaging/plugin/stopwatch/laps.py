"""A format of files: the word "laps" in the first line, then one time in each."""

import pyarrow as pa
from sensiscope import FileFormat, FoundReading, Table, register_format


def read_laps(file, columns, progress):
    """Return the times in a file."""
    times = [float(line) for line in file.path.read_text("utf-8").split()[1:]]
    return Table(file.name, pa.table({"seconds": times}), first_row=2, reading=FoundReading("laps"))


LAPS = register_format(
    FileFormat(
        "laps",
        "lap times",
        (".laps",),
        recognised=lambda file: file.beginning.startswith("laps\n"),
        reader=read_laps,
        is_text=True,
    )
)

"""The page about files names every format and every way to pack one."""

from pathlib import Path

import engine
from engine.data.formats.registry import FORMATS
from engine.data.reading_options import OPTIONS
from engine.data.unpacking import PACKINGS
from engine.resources import resource

PAGE = resource("help", "topics", "opening-files.md").read_text(encoding="utf-8")


def test_every_format_is_named_with_its_suffixes():
    for one in FORMATS.values():
        assert one.title in PAGE
        assert all(suffix in PAGE for suffix in one.suffixes)
    assert all(packing.title in PAGE for packing in PACKINGS)


def test_the_readme_tells_of_the_formats():
    readme = (Path(engine.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    for name in (
        "workbooks (.xlsx, .xls, .ods)",
        "SPSS",
        "Stata",
        "SAS",
        "SQLite",
        "DuckDB",
        "Parquet",
        "ORC",
    ):
        assert name in readme


def test_options_that_it_names_are_there():
    named = {word.strip("`-,") for word in PAGE.split() if word.startswith("`--")}
    own = {"data", "type", "connect", "duplicates", "loops"}
    assert named - own <= {name.replace("_", "-") for name in OPTIONS}

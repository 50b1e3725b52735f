"""Registers formats of files, each at its position in the list."""

from __future__ import annotations

from engine.plugins import after_import


def register() -> None:
    """Register the formats once the registry is imported."""
    after_import("engine.data.formats.registry", "engine.extras.formats.plugin:register_formats")


def register_formats() -> None:
    """Register each format after another one."""
    from engine.data.formats.registry import register_format
    from engine.extras.formats import declarations

    for one, after in (
        (declarations.JSON_LINES, "delimited"),
        (declarations.JSON_ARRAY, "json-lines"),
        (declarations.CSVY, "json-array"),
        (declarations.ARFF, "csvy"),
        (declarations.EDGE_LIST, "graphml"),
        *((one, "edge-list") for one in reversed(declarations.GRAPHS)),
        (declarations.WORKBOOK, "orc"),
        (declarations.SPSS, "workbook"),
        (declarations.SPSS_PORTABLE, "spss"),
        (declarations.STATA, "spss-portable"),
        (declarations.SAS_DATA, "stata"),
        (declarations.SAS_TRANSPORT, "sas"),
        (declarations.R, "sas-transport"),
    ):
        register_format(one, after=after)

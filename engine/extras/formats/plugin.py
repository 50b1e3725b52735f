"""Registers formats of files, each at its position in the list."""

from __future__ import annotations

from engine.plugins import after_import


def register() -> None:
    """Register the formats once the registry is imported."""
    after_import("engine.data.formats.registry", "engine.extras.formats.plugin:register_formats")


def register_formats() -> None:
    """Register each format after another one."""
    from engine.data.formats.registry import register_format
    from engine.extras.formats import (
        arff,
        csvy,
        edge_list,
        graph_files,
        json_lines,
        r_files,
        statistics_files,
        workbook,
    )

    for one, after in (
        (json_lines.JSON_LINES, "delimited"),
        (json_lines.JSON_ARRAY, "json-lines"),
        (csvy.FORMAT, "json-array"),
        (arff.FORMAT, "csvy"),
        (edge_list.FORMAT, "graphml"),
        *((one, "edge-list") for one in reversed(graph_files.ALL)),
        (workbook.FORMAT, "orc"),
        (statistics_files.SPSS, "workbook"),
        (statistics_files.SPSS_PORTABLE, "spss"),
        (statistics_files.STATA, "spss-portable"),
        (statistics_files.SAS_DATA, "stata"),
        (statistics_files.SAS_TRANSPORT, "sas"),
        (r_files.FORMAT, "sas-transport"),
    ):
        register_format(one, after=after)

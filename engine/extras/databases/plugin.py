"""Registers databases as formats of files."""

from __future__ import annotations

import re

from engine.plugins import after_import

HERE = "engine.extras.databases"

SCHEMES = ("postgresql://", "postgres://")
ODBC = re.compile(r"\s*(driver|dsn|filedsn)\s*=", re.IGNORECASE)
"""Patterns by which a file with the address of a database begins."""


def register() -> None:
    """Register the databases once the registry of formats is imported."""
    after_import("engine.data.formats.registry", f"{HERE}.plugin:register_databases")


def register_databases() -> None:
    """Register each database at its position in the list; readers are imported at first use."""
    from engine.data.formats.file_format import FileFormat, begins_with, imported
    from engine.data.formats.registry import register_format

    register_format(
        FileFormat(
            "postgresql",
            "PostgreSQL address",
            (".postgresql",),
            recognised=lambda file: file.beginning.lstrip().startswith(SCHEMES),
            reader=imported(f"{HERE}.postgresql:read_postgresql"),
            options=("table", "sql"),
            is_text=True,
            stored=imported(f"{HERE}.postgresql:stored_postgresql"),
            release_problem=imported(f"{HERE}.postgresql:postgresql_problem"),
        ),
        after="graphml",
    )
    register_format(
        FileFormat(
            "odbc",
            "ODBC address",
            (".odbc",),
            recognised=lambda file: ODBC.match(file.beginning) is not None,
            reader=imported(f"{HERE}.odbc:read_odbc"),
            options=("table", "sql"),
            is_text=True,
            release_problem=imported(f"{HERE}.odbc:odbc_problem"),
        ),
        after="postgresql",
    )
    register_format(
        FileFormat(
            "sqlite",
            "SQLite database",
            (".sqlite", ".db", ".sqlite3"),
            recognised=begins_with(b"SQLite format 3\0"),
            reader=imported(f"{HERE}.sqlite:read_sqlite"),
            options=("table", "sql"),
            is_plain=True,
            stored=imported(f"{HERE}.sqlite:stored_sqlite"),
            release_problem=imported(f"{HERE}.sqlite:sqlite_problem"),
        ),
        after="sas-transport",
    )
    register_format(
        FileFormat(
            "duckdb",
            "DuckDB database",
            (".duckdb", ".ddb"),
            recognised=lambda file: file.head[8:12] == b"DUCK",
            reader=imported(f"{HERE}.duckdb:read_duckdb"),
            options=("table", "sql"),
            stored=imported(f"{HERE}.duckdb:stored_duckdb"),
            release_problem=imported(f"{HERE}.duckdb:duckdb_problem"),
        ),
        after="sqlite",
    )

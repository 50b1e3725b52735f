"""Registers the formats whose large files are read piece by piece."""

from __future__ import annotations

from engine.plugins import after_import

HERE = "engine.extras.stored"


def register() -> None:
    """Register readers of large files once the registry of formats is imported."""
    after_import("engine.data.formats.registry", f"{HERE}.plugin:leave_files")


def leave_files() -> None:
    """Register a reader for each format; it is imported for the first large file."""
    from engine.data.formats.file_format import imported
    from engine.data.formats.registry import leave_in_file

    leave_in_file("parquet", imported(f"{HERE}.arrow_files:stored_parquet"))
    leave_in_file("feather", imported(f"{HERE}.arrow_files:stored_feather"))
    leave_in_file(
        "delimited",
        imported(f"{HERE}.text_file:stored_delimited"),
        may_stay=imported(f"{HERE}.text_file:can_be_cut"),
    )

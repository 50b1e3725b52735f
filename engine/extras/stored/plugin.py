"""What is registered: formats whose files are read piece by piece where they are large."""

from __future__ import annotations

from engine.plugins import after_import

HERE = "engine.extras.stored"


def register() -> None:
    """Let large files stay where they are, once formats of files are wanted."""
    after_import("engine.data.formats.registry", f"{HERE}.plugin:leave_files")


def leave_files() -> None:
    """Say what reads which format; it is imported when there is a large file."""
    from engine.data.formats.file_format import imported
    from engine.data.formats.registry import leave_in_file

    leave_in_file("parquet", imported(f"{HERE}.arrow_files:stored_parquet"))
    leave_in_file("feather", imported(f"{HERE}.arrow_files:stored_feather"))
    leave_in_file(
        "delimited",
        imported(f"{HERE}.text_file:stored_delimited"),
        may_stay=imported(f"{HERE}.text_file:can_be_cut"),
    )

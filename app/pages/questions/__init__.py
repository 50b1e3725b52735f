"""The page "Questions": a sheet of questions about the table."""

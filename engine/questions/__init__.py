"""Questions about one table: declarations of its columns, a sheet of questions, and their answers."""

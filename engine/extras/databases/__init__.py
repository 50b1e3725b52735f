"""Databases: SQLite, DuckDB, PostgreSQL, and any other with a driver of ODBC."""

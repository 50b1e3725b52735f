"""Databases: SQLite, DuckDB, PostgreSQL, and all others with an ODBC driver."""

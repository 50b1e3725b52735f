"""Data that are not read into memory: large files, databases, and tables of a Dask cluster."""

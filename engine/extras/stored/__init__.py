"""Data that stay where they are: in large files, in databases, on the machines of a Dask cluster."""

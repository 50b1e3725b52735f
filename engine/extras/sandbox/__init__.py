"""Functions from the user's own files, which run in sandboxed processes."""

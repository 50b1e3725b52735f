"""Functions from files, which run in processes that are shut in."""

"""Declarations of the pages: title, pictures, and their analyses."""

"""Texts with marks, such as help pages: read as data, and written as plain lines."""

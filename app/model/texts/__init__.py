"""Marked-up texts such as help pages: reading them, and writing them as plain lines."""

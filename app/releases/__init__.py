"""A released value as text, table and figure."""

"""The dialog in which users confirm a function from a file before it runs."""

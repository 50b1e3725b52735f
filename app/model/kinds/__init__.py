"""The kinds of data: what is chosen about each, and how it is read."""

"""The question before the program connects to a database that a file names."""

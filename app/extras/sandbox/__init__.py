"""The dialog and the questions before a function from a file may run."""

"""The state of the window: immutable values, without Qt and without matplotlib."""

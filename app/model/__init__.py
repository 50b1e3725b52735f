"""What the window is about: immutable values, without Qt and without matplotlib."""

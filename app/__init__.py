"""Shows what the engine computes: the window, the pictures and the command line."""

"""What users look at: one function and one frozen result each, for window, command line and script."""

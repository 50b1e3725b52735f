"""The verbs of the command line, one module each, imported on use.

Each has ``configure(parser)``, which adds its options, and ``run(options)``, which returns the exit status.
"""

"""The commands: one module each, imported when its command is asked for.

Every module here offers ``configure(parser)``, which declares its options, and
``run(options) -> int``, which does the work and returns the exit status.
"""

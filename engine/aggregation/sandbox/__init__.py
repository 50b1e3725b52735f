"""What keeps a user's own function in: each protection is tried, and what is missing can be told.

Only the standard library is imported here: a process enters before it loads anything else.
"""

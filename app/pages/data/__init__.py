"""The page "Data": the table of the program, and the public statements about it."""

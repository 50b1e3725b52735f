"""What is asked before a file is read that names a database."""

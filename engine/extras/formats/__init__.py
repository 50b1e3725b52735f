"""Files of statistics programs, workbooks, and JSON."""

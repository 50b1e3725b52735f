"""File formats; each module tells how to recognise and read one."""

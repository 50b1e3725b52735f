"""A picture of the cells on which centers are found."""

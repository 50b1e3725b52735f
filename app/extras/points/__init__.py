"""A picture of the cells that find cluster centers."""

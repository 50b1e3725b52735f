"""From the outputs of many blocks to one: centers, and smooth bounds on how far they move."""

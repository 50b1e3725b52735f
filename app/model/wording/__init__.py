"""What the program says: numbers, parameters, neighbours and guarantees in words."""

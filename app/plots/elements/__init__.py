"""What pictures are made of: legends, labels, ticks, scales."""

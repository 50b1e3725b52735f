"""Parts of pictures: legends, labels, ticks, scales."""

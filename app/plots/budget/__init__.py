"""The picture of the privacy budget."""

"""Texts for users: numbers, parameters, neighbours and guarantees."""

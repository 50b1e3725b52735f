"""Plays the guided lessons: text beside live pages."""

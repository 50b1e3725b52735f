"""Mechanisms of recent papers."""

"""Shared parts of the commands: options, data, budget, output."""

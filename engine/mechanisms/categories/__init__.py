"""Mechanisms on records with categories: tables of counts, the mode, randomized answers."""

from engine.mechanisms.categories.base import CategoriesMechanism
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.categories.mode import Mode
from engine.mechanisms.categories.randomized_response import RandomizedResponse
from engine.mechanisms.categories.sorted_histogram import SortedHistogram

__all__ = ["CategoriesMechanism", "ContingencyTable", "Mode", "RandomizedResponse", "SortedHistogram"]

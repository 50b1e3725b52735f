"""Mechanisms on records with categories: tables of counts, the mode, randomized answers."""

from engine.mechanisms.categories.base import CategoriesMechanism as CategoriesMechanism
from engine.mechanisms.categories.contingency_table import ContingencyTable as ContingencyTable
from engine.mechanisms.categories.mode import Mode as Mode
from engine.mechanisms.categories.randomized_response import RandomizedResponse as RandomizedResponse
from engine.mechanisms.categories.sorted_histogram import SortedHistogram as SortedHistogram

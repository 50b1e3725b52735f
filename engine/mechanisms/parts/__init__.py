"""Mechanisms that answer one question for each part of a table, all for one epsilon."""

from engine.mechanisms.parts.base import PartsMechanism as PartsMechanism
from engine.mechanisms.parts.choice import ChoiceInParts as ChoiceInParts
from engine.mechanisms.parts.each import EachPart as EachPart
from engine.mechanisms.parts.sums import SumsInParts as SumsInParts

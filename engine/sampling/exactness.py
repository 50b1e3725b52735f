"""Reasons why a release in doubles keeps the privacy that is proved for real numbers.

A component without an `exact_because` counts as inexact, and so does every release that uses it.
"""

ROUNDED = "the value with noise is enclosed until it rounds to one point of a public grid"
CHOSEN = "scores are exact or their rounding is paid for, and the choice is made without error"
COUNTED = "counts and sums are multiples of a public step, and the noise is rounded to it exactly"
BLOCKS = "the aggregator sees the outputs of the blocks and nothing else of the data"
ENCLOSED = "the draw depends on random bits alone and is enclosed as narrowly as needed"
FRACTIONS = "value and global sensitivity are fractions; rounding of other sensitivities is paid for"
APART = "each output depends on its block and a public seed alone, not on the other blocks"
PUBLIC = "it follows from public facts, or from coins that do not depend on the data"

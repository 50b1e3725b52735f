"""Why releases hold their promise to the last bit: what components say that was shown of them.

A proof is about real numbers, and a program computes with doubles.  A component whose `exact_because` is
empty is taken to be inexact, and so is every release with it.
"""

ROUNDED = "a value with noise is enclosed until it rounds to one point of a public grid"
CHOSEN = "no score is rounded unless that is paid for, and the choice is decided without an error"
COUNTED = "counts and sums are multiples of a public step, and so is the noise, which is rounded exactly"
BLOCKS = "outputs of blocks are taken as they are, and the aggregator sees nothing else of the data"
ENCLOSED = "a draw is enclosed as narrowly as needed, from random bits alone"
FRACTIONS = "value and global sensitivity are fractions, and rounding of other sensitivities is paid for"
APART = "an output follows from its block and a public seed, whichever blocks are worked out beside it"
PUBLIC = "it follows from public facts, or from coins that are tossed without looking at the data"

"""A package from elsewhere, with one of each thing that can be added to the program.

Each is defined once and registered with one call, when its module is imported; nothing else knows of it.
"""

from outside import components as components
from outside import kind as kind
from outside import page as page
from outside import picture as picture
from outside import shape as shape

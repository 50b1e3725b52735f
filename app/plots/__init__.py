"""Pictures: one class for each, without Qt."""

import logging

# where matplotlib cannot make its folder it draws all the same, but says so in two lines at each start
logging.getLogger("matplotlib").addFilter(lambda record: record.levelno >= logging.ERROR)

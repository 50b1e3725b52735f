"""Words that would do harm if they were written into a script as they are."""

HOSTILE = (
    '"); import os #',
    "'); import os #",
    'it\'s "both" \'\'""',
    "back\\slash \\",
    "new\nline\r\ttab",
    '"""',
    "{braces} %s",
    "größe ☃ \u202e\u2028",
    "\x00\x7f\ud800",
    "",
)

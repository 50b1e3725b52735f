"""Reports: what was released and how, as a page of HTML or as a PDF.

`building` decides what a report holds, `html` and `pdf` write it down.
"""

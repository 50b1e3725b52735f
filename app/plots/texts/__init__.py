"""Texts with marks, set: their formulas drawn as outlines, all of it as HTML."""

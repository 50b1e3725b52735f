"""Help: pages about everything in the catalog, a window to read them in, and words for each control."""

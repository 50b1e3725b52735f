"""Pictures of the pages about one number."""

"""Pictures of the Compare page."""

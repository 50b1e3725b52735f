"""Pictures of mechanisms of recent papers."""

"""Pictures of audits."""

"""The main window: its layout, and one controller per task."""

"""Work in worker threads: channels, drawing priority, remaining time."""

"""Pages about chunks, as files: no server, no script, no network."""

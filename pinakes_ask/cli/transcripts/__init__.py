"""``pnk transcripts``: reviewing, repeating and mending the records of runs. One file a command."""

"""What a sync leaves on disk: generations of an index, a pointer to the current one, and a cache."""

"""The two indexes, of words and of meaning, each behind an interface with several makes."""

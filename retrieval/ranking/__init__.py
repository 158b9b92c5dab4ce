"""Ranking candidates by evidence that costs nothing: words, meaning, names and hops."""

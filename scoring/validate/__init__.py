"""Answers of known truth, built from gold facts and damaged in known ways, to measure the scorer."""

"""The record of a run: its model, its files, and git."""

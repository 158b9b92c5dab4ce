"""Batches and syncs on the machines of a Ray cluster. Only this package imports Ray, inside its functions."""

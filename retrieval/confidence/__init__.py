"""The probability that the hits hold all evidence a question needs."""

from retrieval.confidence.assess import assess

__all__ = ["assess"]

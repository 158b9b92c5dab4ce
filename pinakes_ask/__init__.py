"""Ask hard questions of your own documents, and check the answer's reasoning."""

__version__ = "0.1.0"

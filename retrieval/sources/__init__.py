"""Where documents come from: a folder, a Pinakes knowledge base, or a JSON/JSONL corpus file."""

from retrieval.sources.origin import Origin, Reading, Scan
from retrieval.sources.scan import scan

__all__ = ["Origin", "Reading", "Scan", "scan"]

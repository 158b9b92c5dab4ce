"""Documents to passages to an index to ranked passages, with a confidence. No language model.

Submodules are imported by name (``from retrieval.library import Library``), so that importing
the package stays free of numpy, faiss and onnxruntime.
"""

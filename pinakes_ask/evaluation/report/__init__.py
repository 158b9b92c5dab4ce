"""The report of an evaluation as one web page, with its plots inside, that needs nothing from anywhere else."""

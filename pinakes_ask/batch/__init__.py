"""Answering a file of questions unattended: nothing is lost, nothing is paid twice, no budget is exceeded."""

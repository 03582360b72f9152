"""The words of the vocabulary as numbers, and the records that kernels read."""

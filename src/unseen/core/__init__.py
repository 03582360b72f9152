"""Nouns shared by all benchmarks; knows none of them."""

"""The nouns that all benchmarks share; this room knows no benchmark."""

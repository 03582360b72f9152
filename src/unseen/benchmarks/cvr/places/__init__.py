"""Where bodies go: the places of the vocabulary."""

"""Examples to shards, and shards to data sets."""

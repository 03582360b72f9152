"""What the audit compiles: the statistics of pixels, and the trees that learn from them."""

"""Questions: programs and what they mean, templates that ask them, and batches that balance them."""

"""Objects drawn as pixels."""

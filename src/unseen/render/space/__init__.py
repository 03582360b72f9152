"""3-D scenes: one description, our own projection, and renderers that color it."""

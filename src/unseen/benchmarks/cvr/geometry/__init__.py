"""Outlines put together: apart, inside each other, touching, strewn over an image."""

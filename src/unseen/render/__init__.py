"""RECORD -> ARRAYS: palettes, PNG files, pieces of figures, contact sheets."""

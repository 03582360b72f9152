"""SVIB: imagine the next image of two objects whose combination of factors was never seen."""

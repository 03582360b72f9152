"""COVR: questions over sets of images; programs over scene graphs, asked where other images come close."""

"""Readers of published scene graphs, each a stream of scenes: files are never in memory as a whole.

    gqa.read(path)                              GQA: one JSON object, image id -> scene graph
    visual_genome.read(path, attributes)        Visual Genome: one JSON list of images
    imsitu.read(path, space, templates)         imSitu: situations, turned into graphs with modifiers

`images.find(folder, scene_id)` is where the image of a scene is.
"""

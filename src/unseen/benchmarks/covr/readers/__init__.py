"""Readers of published scene graphs, each a stream of scenes: files are never in memory as a whole.

    gqa.read(path)                              GQA: one JSON object, image id -> scene graph
    visual_genome.read(path, attributes)        Visual Genome: one JSON list of images
    imsitu.read(path, space, templates)         imSitu: situations, turned into graphs with modifiers

`formats.read(path)` tells them apart and finds what belongs to them in the same folder; `images.find(folder, scene_id)`
is where the image of a scene is. `judgements` reads what others know: which words exclude each other, and what images
show that their graphs leave out.
"""

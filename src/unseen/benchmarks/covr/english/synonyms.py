"""Other words for those of our own worlds. None of them names anything else there, so that meaning is kept."""

from __future__ import annotations

NOUNS = {
    **{"sofa": "couch", "bicycle": "bike", "motorcycle": "motorbike", "fridge": "refrigerator", "truck": "lorry"},
    **{"trash can": "garbage can", "backpack": "rucksack", "bookcase": "bookshelf", "cabinet": "cupboard"},
    **{
        "mailbox": "letterbox",
        "hydrant": "fire hydrant",
        "bush": "shrub",
        "pillow": "cushion",
        "stroller": "pushchair",
    },
    **{"brush": "paintbrush", "roller": "paint roller", "hose": "garden hose"},
}
ATTRIBUTES = {
    **{"gray": "grey", "large": "big", "small": "little", "checkered": "checked", "dotted": "spotted"},
    **{"striped": "stripy", "wood": "wooden", "round": "circular"},
}
RELATIONS = {"next to": "beside", "under": "beneath", "on": "on top of"}

# words of a world, each with its kind
SYNONYMS: dict[str, dict[str, str]] = {"name": NOUNS, "attribute": ATTRIBUTES, "relation": RELATIONS}

"""What words have to do with each other: groups of attributes, words that mean the same, words that mean more.

Written by hand for the vocabulary of our own worlds and the frequent words of GQA and imSitu. A word that is not here
has only the relatives that its form gives it (plurals, compounds).
"""

from __future__ import annotations

# The first five groups can be asked about ("what is the color of ...?"); of any group a thing has one, if it has any.
GROUPS = {
    "color": (
        *("red", "green", "white", "black", "silver", "purple", "brown", "orange", "tan", "blue", "yellow"),
        *("light blue", "gray", "beige", "pink", "gold", "light brown", "cream colored", "dark brown", "khaki"),
        *("dark blue", "maroon", "teal"),
    ),
    "material": (
        *("wood", "plastic", "glass", "metal", "wire", "wicker", "porcelain", "stainless steel", "leather"),
        *("cardboard", "iron", "paper", "concrete", "stone", "rubber", "brick", "aluminum", "hardwood", "steel"),
        *("clay", "cobblestone", "granite", "marble", "wool", "denim", "bamboo", "chrome", "brass", "copper"),
        *("lace", "mesh", "tin", "styrofoam", "cloth", "bronze", "silk", "straw", "crystal", "rock", "asphalt"),
        "cotton",
    ),
    "pattern": ("striped", "checkered", "dotted"),
    "shape": ("square", "rectangular", "round", "triangular", "octagonal"),
    "brand": ("adidas", "nike"),
    "size": ("large", "small", "huge", "tiny", "big", "little"),
    "height": ("tall", "short"),
    "length": ("long", "short"),
    "age": ("old", "young", "new"),
    "pose": ("standing", "sitting", "lying", "walking", "running", "jumping", "crouching", "kneeling"),
    "gaze": ("looking up", "looking down"),
    "opening": ("open", "closed"),
    "state": ("full", "empty"),
    "power": ("on", "off"),
    "wetness": ("wet", "dry"),
    "sky": ("clear", "cloudy", "overcast", "rainy"),
}
ASKED_GROUPS = ("color", "material", "pattern", "shape", "brand")
GROUP_OF = {value: group for group in ASKED_GROUPS for value in GROUPS[group]}  # of values that can be asked about

# attributes of one group that do not exclude each other: a value, and others that may be said of the same thing
ATTRIBUTES_ALIKE = {
    "blue": ("light blue", "dark blue", "teal"),
    "green": ("teal",),
    "brown": ("light brown", "dark brown", "tan", "khaki", "beige", "maroon"),
    "tan": ("beige", "khaki", "light brown", "gold", "cream colored"),
    "beige": ("khaki", "cream colored", "light brown", "white"),
    "white": ("cream colored",),
    "gray": ("silver",),
    "yellow": ("gold", "cream colored"),
    "red": ("maroon", "pink"),
    "wood": ("hardwood", "bamboo", "wicker"),
    "metal": (
        *("wire", "stainless steel", "iron", "aluminum", "steel", "chrome", "brass", "copper", "mesh", "tin", "bronze"),
    ),
    "steel": ("stainless steel", "chrome", "iron", "wire"),
    "stone": ("rock", "granite", "marble", "cobblestone", "concrete", "brick"),
    "rock": ("granite", "marble", "cobblestone"),
    "glass": ("crystal",),
    "clay": ("porcelain", "brick"),
    "cloth": ("wool", "denim", "lace", "silk", "cotton", "mesh"),
    "cotton": ("denim", "lace"),
    "paper": ("cardboard",),
    "wicker": ("straw", "bamboo"),
    "square": ("rectangular",),
    "large": ("huge", "big"),
    "huge": ("big",),
    "small": ("tiny", "little"),
    "tiny": ("little",),
    "walking": ("standing", "running"),
    "cloudy": ("overcast", "rainy"),
    "overcast": ("rainy",),
    "new": ("young",),
}

# a kind of thing, and the kinds that belong to it; a rarer synonym counts as a kind of the usual word
KINDS = {
    "person": ("man", "woman", "boy", "girl", "child", "baby", "lady", "guy", "player", "worker", "adult"),
    "adult": ("man", "woman", "lady", "guy"),
    "child": ("boy", "girl", "baby", "kid", "toddler"),
    "man": ("guy", "gentleman"),
    "woman": ("lady",),
    "animal": (
        *("dog", "cat", "horse", "cow", "sheep", "bird", "elephant", "giraffe", "zebra", "bear", "goat", "pig"),
    ),
    "bird": ("duck", "chicken", "rooster", "seagull", "pigeon", "parrot", "owl", "swan", "goose"),
    "dog": ("puppy",),
    "cat": ("kitten",),
    "horse": ("pony",),
    "cow": ("bull", "calf", "ox"),
    "sheep": ("lamb",),
    "vehicle": ("car", "truck", "bus", "van", "motorcycle", "bicycle", "train", "boat", "tractor", "airplane"),
    "car": ("taxi", "cab", "suv", "van"),
    "truck": ("van", "pickup"),
    "bicycle": ("bike",),
    "motorcycle": ("bike", "motorbike", "scooter"),
    "airplane": ("plane", "jet"),
    "boat": ("ship", "canoe", "kayak"),
    "cart": ("wagon", "trolley"),
    "furniture": ("table", "chair", "sofa", "bed", "cabinet", "bookcase", "bench", "desk", "shelf", "dresser"),
    "table": ("desk", "counter"),
    "sofa": ("couch", "loveseat"),
    "chair": ("armchair", "stool"),
    "bench": ("seat",),
    "seat": ("chair", "sofa", "stool"),
    "cabinet": ("cupboard", "drawer", "dresser"),
    "bookcase": ("bookshelf", "shelf"),
    "fridge": ("refrigerator", "freezer"),
    "stove": ("oven",),
    "lamp": ("light", "lantern"),
    "container": ("box", "basket", "bucket", "bowl", "pot", "bag", "trash can", "vase", "cup", "bottle"),
    "box": ("crate", "package", "carton"),
    "bucket": ("pail",),
    "trash can": ("garbage can", "trash bin", "bin"),
    "bag": ("purse", "handbag", "sack", "backpack", "suitcase"),
    "backpack": ("rucksack",),
    "pot": ("pan", "kettle"),
    "cup": ("mug", "glass"),
    "bowl": ("dish",),
    "plate": ("dish", "saucer"),
    "tool": ("knife", "saw", "brush", "roller", "hose"),
    "food": ("apple", "pear", "banana", "bread", "cake", "melon", "pumpkin", "carrot", "pizza", "sandwich", "donut"),
    "fruit": ("apple", "pear", "banana", "melon", "orange", "lemon"),
    "vegetable": ("carrot", "pumpkin", "broccoli", "tomato", "pepper"),
    "melon": ("watermelon",),
    "bread": ("toast", "bun", "loaf"),
    "plant": ("tree", "bush", "flower", "grass", "leaf", "palm"),
    "bush": ("shrub", "hedge"),
    "tree": ("palm",),
    "toy": ("ball", "balloon", "kite", "robot", "doll", "teddy bear"),
    "ball": ("football", "baseball", "basketball", "tennis ball"),
    "clothes": ("shirt", "jacket", "dress", "hat", "scarf", "pants", "jeans", "shorts", "skirt", "shoe", "sock"),
    "shirt": ("t-shirt", "blouse", "top", "sweater", "jersey"),
    "jacket": ("coat", "blazer", "hoodie"),
    "hat": ("cap", "helmet", "beanie"),
    "pants": ("jeans", "trousers", "shorts"),
    "shoe": ("sneaker", "boot", "sandal"),
    "sign": ("stop sign", "street sign"),
    "phone": ("cell phone", "telephone"),
    "screen": ("television", "monitor", "laptop"),
    "television": ("tv",),
    "stick": ("branch",),
    "pillow": ("cushion",),
    "fence": ("railing", "gate"),
    "building": ("house", "barn", "church", "tower", "skyscraper"),
}
PLURALS = {"man": "men", "woman": "women", "child": "children", "foot": "feet", "leaf": "leaves", "knife": "knives"}

# relations that exclude one another unless one of the next two tables says otherwise: where a thing is ...
PLACE_RELATIONS = (
    *("on", "in", "inside", "under", "below", "above", "behind", "in front of", "next to", "beside", "near", "around"),
    "between",
    *("sitting on", "standing on", "lying on", "riding", "riding on", "hanging from", "leaning on", "parked on"),
)
# ... and what someone does with it
DEED_RELATIONS = (
    *("holding", "wearing", "riding", "riding on", "pushing", "pulling", "walking", "carrying", "throwing", "catching"),
    *(
        "eating",
        "kicking",
        "hitting",
        "swinging",
        "feeding",
        "cutting",
        "painting",
        "watering",
        "putting",
        "sitting on",
    ),
    *("watching", "looking at", "touching", "using", "driving", "reading", "drinking"),
)
# a relation, and the ones that imply it: a man riding a horse is on it, one on a horse need not be riding it
IMPLIED_BY = {
    "on": ("sitting on", "standing on", "lying on", "riding", "riding on", "parked on", "leaning on"),
    "in": ("inside",),
    "near": tuple(name for name in PLACE_RELATIONS if name != "near"),
    "next to": ("beside",),
    "under": ("below",),
    "touching": DEED_RELATIONS,
    "holding": ("carrying", "eating", "catching", "swinging", "putting", "using", "reading", "drinking"),
    "looking at": ("watching", "reading", "feeding"),
    "using": ("holding", "driving", "reading", "swinging", "riding"),
}
# relations that may hold at once, in either direction
COMPATIBLE = (
    *(("on", "sitting on"), ("on", "riding"), ("on", "riding on"), ("on", "above"), ("riding", "riding on")),
    *(("riding", "sitting on"), ("riding on", "sitting on"), ("beside", "next to"), ("below", "under")),
    *(("in", "inside"), ("in", "sitting on"), ("carrying", "holding"), ("pushing", "walking"), ("hitting", "swinging")),
    *(("holding", "cutting"), ("holding", "feeding"), ("holding", "pushing"), ("holding", "pulling")),
    *(("watching", "looking at"), ("driving", "riding"), ("holding", "painting"), ("holding", "walking")),
    *(("holding", "throwing"), ("throwing", "catching"), ("near", "in front of"), ("holding", "hitting")),
    *(("between", "next to"), ("between", "beside")),
    *(("looking at", "painting"), ("watching", "painting"), ("riding", "pulling"), ("under", "behind")),
)

import json

from unseen.benchmarks.covr.scene import from_gqa


def read_gqa(path):
    return [from_gqa(k, v) for k, v in json.loads(path.read_text()).items()]

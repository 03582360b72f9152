"""`unseen serve` is there at once: its address and its first page need neither the compiler nor the readers of data."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

HEAVY = ("numba", "pyarrow", "torch")
SOON = 2.0  # seconds; of the processor, since other tests may keep the machine busy


def test_the_process_that_serves_loads_nothing_heavy() -> None:
    code = f"import sys, unseen.web.serving; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_pages_load_nothing_heavy_into_the_process_that_serves(tmp_path: Path) -> None:
    code = (
        "import sys; from starlette.testclient import TestClient; from unseen.cli.serve import open_site\n"
        "from unseen.web.application import application; from pathlib import Path\n"
        f"site = open_site({str(tmp_path / 'site.db')!r}, [], None, Path('runs'))\n"
        "client = TestClient(application(site), base_url='http://localhost')\n"
        "for path in ('/', '/study', '/study/cvr', '/cvr/shape', '/cvr/shape/test_ood/0/17', '/test', '/board'):\n"
        "    assert client.get(path).status_code == 200, path\n"
        f"print([name for name in {HEAVY} if name in sys.modules]); site.close()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_first_page_comes_within_two_seconds(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unseen", "serve", "--port", "0", "--database", str(tmp_path / "site.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            address = re.search(r"http://\S+", process.stdout.readline())
            assert address
            with urlopen(f"{address[0]}study") as answer:
                assert b"Odd one out" in answer.read()
            user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        finally:
            process.terminate()
    assert (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") < SOON

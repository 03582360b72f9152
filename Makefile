# Each target does all the set-up it needs on a fresh machine with Python 3.11 and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test test-all check docs bench 3d clean

# A ResNet learns to move objects up, from scenes with one or two of them, and is tested on scenes with three or four.
DEMO := demo/runs/cogitao/g1-1/resnet/seed-0
demo: $(READY)
	$(BIN)/unseen generate cogitao/g1-1 --split train --count 2560 --out demo/data
	$(BIN)/unseen verify demo/data --count 500
	$(BIN)/unseen train cogitao/g1-1 --model resnet --data demo/data --steps 100 --recipe warmup=20 --out demo/runs
	$(BIN)/unseen score $(DEMO) --results demo/results
	$(BIN)/unseen results cogitao --records demo/results --runs demo/runs --html demo/report
	@echo "Look at demo/report/index.html"

test: $(READY)
	$(BIN)/python -m pytest -q -m "not slow"

test-all: $(READY)
	@$(BIN)/python -c "import trackeval" 2>/dev/null || echo "without trackeval some tests are skipped; see CONTRIBUTING.md"
	$(BIN)/python -m pytest -q

check: $(READY)
	$(BIN)/ruff check src tests docs perf experiments
	$(BIN)/ruff format --check src tests docs perf experiments
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python docs/build.py

bench: $(READY)
	$(BIN)/unseen bench

# What the 3-D worlds need: OpenGL from Python, and a driver that needs neither a GPU nor a screen.
3d: $(READY)
	dpkg -s libegl1 libgl1-mesa-dri >/dev/null || { apt-get update && apt-get install --yes libegl1 libgl1-mesa-dri; }
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[3d]"

clean:
	rm -rf $(VENV) demo site

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "unseen needs Python 3.11 or newer; make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev,train]"
	touch $(READY)

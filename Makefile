# Each target does all the set-up it needs on a fresh machine with Python 3.11 and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test test-all check docs bench clean

demo: $(READY)
	$(BIN)/unseen generate cogitao/c1-1 --count 2000 --out demo/c1-1
	$(BIN)/unseen verify demo/c1-1
	$(BIN)/unseen show cogitao/c1-1 test_ood --count 6 --output demo/c1-1.png --no-inline

test: $(READY)
	$(BIN)/python -m pytest -q -m "not slow"

test-all: $(READY)
	$(BIN)/python -m pytest -q

check: $(READY)
	$(BIN)/ruff check src tests docs perf
	$(BIN)/ruff format --check src tests docs perf
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python docs/build.py

bench: $(READY)
	$(BIN)/unseen bench

clean:
	rm -rf $(VENV) demo site

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "unseen needs Python 3.11 or newer; make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]" torch
	touch $(READY)

# Each target does all the set-up it needs on a fresh machine with Python 3.11 and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test test-all check docs pictures bench 3d serve scripts browser clean

# A small transformer learns to move objects up, down, left and right, once or twice, but never up and right together
# (docs/demo.toml). Then it is asked to.
demo: $(READY)
	$(BIN)/unseen train --spec docs/demo.toml --model vanilla-tf --set width=64 --set layers=2 --set dropout=0.0 \
		--steps 2000 --select val --recipe learning_rate=0.004 --recipe clip=1.0 --out demo/runs
	@$(BIN)/unseen score demo/runs/cogitao/*/*/seed-0 --results demo/results >/dev/null
	@echo "test: new grids, and moves it was trained on. test_ood: up and right together, which it has never seen."
	@$(BIN)/unseen results cogitao --records demo/results --runs demo/runs --html demo/report --pictures docs/pictures \
		>/dev/null

# Each process has one thread. There is one more than two cores can run, since tests of servers, browsers and clusters wait.
# Bytecode is kept, whatever the environment says: tests start many programs, which would compile the library each time.
PYTEST := OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q --numprocesses 3 --dist worksteal

test: $(READY)
	@$(BIN)/python -m compileall -q src
	$(PYTEST) -m "not slow"

test-all: $(READY)
	@$(BIN)/python -c "import trackeval" 2>/dev/null || echo "without trackeval some tests are skipped; see CONTRIBUTING.md"
	$(PYTEST)

check: $(READY)
	$(BIN)/ruff check src tests docs perf
	$(BIN)/ruff format --check src tests docs perf
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python docs/build.py

# The README's pictures, one of each benchmark; one of them is in 3-D.
pictures: 3d
	$(BIN)/python docs/pictures.py

bench: $(READY)
	$(BIN)/unseen bench

# What the 3-D worlds need: OpenGL from Python, and a driver that needs neither a GPU nor a screen.
3d: $(READY)
	dpkg -s libegl1 libgl1-mesa-dri >/dev/null || { apt-get update && apt-get install --yes libegl1 libgl1-mesa-dri; }
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[3d]"

# The benchmarks in a browser, at http://127.0.0.1:8000/, or at another port: make serve PORT=8001.
PORT ?= 8000
serve: $(READY)
	$(BIN)/unseen serve --port $(PORT)

# The scripts of jsPsych that pages of experiments load, from npm into the package; its users need no Node.
SCRIPTS := src/unseen/web/static/jspsych
scripts:
	npm ci --no-audit --no-fund
	mkdir -p $(SCRIPTS)
	cp node_modules/jspsych/dist/index.browser.min.js $(SCRIPTS)/jspsych.min.js
	for plugin in node_modules/@jspsych/*; do \
		cp $$plugin/dist/index.browser.min.js $(SCRIPTS)/$$(basename $$plugin).min.js; done
	sed -i '/^\/\/# sourceMappingURL/d' $(SCRIPTS)/*.min.js

# What tests in a real browser need: the system's Chromium, and axe-core, which looks for what shuts people out.
browser: $(READY)
	command -v chromium >/dev/null || { apt-get update && apt-get install --yes --no-install-recommends chromium; }
	npm ci --no-audit --no-fund

clean:
	rm -rf $(VENV) demo site

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "unseen needs Python 3.11 or newer; make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev,train,web]"
	touch $(READY)

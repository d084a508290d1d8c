# Everything a contributor, the gate and a forge run. `make` alone lists it.
#
# Needs Python >= 3.11, a Rust toolchain and make. Everything else goes into .venv, once: each stamp
# in .venv/.stamps is the proof of one step of the setup, and is older than nothing it depends on.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
STAMPS := $(VENV)/.stamps

# A changed interpreter changes the name of the first stamp, so the environment is made anew.
INTERPRETER := $(shell $(PYTHON) -c 'import sys; print(*sys.version_info[:3], sys.implementation.name, sep=".")' 2>/dev/null)
PYTHON_STAMP := $(STAMPS)/python-$(INTERPRETER)
DEV_STAMP    := $(STAMPS)/dev
CORE_STAMP   := $(STAMPS)/core

CORE_SOURCES := Cargo.toml $(wildcard Cargo.lock build.rs) $(shell find rust -type f 2>/dev/null)

# On a forge the lock file is the truth; at a desk cargo may extend it.
LOCKED := $(if $(CI),--locked)

# One interpreter for every cargo call, or each would rebuild what the other built.
export PYO3_PYTHON := $(CURDIR)/$(PY)
export VIRTUAL_ENV := $(CURDIR)/$(VENV)

# What a forge passes to maturin, too; a test compares the two.
WHEEL_ARGUMENTS := --release --locked --out dist
WHEEL_TOOLS     := target/wheel-tools
FLOORS          := target/floors
MANYLINUX       := manylinux2014

step = @printf '\n== %s: %s\n' '$@' '$(1)'

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help setup demo serve test rust-format rust-lint test-rust lint format imports workflows \
	types types-mypy types-pyright types-stub test-python fuzz floors bench wheel clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

# --- setup -----------------------------------------------------------------------------------

setup: $(CORE_STAMP) ## make .venv: dependencies and the built core

$(PYTHON_STAMP):
	$(call step,virtual environment)
	@command -v $(PYTHON) >/dev/null || { echo 'No `$(PYTHON)` was found: install Python 3.11 or newer, or name one with `make PYTHON=...`.' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo '`$(PYTHON)` is older than Python 3.11: name a newer one with `make PYTHON=...`.' >&2; exit 1; }
	@command -v cargo >/dev/null || { echo 'No `cargo` was found: install a Rust toolchain.' >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(PY) -m pip install --quiet --upgrade 'pip>=25.1'
	@mkdir -p $(STAMPS) && touch $@

$(DEV_STAMP): pyproject.toml $(PYTHON_STAMP)
	$(call step,what tests and tools need; the first time takes some minutes)
	$(PY) -m pip install --quiet --group dev
	@touch $@

$(CORE_STAMP): $(CORE_SOURCES) $(DEV_STAMP)
	$(call step,the core and what polyface needs)
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PY) -m pip install --quiet --no-build-isolation --editable '.[all]'
	@touch $@

# --- the application -------------------------------------------------------------------------

demo: setup ## start the example, walk through it, stop
	cd examples && exec ../$(PY) -m atlas demo

serve: setup ## start the example and keep it running; PORT=8001 chooses the port
	cd examples && exec ../$(PY) -m atlas serve $(if $(PORT),--port $(PORT))

# --- the gate --------------------------------------------------------------------------------

test: setup rust-format rust-lint test-rust lint types imports workflows test-python ## run every check; what a forge runs

rust-format: $(CORE_STAMP)
	$(call step,layout of the Rust sources)
	cargo fmt --check

rust-lint: $(CORE_STAMP)
	$(call step,lints of the Rust sources)
	cargo clippy $(LOCKED) --all-targets -- -D warnings

test-rust: $(CORE_STAMP) ## run the Rust tests
	$(call step,tests of the Rust sources)
	cargo test $(LOCKED)

lint: $(DEV_STAMP) ## check the Python sources with ruff
	$(call step,lints and layout of the Python sources)
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check

types: types-mypy types-pyright types-stub ## check the types: mypy, pyright, the stub of the core

types-mypy: $(CORE_STAMP)
	$(call step,types as mypy reads them)
	$(VENV)/bin/mypy

types-pyright: $(CORE_STAMP)
	$(call step,types as pyright reads them)
	$(VENV)/bin/pyright

types-stub: $(CORE_STAMP)
	$(call step,the stub of the core against the core)
	$(PY) -m mypy.stubtest polyface._core

imports: $(CORE_STAMP) ## check the directions of imports
	$(call step,directions of imports)
	$(VENV)/bin/lint-imports

workflows: $(DEV_STAMP) ## check the workflows of the forge
	$(call step,workflows of the forge)
	$(VENV)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

test-python: $(CORE_STAMP) ## run the Python tests, README blocks and examples included
	$(call step,tests of the library and the README and the examples)
	$(PY) -m pytest

# --- now and then ----------------------------------------------------------------------------

format: $(DEV_STAMP) ## lay out the sources
	cargo fmt
	$(VENV)/bin/ruff check --fix --quiet
	$(VENV)/bin/ruff format

fuzz: setup ## run the property tests for longer, with new inputs
	$(PY) -m pytest tests -m hypothesis --hypothesis-profile=fuzz

floors: $(PYTHON_STAMP) ## run the tests with the oldest versions that pyproject.toml admits
	$(call step,tests with the oldest admitted versions)
	$(PY) -m venv --clear $(FLOORS)
	$(FLOORS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(FLOORS)/bin/python -m pip install --quiet --group floors
	VIRTUAL_ENV=$(CURDIR)/$(FLOORS) $(FLOORS)/bin/uv pip install --quiet --resolution lowest-direct '.[all]'
	VIRTUAL_ENV=$(CURDIR)/$(FLOORS) $(FLOORS)/bin/uv pip install --quiet --group tests
	$(FLOORS)/bin/python -m pytest $(addprefix --ignore=tests/,architecture benches packaging readme typing)

$(STAMPS)/benches: pyproject.toml $(CORE_STAMP)
	$(PY) -m pip install --quiet --group benches
	@touch $@

bench: $(STAMPS)/benches ## measure every promise about speed; ROWS="envelope digest" chooses rows
	$(PY) -m benches $(if $(ROWS),--only $(ROWS))

$(WHEEL_TOOLS)/.stamp: pyproject.toml $(PYTHON_STAMP)
	$(PY) -m venv --clear $(WHEEL_TOOLS)
	$(WHEEL_TOOLS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(WHEEL_TOOLS)/bin/python -m pip install --quiet --group wheel
	@touch $@

wheel: $(DEV_STAMP) $(WHEEL_TOOLS)/.stamp ## build the wheel for Linux and run the example from it
	$(call step,build)
	rm -rf dist
	PATH="$(CURDIR)/$(WHEEL_TOOLS)/bin:$$PATH" maturin build $(WHEEL_ARGUMENTS) --zig --compatibility $(MANYLINUX) --interpreter $(PY)
	$(PY) tests/packaging/check_wheel.py dist $(MANYLINUX)
	$(call step,the example in an empty environment)
	@set -e; wheel="$$(echo "$(CURDIR)"/dist/*.whl)"; \
	empty="$$(mktemp -d)"; trap 'rm -rf "$$empty"' EXIT; \
	$(PY) -m venv "$$empty/venv"; \
	"$$empty/venv/bin/python" -m pip install --quiet "$$wheel[http,mcp,client]"; \
	cp -R examples/atlas "$$empty/"; cd "$$empty"; \
	venv/bin/python -m atlas demo --in-process

clean: ## remove what was built
	rm -rf $(VENV) target dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -f python/polyface/_core.*.so python/polyface/_core.*.pyd
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

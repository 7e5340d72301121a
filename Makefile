PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
MINUTES ?= 60
RUNS   ?= 50000
SAMPLE ?= 200
SEED   ?= 1
UNDER  ?= perfmodel
# A worker that has nothing left to do takes tests from the other.
WORKERS = -n auto --dist worksteal
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

UV     := $(BIN)/uv pip install --quiet --python $(BIN)/python

# What requirements/ has, with its checksums, and nothing else. uv installs in a quarter of pip's
# time; where it cannot be had, pip alone does. Bytecode is written by all processors afterwards.
define install
$(UV) --require-hashes -r $(LOCK) || $(PIP) --require-hashes -r $(LOCK)
$(PIP) --no-deps --no-build-isolation -e .
@$(BIN)/python -m compileall -q -j 0 -x '/tests/' $(VENV)/lib >/dev/null 2>&1 || true
endef

# What no test needs, beside what the tests need.
define install_more
$(UV) -c requirements/dev.lock -e '.[$(EXTRAS)]'
endef

# A machine on which Python keeps no bytecode would parse every module in every process.
export PYTHONDONTWRITEBYTECODE =

.PHONY: demo test compiled check lint lock validate types hunt fuzz mutants coverage bench docs docs-links test-lowest wheels clean

demo: $(VENV)/.run
	$(BIN)/perfmodel demo

# Linters run while all is compiled that two workers would both ask for.
test: $(VENV)/.dev
	$(MAKE) --no-print-directory --jobs 2 lint compiled
	$(BIN)/python -m pytest $(WORKERS)

compiled: $(VENV)/.dev
	$(BIN)/python -m tests.support.compile_cores

# The tests that what differs from a commit reaches: a first word, before `make test`.
SINCE ?= origin/main
check: lint
	$(BIN)/python -m pytest $(WORKERS) -q $$($(BIN)/python -m tests.support.reached $(SINCE))

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPY_NUM_WORKERS=2 $(BIN)/mypy
	$(BIN)/lint-imports

# Renews requirements/ by what the registry has, within the bounds of pyproject.toml; look at the
# difference before it is committed. One file for each of Python 3.11 to 3.14 and every platform.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --custom-compile-command 'make lock'
lock: $(VENV)/.tools
	$(COMPILE) requirements/tools.in -o requirements/tools.lock
	$(COMPILE) $(addprefix --extra ,plot cluster dev) pyproject.toml -o requirements/dev.lock
	$(COMPILE) $(addprefix --extra ,plot cluster validation) -c requirements/dev.lock pyproject.toml -o requirements/run.lock
	$(COMPILE) $(addprefix --extra ,cluster validation docs) -c requirements/dev.lock pyproject.toml -o requirements/docs.lock

# Minutes to an hour: other examples than `make test` draws, then the full tier of the judge.
validate: $(VENV)/.dev
	$(BIN)/python -m pytest $(WORKERS) --hypothesis-profile=explore -m 'slow or not slow'
	$(BIN)/python -m validation --full --workers 2

# Examples of the pages, by mypy and pyright in strict mode; the latter is not needed for the rest.
types: $(VENV)/.types
	$(BIN)/python -m pytest -m slow tests/test_typed_examples.py

# Random calls of every public function; what breaks a promise is printed as a call to paste.
hunt: $(VENV)/.dev
	$(BIN)/python -m validation.hunt --minutes $(MINUTES)

# Bytes that lead to new branches of every reader and parser; one that fails is kept in out/fuzz.
fuzz: $(VENV)/.fuzz
	$(BIN)/python -m tests.fuzz --runs $(RUNS)

# A sample of small faults planted in perfmodel: the share that no test notices, and each of those.
mutants: $(VENV)/.mutation
	$(BIN)/python -m tests.mutation --sample $(SAMPLE) --seed $(SEED) --under $(UNDER)

# Lines and branches of perfmodel and sim that some test runs; below 95 % it fails.
coverage: $(VENV)/.coverage
	$(BIN)/python -m pytest $(WORKERS) --cov --cov-report=term:skip-covered \
	    tests --ignore=tests/validation --ignore=tests/fuzz

bench: $(VENV)/.bench
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only --benchmark-disable-gc \
	    --history tests/benchmarks/history.csv

# Pages under docs/_build/html; a link to a page or heading that is not there is an error.
docs: $(VENV)/.docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs docs/_build/html

# Asks every other site that a page links to; needs a network.
docs-links: $(VENV)/.docs
	$(BIN)/sphinx-build --quiet --builder linkcheck docs docs/_build/links

# The lower bounds of pyproject.toml, installed apart and put through linters and the whole suite.
test-lowest: $(VENV)/.dev
	$(BIN)/uv venv --quiet --python $(BIN)/python --clear .venv-lowest
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct -e '.[plot,cluster,validation,dev]'
	.venv-lowest/bin/ruff format --check .
	.venv-lowest/bin/ruff check .
	.venv-lowest/bin/mypy --cache-dir .venv-lowest/.mypy_cache
	.venv-lowest/bin/lint-imports
	.venv-lowest/bin/python -m tests.support.compile_cores
	.venv-lowest/bin/python -m pytest $(WORKERS)

# Wheel and sdist, installed apart and tried on every Python from 3.11 on that is here.
wheels: $(VENV)/.dev
	rm -rf build dist
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/uv build --quiet
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/python -m tests.support.wheels dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"python3 must be >= 3.11, got {v[0]}.{v[1]}")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tools: requirements/tools.lock | $(BIN)/python
	$(PIP) --require-hashes -r $<
	touch $@

$(VENV)/.run: LOCK = requirements/run.lock
$(VENV)/.run: pyproject.toml requirements/run.lock $(VENV)/.tools
	$(install)
	touch $@

$(VENV)/.dev: LOCK = requirements/dev.lock
$(VENV)/.dev: pyproject.toml requirements/dev.lock $(VENV)/.tools
	$(install)
	touch $@ $(VENV)/.run

$(VENV)/.docs: LOCK = requirements/docs.lock
$(VENV)/.docs: requirements/docs.lock $(VENV)/.run
	$(install)
	touch $@

$(VENV)/.fuzz: EXTRAS = plot,cluster,fuzz
$(VENV)/.fuzz: $(VENV)/.dev
	$(install_more)
	touch $@

$(VENV)/.types: EXTRAS = plot,cluster,types
$(VENV)/.types: $(VENV)/.dev
	$(install_more)
	touch $@

$(VENV)/.mutation: EXTRAS = plot,cluster,mutation
$(VENV)/.mutation: $(VENV)/.dev
	$(install_more)
	touch $@

$(VENV)/.coverage: EXTRAS = plot,cluster,coverage
$(VENV)/.coverage: $(VENV)/.dev
	$(install_more)
	touch $@

$(VENV)/.bench: EXTRAS = plot,cluster,bench
$(VENV)/.bench: $(VENV)/.dev
	$(install_more)
	touch $@

clean:
	rm -rf $(VENV) .venv-lowest docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks build dist *.egg-info

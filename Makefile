# Two commands on a fresh machine: `make demo` and `make test`. Each sets up its own environment and is quick the
# second time. Given: python3.11, make, git, a C++ compiler.
PYTHON ?= python3.11
DEMO := .envs/demo
DEV := .envs/dev
NATIVE := $(shell find native -type f 2>/dev/null) CMakeLists.txt
ifndef SOAK_SEED
SOAK_SEED := $(shell date +%s)
endif
QUICK := -m "not slow and not parity and not browser and not soak" --ignore=tests/parity --ignore=tests/browser --ignore=tests/soak -p no:schemathesis
# Tests run in two processes, one for each core: threads of linear algebra would only wait for each other, and take
# twice the processor time. Compiled tests are kept even where Python is told not to: compiling them anew takes as long
# as running the quick ones.
PYTEST := OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(DEV)/bin/python -m pytest -q
say = @printf '\033[1m== %s\033[0m\n' "$(1)"

.PHONY: demo demo-campaign test soak endurance quick slow-tests check lint types layers bench docs fuzz locks release-check clean
.DEFAULT_GOAL := test

demo: $(DEMO)/ready  ## the demo campaign: a leaderboard here, a report in report.html
	@$(DEMO)/bin/pyramidion demo -o report.html
	@echo "To write, annotate and judge in the browser: $(DEMO)/bin/pyramidion assess demo"

test: $(DEV)/ready check  ## everything: lint, types, layers, documentation and all tests
	@tools/offer_perl.sh
	@tools/offer_chromium.sh
	$(call say,all tests)
	@$(PYTEST) -m "not soak" -n 2 --dist worksteal

# `make test` tries the same examples and rounds every time; new ones are looked for here, with a new seed each time.
soak: $(DEV)/ready  ## look for new faults: random examples for all properties, then 20 minutes of interrupts, full disks, …
	$(call say,soak with the seed $(SOAK_SEED); to repeat it: make soak SOAK_SEED=$(SOAK_SEED))
	@HYPOTHESIS_PROFILE=explore $(PYTEST) -m "hypothesis and not soak" --hypothesis-seed=$(SOAK_SEED) -n 2 --dist worksteal; properties=$$?; \
	SOAK_SEED=$(SOAK_SEED) $(DEV)/bin/python -m pytest -q -m soak tests/soak; faults=$$?; \
	cat build/soak.md; exit $$((properties + faults))

endurance: $(DEV)/ready  ## the runs that take minutes: a million rows, a hundred kills of the server, a report of 30 measures
	@$(DEV)/bin/python -m pytest -q -m soak --ignore=tests/soak

quick: $(DEV)/ready  ## the tests that take moments: under half a minute
	@HYPOTHESIS_PROFILE=quick $(PYTEST) $(QUICK) -n 2 --dist worksteal

slow-tests: $(DEV)/ready  ## measure which tests are too slow for `make quick`, and list them in tests/slow.txt
	@HYPOTHESIS_PROFILE=quick $(PYTEST) -m "not parity and not browser and not soak" --write-slow-tests -n 2 --dist worksteal

check: lint types layers docs  ## what can be said without running the program

lint: $(DEV)/ready
	$(call say,lint)
	@$(DEV)/bin/ruff check . && $(DEV)/bin/ruff format --check .

types: $(DEV)/ready
	$(call say,types)
	@$(DEV)/bin/mypy

layers: $(DEV)/ready
	$(call say,layers)
	@$(DEV)/bin/lint-imports

demo-campaign: $(DEV)/ready  ## build the demo campaign again from its sources in tools/demo_campaign
	@$(DEV)/bin/python -m tools.demo_campaign

bench: $(DEV)/ready  ## side by side with peers, in one run
	@$(DEV)/bin/python -m benchmarks

docs: $(DEV)/ready  ## the site, in site/; a broken link is an error
	$(call say,documentation)
	@mkdir -p build
	@$(DEV)/bin/zensical build --strict --clean > build/zensical.log 2>&1 || { cat build/zensical.log; exit 1; }
	@$(DEV)/bin/python tools/llms_pages.py site
	@echo "docs: site/index.html"

fuzz: $(DEV)/ready  ## any bytes, any calls, extreme sizes into the kernels, under address and undefined-behaviour sanitizers
	@native/fuzz/run.sh $(or $(SECONDS),60)
	@native/fuzz/run.sh bindings $(or $(SECONDS),60)
	@native/fuzz/run.sh large

locks:  ## pin what pyproject.toml asks for, anew (needs uv)
	uv pip compile -q --no-header --generate-hashes --python-version 3.11 --extra report --extra assess pyproject.toml -o locks/demo.txt
	uv pip compile -q --no-header --generate-hashes --python-version 3.11 --group build -c locks/demo.txt -o locks/build.txt
	uv pip compile -q --no-header --generate-hashes --python-version 3.11 --extra all --group dev -c locks/demo.txt -c locks/build.txt pyproject.toml -o locks/dev.txt

release-check: $(DEV)/ready  ## build sdist and wheels, install them in empty environments, run the demo there
	@$(DEV)/bin/python -m tools.release_check

clean:
	rm -rf .envs build dist site report.html

# An environment is ready when its locked packages are installed (-packages) and pyramidion is built into it.
$(DEMO)/packages: locks/demo.txt locks/build.txt
	$(call say,environment for the demo: $(DEMO) (about a minute))
	@$(PYTHON) -m venv $(DEMO)
	@$(DEMO)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r locks/demo.txt -r locks/build.txt
	@touch $@

$(DEMO)/ready: $(DEMO)/packages $(NATIVE) pyproject.toml
	$(call say,building the native kernels)
	@PATH="$(CURDIR)/$(DEMO)/bin:$$PATH" $(DEMO)/bin/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(DEV)/packages: locks/dev.txt locks/build.txt
	$(call say,environment for tests: $(DEV) (about two minutes))
	@$(PYTHON) -m venv $(DEV)
	@$(DEV)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r locks/dev.txt -r locks/build.txt
	@touch $@

$(DEV)/ready: $(DEV)/packages $(NATIVE) pyproject.toml
	$(call say,building the native kernels)
	@PATH="$(CURDIR)/$(DEV)/bin:$$PATH" $(DEV)/bin/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

# Everything a developer does here. Only Python 3.11+ and make are needed: the
# first target that wants the tools installs them into .venv.

PYTHON ?= python3
SEED   ?= 12345678
# inputs of each kind that `make fuzz` tries; the other numbers there follow from it
FUZZ   ?= $(if $(SMALL),20,2000)
# programs that `make proofs` holds the prover against, after those of the suite
PROGRAMS ?= 400

BIN   := .venv/bin
# runs a command unless it has passed with exactly this code before
UNCHANGED = $(BIN)/python tools/unchanged.py $(if $(FRESH),--fresh)
INSTALLED := .venv/.installed
FAIRDECK := pytools/fairdeck
# tables in assembly that are made from the Python model
AUTOMATONS := asm/6502/riichi/automaton.s asm/sm83/riichi/automaton.asm
STAMP := $(INSTALLED) $(AUTOMATONS)
# two makes at once must not install into one .venv; where there is no flock they may
LOCK  := $(shell command -v flock >/dev/null 2>&1 && echo flock pyproject.toml)

.DEFAULT_GOAL := help
.PHONY: help setup rom run report test test-slow browser check examples bench bench-small bench-peers conformance dist floors docs docs-test site tiles shots hashes proofs fuzz mutants clean distclean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## install romproof, fairdeck and the tools into .venv, write the generated tables; the other targets do it by themselves

$(INSTALLED): pyproject.toml $(FAIRDECK)/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "romproof needs Python 3.11 or newer, and '$(PYTHON)' is not: make PYTHON=/path/to/python3.11" >&2; \
	  exit 1; }
	@$(LOCK) sh -ec 'if [ $@ -nt pyproject.toml ] && [ $@ -nt $(FAIRDECK)/pyproject.toml ]; then exit 0; fi; \
	  echo "installing the tools into .venv"; \
	  $(PYTHON) -m venv .venv; \
	  ROMPROOF_COMPILE=0 $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    -e ".[dev]" -e "$(FAIRDECK)[all]"; \
	  $(BIN)/python -m compileall -q pytools; \
	  touch $@'

$(AUTOMATONS): $(addprefix $(FAIRDECK)/riichi/,automaton.py tables.py shanten.py) | $(INSTALLED)
	@$(BIN)/python -m fairdeck.riichi.automaton asm && touch $@

rom: $(STAMP) ## build every ROM into build/rom, with listing, labels and map
	@$(BIN)/romproof build

run: rom ## shuffle on py65 and on the fastest engine, compare, show the cycles (SEED=hex)
	@$(BIN)/fairdeck tarot demo --seed $(SEED)

report: $(STAMP) ## show where the cycles of 100 shuffles go on each CPU (SEED=hex)
	@$(BIN)/romproof report tarot --mem lfsr=$(SEED) --mem shuffle_count=64
	@$(BIN)/romproof report tarot-gb --call shuffle --mem lfsr=$(SEED) --mem rng=00 \
	  --mem flips_left=00 --repeat 100

# else every one of the processes that tests start would compile all modules for itself
test test-slow: export PYTHONDONTWRITEBYTECODE :=
test: $(STAMP) ## run the test suite: about three minutes on two cores
	@$(BIN)/python -m pytest -n auto --dist loadfile

# what `make test` does with less work: see tests/common/thorough.py
NOT := slow or long or proof or docs or browser
LESS := engine symbolic/test_smt_opcodes.py

test-slow: $(STAMP) ## run the cases for which `make test` has no time, and others with more work
	@$(BIN)/python -m pytest -m slow -n auto --dist worksteal
	@THOROUGH=1 $(BIN)/python -m pytest -n auto --dist worksteal $(addprefix tests/,$(LESS))
	@THOROUGH=1 $(BIN)/python -m pytest -n auto --dist worksteal -m "hypothesis and not ($(NOT))"

browser: $(STAMP) ## run all tests of the viewer and of profile pages, in Chromium; tell what was left out, and why
	@$(BIN)/python -m pytest -q -rs -m "browser or not browser" tests/fairdeck/viewer tests/report/test_profile_page_browser.py

check: $(STAMP) ## check style, types and the architecture
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/mypy bench tools hatch_build.py hatch_compile.py --exclude '^bench/peers/'
	@$(BIN)/python -m pytest -q tests/repository/test_architecture.py

examples: $(STAMP) ## test the example projects, and prove the contracts of those for romproof
	@for place in $(wildcard examples/*/); do \
	  (echo "$$place"; cd "$$place"; $(CURDIR)/$(BIN)/python -m pytest -q -p no:cacheprovider && \
	   { [ ! -f pyproject.toml ] || { $(CURDIR)/$(BIN)/romproof bounds --prove --strict && \
	     $(CURDIR)/$(BIN)/romproof prove --strict; }; }) || exit 1; \
	done

dist: $(STAMP) ## build what is released into build/dist, check it, and try it in a new environment without the checkout
	@rm -rf build/dist build/released && mkdir -p build
	@for project in . $(FAIRDECK); do \
	  ROMPROOF_COMPILE=0 $(BIN)/python -m build --no-isolation --outdir build/dist $$project > build/dist.log 2>&1 \
	    || { cat build/dist.log; exit 1; }; \
	done
	@$(BIN)/twine check --strict build/dist/*
	@$(PYTHON) -m venv build/released
	@build/released/bin/python -m pip install --quiet --disable-pip-version-check build/dist/*.whl
	@cd / && for program in romproof fairdeck; do "$(CURDIR)/build/released/bin/$$program" --version; done
	@cd / && "$(CURDIR)/build/released/bin/fairdeck" tarot shuffle --seed 12345678 --on 6502 --json > /dev/null

bench: $(STAMP) ## measure against py65, sim65, C, PyBoy, ca65, cl65 and mahjong; writes build/bench.json
	@$(BIN)/python bench/run.py

bench-small: $(STAMP) ## run each benchmark with so little that the times say nothing: does it work?
	@$(BIN)/python bench/run.py --small

PEERS := build/peers
$(PEERS)/.installed: bench/peers/requirements.txt
	@echo "installing the peers into $(PEERS)"
	@$(PYTHON) -m venv $(PEERS) && \
	  $(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r $< && touch $@ || \
	  echo "not all of the peers could be installed: those that are missing are left out" >&2

bench-peers: $(STAMP) $(if $(SMALL),,$(PEERS)/.installed) ## check bench/peers, which other checks leave out; ask angr what romproof is asked, count the opcodes other models get right; writes docs/peers.md (STEPS=DIR SM83=NAME=FILE; SMALL=1: a little of it, with the peers that are there)
	@$(BIN)/ruff check -q --config 'extend-exclude=[]' bench/peers
	@$(BIN)/mypy bench/peers --exclude /tests/
	@$(BIN)/python -m pytest -q bench/peers/tests
	@PYTHONPATH=bench$${PYTHONPATH:+:$$PYTHONPATH} $(BIN)/python -m peers.compare $(if $(SMALL),--small --python $(BIN)/python) $(if $(STEPS),--steps "$(STEPS)") $(if $(SM83),--sm83 "$(SM83)")

conformance: $(STAMP) ## run the public test suites that lie below a folder (DIR=...)
	@test -n "$(DIR)" || { echo "say where the suites are: make conformance DIR=..." >&2; exit 1; }
	@$(BIN)/romproof conformance "$(DIR)"

# what solvers, compilers, numbers and the command line do with their lowest releases
FLOORED := symbolic/test_smt_opcodes.py engine/test_engine_run.py engine/test_engine_interrupted.py \
  cli/test_cli_every_cpu.py cli/test_cli_help.py text fairdeck/test_riichi.py
floors: $(STAMP) ## run a telling part of the suite with the lowest releases that pyproject.toml allows (ALL=1: all of it)
	@mkdir -p build
	@$(BIN)/python tools/floors.py > build/floors.txt
	@$(PYTHON) -m venv build/floors
	@build/floors/bin/python -m pip install --quiet --disable-pip-version-check -r build/floors.txt
	@ROMPROOF_COMPILE=0 build/floors/bin/python -m pip install --quiet --disable-pip-version-check \
	  --no-deps -e . -e "$(FAIRDECK)"
	@build/floors/bin/python -m pytest -q -p no:cacheprovider -n auto --dist worksteal \
	  $(if $(ALL),,$(addprefix tests/,$(FLOORED)))
	@build/floors/bin/python -m pytest -q -p no:cacheprovider -m "" --collect-only > build/floors.log \
	  || { tail -n 40 build/floors.log; exit 1; }

docs: $(STAMP) ## write the generated pages of docs/
	@$(BIN)/python tools/isa_table.py
	@$(BIN)/python tools/cycle_tables.py
	@$(BIN)/python tools/reference_pages.py

docs-test: $(STAMP) ## execute every command and block of code in README and docs
	@$(BIN)/python -m pytest -q -m docs tests/docs

site: $(STAMP) ## write the documentation as a site into build/site
	@$(BIN)/mkdocs build --quiet --strict

tiles: $(STAMP) ## make the tiles of the ROMs from the pictures in rom/art
	@$(BIN)/python tools/tiles.py

shots: $(STAMP) ## play the ROMs and write the pictures of their screens to docs/pictures (SMALL=1: those of one, to build/shots)
	@$(BIN)/python tools/shots.py $(if $(SMALL),--into build/shots wall-gb)

hashes: $(STAMP) ## write rom/roms.sha256, the hashes of all ROM images
	@$(BIN)/python tools/rom_hashes.py

# proofs that are slow as well are run by test-slow
proofs: $(STAMP) ## prove what is claimed of the machine code, try the prover, write docs/proofs.md (CROSS=1 FRESH=1; LONG=1: only what takes minutes)
	@$(BIN)/python tools/proofs.py $(if $(CROSS),--cross) $(if $(FRESH),--fresh) $(if $(LONG),--long)
ifndef LONG
	@$(UNCHANGED) $(BIN)/python -m pytest -q -m "proof and not slow" -n auto --dist worksteal
	@$(UNCHANGED) $(BIN)/python tests/prover/fuzz_prover.py --small --seed 1000 --count $(PROGRAMS) --jobs 2
endif

# tests with many more inputs: all of them, or a few
LONG_ONES := $(if $(SMALL),tests/prover/test_fuzz_pointers.py -k "21 or 22")
A_TENTH := $(shell expr $(FUZZ) / 10)
fuzz: $(STAMP) ## random programs for the prover, slips in inputs, damaged images (FUZZ=2000; SMALL=1: a little of each)
	@$(BIN)/python -m pytest -q -m long -n auto --dist worksteal $(LONG_ONES)
	@$(BIN)/python tests/prover/fuzz_prover.py --count $(FUZZ) --jobs 2
	@$(BIN)/python tests/prover/fuzz_same.py --count $(A_TENTH)
	@$(BIN)/python tests/prover/fuzz_infer.py --count $(A_TENTH)
	@$(BIN)/python tests/fuzz/fuzz_commands.py --count $(FUZZ)
	@$(BIN)/python tests/fuzz/fuzz_images.py $(if $(SMALL),$(FUZZ),5000)
	@PYTHONPATH=tests/engine $(BIN)/python tests/fuzz/fuzz_lockstep.py gameboy 0 $(if $(SMALL),1,1152)
	@PYTHONPATH=tests/engine $(BIN)/python tests/fuzz/fuzz_lockstep.py nes 0 $(if $(SMALL),1,3456)

MUTANTS ?= 300
mutants: $(STAMP) ## change MUTANTS conditions of the prover's rules, one after the other, and see whether a test fails (hours)
	@$(BIN)/python tools/mutants.py map $(TESTS)
	@$(BIN)/python tools/mutants.py run --sample $(MUTANTS)
	@$(BIN)/python tools/mutants.py score

clean: ## remove what was built, and caches
	rm -rf build dist $(FAIRDECK)/dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find pytools tests bench tools -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -maxdepth 2 -name '*.egg-info' -type d -prune -exec rm -rf {} +

distclean: clean ## remove .venv too
	rm -rf .venv

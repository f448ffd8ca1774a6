# SPDX-License-Identifier: BSD-3-Clause
# The front door. Each target is the only command needed on a fresh machine: tools/setup installs what is missing.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

CONFIGURE = cmake --preset
BUILD = cmake --build -j $(JOBS) --preset
# $(call ctest,PRESET,FOLDER): the tests, then one sentence for each that could not run here.
ctest = ctest -j $(JOBS) --no-tests=error --preset $(1); \
	code=$$?; grep '^skipped: ' build/$(2)/Testing/Temporary/LastTest.log; exit $$code

# tools/setup puts a newer CMake here where the distribution's is too old.
export PATH := $(CURDIR)/build/tools/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help demo python test check asan tsan memcheck integers analyse fuzz fuzz-keep fuzz-coverage prove lint format bench pictures install setup configure clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: configure ## build scree and see it work on 1000 handwritten digits
	@$(BUILD) release --target scree
	@build/release/scree demo -o demo

python: setup ## a Python wheel that carries its libraries, in build/wheels
	@tools/setup python
	@tools/python_wheel

test: configure ## the tests, in a few minutes
	$(BUILD) release
	@$(call ctest,release,release)

check: asan tsan memcheck integers ## the tests again under sanitizers, some under valgrind

asan: setup ## unit and command tests under the address and undefined behaviour sanitizers
	@$(CONFIGURE) asan >/dev/null
	$(BUILD) asan
	@$(call ctest,asan,asan)

tsan: setup ## threaded tests under the thread sanitizer
	@$(CONFIGURE) tsan >/dev/null
	$(BUILD) tsan
	@$(call ctest,tsan,tsan)

memcheck: configure ## some unit tests and commands under valgrind
	@tools/setup memcheck
	$(BUILD) release --target scree test_utf8 test_csv_scan
	@tools/memcheck build/release

integers: setup ## what is kept of fuzzing, under clang's integer sanitizers
	@tools/setup fuzz
	@$(CONFIGURE) integer >/dev/null
	$(BUILD) integer
	@build/integer/fuzz/fuzz_replay fuzz

analyse: setup ## the static analysers of gcc and clang (as scan-build runs it) over src/ and cli/
	@tools/setup fuzz
	@$(CONFIGURE) debug >/dev/null
	@JOBS=$(JOBS) tools/analyse build/debug

fuzz: setup ## fuzz every target, or TARGET=csv, for TIME=60 seconds each (docs/fuzzing.md)
	@tools/setup fuzz
	@$(CONFIGURE) fuzz >/dev/null
	$(BUILD) fuzz
	@TIME="$(or $(TIME),60)" TARGET="$(TARGET)" JOBS=$(JOBS) tools/fuzz run

fuzz-keep: ## add what make fuzz found to fuzz/corpus, as little as will do
	@TARGET="$(TARGET)" tools/fuzz keep

fuzz-coverage: setup ## which lines of each reader the inputs of the fuzz targets reach
	@tools/setup fuzz
	@$(CONFIGURE) fuzz-coverage >/dev/null
	$(BUILD) fuzz-coverage
	@TARGET="$(TARGET)" tools/fuzz coverage

prove: configure ## long simulations, sweeps, and other programs; SAMPLE=1 runs a short sample
	@tools/setup browser
	@tools/setup onnx
	$(if $(SAMPLE),,@tools/setup engines)
	$(if $(SAMPLE),,@tools/setup mpi)
	@$(CONFIGURE) release >/dev/null
	$(BUILD) release
	@$(call ctest,$(if $(SAMPLE),sample,prove),release)
	@$(if $(SAMPLE),,$(MAKE) --no-print-directory prove-asan prove-tsan && $(MAKE) --no-print-directory lint DEEP=1 && \
		tools/setup memcheck && tools/memcheck build/release full)

prove-%:
	@$(CONFIGURE) $* >/dev/null
	$(BUILD) $*
	@$(call ctest,$*-prove,$*)

lint: setup ## style, static analysis (DEEP=1: all it can find), and the rules of the house
	@tools/setup lint
	@$(CONFIGURE) debug >/dev/null
	@JOBS=$(JOBS) DEEP=$(DEEP) tools/lint

format: ## lay out the C files as lint wants them
	@tools/setup lint
	git ls-files '*.c' '*.h' | xargs clang-format -i

bench: configure ## how fast: beside bare BLAS, and beside others; CASE=name runs one, CASE=map CELLS=regex some of the map
	@tools/setup bench || echo 'some comparisons with other programs are left out'
	@$(BUILD) release --target scree_bench scree
	@CASE="$(CASE)" CELLS='$(CELLS)' ALONE="$(ALONE)" QUICK="$(QUICK)" bench/run build/release

pictures: configure ## draw the pictures in the documents again
	@$(BUILD) release --target scree
	@PATH="$(CURDIR)/build/release:$$PATH" tools/terminal_svg.py --from '$$ scree project' --to '$$ scree reconstruct' \
		docs/demo.svg scree demo -o demo
	@build/release/scree plot demo/digits.scree demo/digits.idx.gz --labels demo/labels.idx.gz --width 900 \
		-o docs/figure-10-10.png
	@tools/setup browser
	@tools/page_png.py demo/report.html docs/report.png

install: configure ## to PREFIX (/usr/local); DESTDIR is honoured
	@$(BUILD) release --target product
	@DESTDIR="$(DESTDIR)" cmake --install build/release
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

setup: ## install what building needs (Debian, Ubuntu), or say what is missing
	@tools/setup
	@tools/setup page
	@tools/setup python

configure: setup
	@$(CONFIGURE) release -DCMAKE_INSTALL_PREFIX="$(PREFIX)" >/dev/null

clean: ## remove everything that was built
	rm -rf build

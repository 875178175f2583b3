# SPDX-License-Identifier: MIT
# Short names for the CMake presets; the build itself is in CMakeLists.txt.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TIMES ?= 50
SECONDS ?= 600
ROOMS = include/shapeboost $(wildcard src/*) cli $(wildcard tests/*) bench python/src
CODE = $(wildcard $(ROOMS:=/*.hpp) $(ROOMS:=/*.cpp))

.PHONY: all bootstrap demo test sanitize fuzz bench bench-scale wheel sdist release docs lint format clean help
.DEFAULT_GOAL := all

all: bootstrap  ## build/release/shapeboost, for this machine
	@JOBS=$(JOBS) scripts/build release

demo: all  ## run the demonstration; results in build/demo
	build/release/shapeboost demo --out build/demo

test:  ## build and run every test
	@scripts/bootstrap test
	@JOBS=$(JOBS) scripts/build dev
	@ctest --preset dev -j $(JOBS)

sanitize:  ## the tests under the address and undefined behaviour sanitizers, those with threads under the thread sanitizer
	@scripts/bootstrap test
	@JOBS=$(JOBS) scripts/build asan
	@ctest --preset asan -j $(JOBS)
	@JOBS=$(JOBS) scripts/build tsan
	@ctest --preset tsan -j $(JOBS)

fuzz:  ## libFuzzer for SECONDS on readers, models and settings; then TIMES as many mutated files as make test reads; all under sanitizers
	@scripts/bootstrap fuzz
	@JOBS=$(JOBS) scripts/build fuzz
	@for what in data model settings; do mkdir -p build/fuzz/found/$$what; \
		build/fuzz/tests/fuzz/fuzz_$$what -max_total_time=$(SECONDS) -rss_limit_mb=2048 -timeout=10 -jobs=$(JOBS) -workers=$(JOBS) \
			-artifact_prefix=build/fuzz/found/ build/fuzz/found/$$what tests/fuzz/corpus/$$what || exit 1; done
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan --target fuzz_tests -j $(JOBS)
	@SHAPEBOOST_FUZZ=$(TIMES) build/asan/tests/fuzz_tests

bench: bootstrap  ## run the benchmarks; numbers in build/bench/results
	@JOBS=$(JOBS) scripts/build bench
	@cmake --build --preset bench --target run_bench

bench-scale:  ## what 3,000 to a million series cost, in time and memory (an hour)
	@scripts/bootstrap python
	@JOBS=$(JOBS) scripts/build release
	@mkdir -p build/bench
	@build/venv/bin/python bench/scale.py --sizes 3000 30000 300000 1000000 --out build/bench

wheel:  ## dist/shapeboost-*.whl, which needs nothing but numpy
	@scripts/bootstrap python
	@scripts/wheel dist

sdist:  ## dist/shapeboost-*.tar.gz, the sources that pip can install without Node.js
	@scripts/bootstrap python
	@scripts/sdist dist

release:  ## all that would be uploaded: sources, and wheels for glibc 2.28 checked in empty environments; uploads nothing
	@scripts/bootstrap release
	@JOBS=$(JOBS) scripts/release dist

docs:  ## build/docs/index.html: the documentation as a site, its worked examples run
	@scripts/bootstrap docs
	@JOBS=$(JOBS) scripts/docs build/docs

lint:  ## formatting, clang-tidy, direction of includes
	@scripts/bootstrap lint
	@clang-format --dry-run -Werror $(CODE)
	@python3 tests/include_direction.py .
	@cmake --preset lint >/dev/null
	@printf '%s\0' $(filter src/%.cpp cli/%.cpp python/%.cpp,$(CODE)) | \
		xargs -0 -n 1 -P $(JOBS) clang-tidy -p build/lint --quiet

format:  ## format all code in place
	@scripts/bootstrap lint
	@clang-format -i $(CODE)

bootstrap:
	@scripts/bootstrap

clean:  ## remove build/
	@rm -rf build

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

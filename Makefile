# The front desk. `make run` and `make test` are all that a fresh machine needs.
SHELL := /bin/bash
.DEFAULT_GOAL := help
DATA ?= data
LISTEN ?= 127.0.0.1:8080
SOURCES := Package.swift Sources Apps Tests Benchmarks
VENV := .tools/venv

.PHONY: help setup setup-tests run check lint format reference test unit end-to-end fuzz thread-sanitizer bench clean

help:
	@echo "make run        build and start Rowhouse with sample data on http://$(LISTEN)"
	@echo "make test       everything: format, imports, unit, fuzz, thread sanitizer, end to end (up to 30 minutes)"
	@echo "make check      before every commit: format, imports, debug build, unit tests (under 5 minutes)"
	@echo "make bench      side by side with PocketBase and with the limits of the machine"
	@echo "make setup      install what is missing, by name"
	@echo "make format     rewrite the sources in the project's format"
	@echo "make reference  rewrite the formula reference from the comments above the functions"

setup:
	@scripts/setup.sh build

setup-tests:
	@scripts/setup.sh build test

run: setup
	swift build -c release --product rowhouse
	.build/release/rowhouse serve --data $(DATA) --listen $(LISTEN) --sample

lint: setup
	swift format lint --strict --parallel --recursive $(SOURCES)
	swift format lint --strict Package.swift
	scripts/formula_reference.py --check

format:
	swift format --in-place --parallel --recursive $(SOURCES)

reference:
	scripts/formula_reference.py

unit: setup
	swift build --build-tests
	swift test --skip-build

check: lint unit

# What runs on one thread of its own: long, and nothing for the sanitizer to see that the other suites do not show it.
ONE_THREAD := FilterEqualityTests|ComputedCellTests|ComputedFieldTests|LinkCellTests|LinkFieldTests|FilterListTests
ONE_THREAD := $(ONE_THREAD)|SQLiteStorageTests.FilterTests|SQLiteStorageTests.RetypingTests|PurgeTests|an independent sort|five hundred fields|TrashOrderTests|that has 100,000 looks

thread-sanitizer: setup
	swift test --sanitize=thread --scratch-path .build/thread-sanitizer \
	  --filter 'SQLiteStorageTests|TableEngineTests|HTTPServerTests|AccountsTests|OutgoingTests' --skip '$(ONE_THREAD)'

fuzz: setup
	swift build --build-tests
	ROWHOUSE_FUZZ_SECONDS=$${ROWHOUSE_FUZZ_SECONDS:-60} swift test --skip-build --filter Fuzz

end-to-end: setup-tests
	swift build -c release --product rowhouse
	ROWHOUSE=$(CURDIR)/.build/release/rowhouse $(VENV)/bin/python -m pytest EndToEnd -q -m "not alone" -n 2 --dist worksteal
	ROWHOUSE=$(CURDIR)/.build/release/rowhouse $(VENV)/bin/python -m pytest EndToEnd -q -m alone

test: setup-tests check fuzz thread-sanitizer end-to-end

bench: setup-tests
	@scripts/setup.sh bench
	swift build -c release --product rowhouse
	swift build -c release --product http-limit
	python3 Benchmarks/run.py $(BENCH)

clean:
	rm -rf .build .tools

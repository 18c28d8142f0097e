# Two commands set everything up: `make run` and `make test`.

SWIFT ?= swift
# The finished program carries the Swift runtime: it starts in a few milliseconds and runs where no
# toolchain is installed.
RELEASE = -c release --static-swift-stdlib
MAYDAY = .build/release/mayday
# Warnings stop our own build, not that of someone with a newer compiler.
STRICT ?= -Xswiftc -warnings-as-errors
CHECK_IMPORTS = --explicit-target-dependency-import-check error
CORPUS ?=

.PHONY: deps build run test lint format golden fuzz bench corpus samples clean

deps:
	@scripts/deps

build: deps
	$(SWIFT) build $(RELEASE) $(CHECK_IMPORTS) --product mayday

run: build
	$(MAYDAY) triage Samples --symbols Symbols

test: deps
	SWIFT_BACKTRACE=enable=no $(SWIFT) test $(CHECK_IMPORTS) $(STRICT)

lint:
	$(SWIFT) format lint --recursive --parallel --strict Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

# Writes the expected outputs of the tests anew; look at the difference before committing it.
golden: deps
	MAYDAY_RENEW_GOLDEN=1 SWIFT_BACKTRACE=enable=no $(SWIFT) test

# Changed input for every reader, or TARGET="reports json" alone, for so many seconds each.
SECONDS ?= 60
TARGET ?=
fuzz: deps
	@scripts/fuzz $(TARGET) $(SECONDS)

clean:
	rm -rf .build .bench .fuzz

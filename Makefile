# Two commands set everything up: `make run` and `make test`.

SWIFT ?= swift
# One build serves all: the program that people run is the one that the tests start and look into. It carries
# the Swift runtime, and the libraries whose archives scripts/ci/archives finds: it starts in a few milliseconds
# and runs where no toolchain is installed. The flags are in Package.swift; MAYDAY_TOOLS adds mayday-bench and
# mayday-fuzz.
BUILD = MAYDAY_TOOLS=1 $(SWIFT) build -c release --explicit-target-dependency-import-check error
MAYDAY = .build/release/mayday
BUNDLE = maydayPackageTests.xctest
CORPUS ?=
BENCH_PACKAGES = llvm-14 python3 python3-venv elfutils gdb nginx-light
# Other symbolizers, and the compilers of scripts/oracles/gen-flavours.
ORACLE_PACKAGES = elfutils dwz lld-14 llvm-19 xz-utils g++-multilib g++-mingw-w64-x86-64 rustc \
  golang-go nim ldc gnat gfortran
# Debuggers, and compilers for other processors: Debian removes g++-multilib for these.
WALK_PACKAGES = elfutils gdb gdb-multiarch qemu-user rustc golang-go gcc-aarch64-linux-gnu \
  gcc-arm-linux-gnueabihf gcc-riscv64-linux-gnu

BROWSER_PACKAGES = python3 python3-venv chromium-headless-shell fonts-liberation fonts-dejavu-core

# Where `make install` puts the program; DESTDIR is for packagers.
PREFIX ?= /usr/local
DESTDIR ?=
ROOT = $(DESTDIR)$(PREFIX)

.PHONY: deps deps-ci build build-tests install uninstall run test test-declared test-all field test-pages test-alerts test-workflows test-mcp test-batch api-check artefacts sparkle appcenter lint check-samples format golden rules statements fuzz hostile attack bench bench-quick bench-smoke oracle retrace-oracle sourcemap-oracle walk-oracle unwind-oracle demangle-oracle decode-oracle figures corpus cross-check samples clean

deps:
	@scripts/ci/deps
	@scripts/ci/archives

# What all steps of CI need, so that steps that run side by side install nothing.
deps-ci:
	@scripts/ci/deps $(TEST_PACKAGES) $(BROWSER_PACKAGES) valgrind time
	@scripts/ci/archives
	@scripts/ci/venv s3 > /dev/null

build: deps
	$(BUILD) --product mayday

# The program, the tests and the measurements, all in one build.
build-tests: deps
	$(BUILD) --build-tests

# The program, its manual, the completions of bash, zsh and fish, and units of systemd.
install: build
	install -d $(ROOT)/bin $(ROOT)/share/man/man1 \
	  $(ROOT)/share/bash-completion/completions $(ROOT)/share/zsh/site-functions \
	  $(ROOT)/share/fish/vendor_completions.d
	install -m 755 $(MAYDAY) $(ROOT)/bin/mayday
	$(MAYDAY) man --all $(ROOT)/share/man/man1
	$(MAYDAY) completions bash > $(ROOT)/share/bash-completion/completions/mayday
	$(MAYDAY) completions zsh > $(ROOT)/share/zsh/site-functions/_mayday
	$(MAYDAY) completions fish > $(ROOT)/share/fish/vendor_completions.d/mayday.fish
	install -d $(ROOT)/lib/systemd/system $(ROOT)/lib/sysusers.d
	sed 's|@BINDIR@|$(PREFIX)/bin|' packaging/systemd/mayday.service \
	  > $(ROOT)/lib/systemd/system/mayday.service
	install -m 644 packaging/systemd/mayday.socket $(ROOT)/lib/systemd/system/mayday.socket
	install -m 644 packaging/systemd/mayday.sysusers $(ROOT)/lib/sysusers.d/mayday.conf

uninstall:
	rm -f $(ROOT)/bin/mayday $(ROOT)/share/man/man1/mayday.1 $(ROOT)/share/man/man1/mayday-*.1 \
	  $(ROOT)/share/bash-completion/completions/mayday \
	  $(ROOT)/share/zsh/site-functions/_mayday \
	  $(ROOT)/share/fish/vendor_completions.d/mayday.fish \
	  $(ROOT)/lib/systemd/system/mayday.service $(ROOT)/lib/systemd/system/mayday.socket \
	  $(ROOT)/lib/sysusers.d/mayday.conf

run: build
	$(MAYDAY) triage Samples --symbols Symbols --app Tern

# Shells, a reader of manual pages, a clock that can be set, packers, Crashpad's handler, and what the lines in
# the documents call, for the tests that run them; without, those are skipped and listed at the end.
TEST_PACKAGES = zsh fish mandoc faketime curl jq openssl unzip zstd xz-utils python3 python3-venv \
  python3-yaml postgresql-15 chromium-common mount zbar-tools

# FILTER=Name runs the tests with that in their names after an edit, in a build that is not optimised: it compiles
# the files that changed, and no more. SIZE=all takes the full size of tests that have two. SEED is for generated
# input, the commit unless told.
FILTER ?=
SIZE ?= small
SEED ?= $(shell git rev-parse --short=8 HEAD 2>/dev/null || echo 1)
TESTING = SWIFT_BACKTRACE=enable=no MAYDAY_TESTS=$(SIZE) MAYDAY_SEED=$(SEED) scripts/ci/run-tests
test:
	@scripts/ci/deps $(TEST_PACKAGES)
	@scripts/ci/venv s3 > /dev/null
	@scripts/ci/archives
ifeq ($(FILTER),)
	$(BUILD) --build-tests
	$(TESTING) .build/release/$(BUNDLE)
else
	$(SWIFT) build --build-tests
	$(TESTING) .build/debug/$(BUNDLE) $(FILTER)
endif

# The same with no other program than those of the packages above, of scripts/ci/deps and of Debian's
# essential packages, so that a missing name in these lists shows.
test-declared:
	@scripts/ci/deps $(TEST_PACKAGES)
	@scripts/ci/venv s3 > /dev/null
	scripts/ci/declared-only $(TEST_PACKAGES) -- $(MAKE) test SIZE=$(SIZE)

# All that can be checked, in full size; takes hours. Each target runs, whatever failed before, and a table at the end
# says which passed. CORPUS=dir adds a folder of real files, of which UNREAD=number hold no report.
UNREAD ?= 0
test-all: deps
	scripts/ci/test-all lint check-samples "test-declared SIZE=all" run cross-check field decode-oracle artefacts \
	  sparkle test-alerts test-workflows test-mcp test-batch bench-quick bench-smoke "test-pages SIZE=all" "api-check EXAMPLES=50" hostile attack \
	  "fuzz SECONDS=60" $(if $(CORPUS),"corpus CORPUS=$(CORPUS) UNREAD=$(UNREAD)" "cross-check CORPUS=$(CORPUS)")

# Programs as users build them, with stated answers.
field: build
	@scripts/ci/deps python3
	scripts/ci/field.py scripts/ci/field

# A server with the samples, asked everything that the description of its API knows, rightly and
# wrongly, by Schemathesis, and read by a client that openapi-python-client makes.
EXAMPLES ?= 10
api-check: build
	@scripts/ci/deps python3 python3-venv
	scripts/ci/api-check.py --examples $(EXAMPLES)
	scripts/ci/api-client.py

# The pages of a server with the samples, in Chromium: walked through with scripts and without, checked by axe-core;
# leaves screenshots in .build/pages. SIZE=all takes every width, light and dark. Then signing in at an identity
# provider, and installing apps and their updates as phones, tablets and computers do.
WALKS = 390-light 1280-dark-noscript first-run
test-pages: build
	@scripts/ci/deps $(BROWSER_PACKAGES) zbar-tools
	scripts/ci/pages.py --mayday $(MAYDAY) $(if $(filter all,$(SIZE)),,$(addprefix --only ,$(WALKS)))
	scripts/ci/sign-in.py --mayday $(MAYDAY)
	scripts/ci/phones.py --mayday $(MAYDAY)

# Alerts of a server, sent to mail servers and a receiver of webhooks.
test-alerts: build
	@scripts/ci/deps python3 python3-venv openssl
	scripts/ci/alerts.py --mayday $(MAYDAY)

# The workflows of docs/use/ci.md, run as GitHub Actions and GitLab run them.
test-workflows: build
	@scripts/ci/deps python3 python3-venv
	scripts/ci/workflows.py --mayday $(MAYDAY)

# The tools of the Model Context Protocol, used by the client of the package mcp.
test-mcp: build
	@scripts/ci/deps python3 python3-venv
	scripts/ci/model-context.py --mayday $(MAYDAY)

# The jobs of examples/batch on GNU parallel, Dask, Ray and Spark, and as Kubernetes, AWS Batch and Slurm run them, with
# processes killed, against one run. REPORTS is how many are made, ENGINE takes one engine only.
REPORTS ?= 20000
test-batch: build
	@scripts/ci/deps python3 python3-venv parallel openjdk-17-jre-headless
	scripts/ci/batch.py --mayday $(MAYDAY) --reports $(REPORTS) $(addprefix --only ,$(ENGINE))

lint:
	@scripts/ci/deps python3 python3-venv
	"$$(scripts/ci/venv)/bin/ruff" check
	scripts/bench/page.py --check
	$(SWIFT) format lint --recursive --parallel --strict Package.swift Sources Tests

# Whether samples and debug files hold paths of the machine that made them, or lack a debug file.
check-samples:
	@scripts/ci/deps binutils
	Symbols/recipes/check-samples.sh

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

# The compiled form of the grouping rules, after a change of a list.
rules:
	MAYDAY_RENEW_GOLDEN=1 $(MAKE) test FILTER=CompiledRulesTests

# Writes the expected outputs of the tests anew; look at the difference before committing it.
golden: deps
	$(BUILD) --build-tests
	MAYDAY_RENEW_GOLDEN=1 $(TESTING) .build/release/$(BUNDLE)

# Writes the list of statements that the store puts together while it runs anew: the tests of the store write
# down what they prepare, and one of them takes from it what it needs.
statements: deps
	rm -f .build/statements.sql
	MAYDAY_RECORD_STATEMENTS=$(CURDIR)/.build/statements.sql SWIFT_BACKTRACE=enable=no $(SWIFT) test \
	  --filter 'CrashStoreTests|ServerStoreTests|UploadsTests|HomeArchiveTests|PipelineTests' || true
	MAYDAY_STATEMENTS=$(CURDIR)/.build/statements.sql SWIFT_BACKTRACE=enable=no $(SWIFT) test \
	  --filter PortableStatementTests

# What became of a folder of real crash and debug files, and how good their titles are: make corpus CORPUS=dir
# SYMBOLS=dir. Fails where more than UNREAD files are not read, or are read as another format, or a look-up differs.
corpus: deps
	@test -n "$(CORPUS)" || { echo "usage: make corpus CORPUS=dir"; exit 2; }
	$(BUILD) --product mayday-bench
	SWIFT_BACKTRACE=enable=no .build/release/mayday-bench corpus $(CORPUS) --unread $(UNREAD) $(SYMBOLS)

# Reports as Mayday reads them beside what small parsers in Python read, of the samples and generated inputs, or of a
# folder of real files; ONLY="go java" compares these families.
cross-check: build
	@scripts/ci/deps python3
	scripts/cross-check/cross-check.py $(CORPUS) $(addprefix --only ,$(ONLY))

# Decoded instructions beside those of objdump: of libraries, and every form of every opcode of x86-64.
decode-oracle: deps
	@scripts/ci/deps python3 binutils
	$(BUILD) --product mayday-bench
	scripts/oracles/decode-oracle.py

# What artefacts of releases say, as Mayday reads them beside what scripts/oracles/artefacts.py reads;
# FILES="a.ipa b.apk" for others than those of the project.
artefacts: build
	@scripts/ci/deps python3
	scripts/oracles/artefacts.py --mayday $(MAYDAY) \
	  $(or $(FILES),$(filter-out %.py %.md,$(wildcard Artefacts/*)))

# Signatures for Sparkle beside those of PyNaCl.
sparkle: build
	@scripts/ci/deps python3 python3-venv
	scripts/oracles/sparkle.py $(MAYDAY)

# Logs of App Center's SDKs in a folder, posted as the SDKs do, and what comes of them compared with what
# they say: make appcenter CORPUS=dir
appcenter: build
	@scripts/ci/deps python3
	@test -n "$(CORPUS)" || { echo "usage: make appcenter CORPUS=dir"; exit 2; }
	scripts/oracles/appcenter.py $(CORPUS)

# Speed and memory beside the peers; SIZE=large fetches the large inputs too.
RUNS ?= 5
REPORTS ?= 100000
bench:
	@scripts/ci/deps $(BENCH_PACKAGES)
	@scripts/ci/archives
	$(BUILD)
	scripts/bench/symbols.py --size $(if $(filter large,$(SIZE)),large,small) --runs $(RUNS)
	scripts/bench/store.py --reports $(REPORTS)
	scripts/bench/pages.py --reports $(REPORTS)
	scripts/bench/server.py
	scripts/bench/updates.py
	scripts/bench/page.py

# Instructions and peaks of memory, compared with the best of bench/figures.tsv; RENEW=1 writes the values there,
# and REASON="..." why they changed.
RENEW ?=
REASON ?=
bench-quick:
	@scripts/ci/deps valgrind time binutils python3
	@scripts/ci/archives
	$(BUILD) --product mayday
	$(BUILD) --product mayday-bench
	scripts/bench/quick.py $(if $(RENEW),--renew) $(if $(REASON),--reason "$(REASON)")

# Every script of `make bench` in its smallest form, without peers that are fetched: shows that none is broken.
bench-smoke:
	@scripts/ci/deps python3 binutils
	@scripts/ci/archives
	$(BUILD) --product mayday
	$(BUILD) --product mayday-bench
	scripts/bench/symbols.py --smoke
	scripts/bench/store.py --smoke
	scripts/bench/pages.py --smoke
	scripts/bench/server.py --smoke
	scripts/bench/updates.py --smoke

# Look-ups beside those of other symbolizers, differences judged by the DWARF; FILES="a.debug b.dSYM"
# or, without, the inputs of `make bench` and every flavour of the generated program. PACKAGES=fresh takes five
# debug packages that apt knows and that no run took before, chosen by the day.
FILES ?=
PACKAGES ?=
ADDRESSES ?= 4000
oracle:
	@scripts/ci/deps $(BENCH_PACKAGES) $(ORACLE_PACKAGES)
	@scripts/ci/archives
	$(BUILD)
	scripts/oracles/oracle.py --addresses $(ADDRESSES) $(if $(filter fresh,$(PACKAGES)),--fresh 5) $(FILES)

# Retraced calls beside those of symbolic, for MAPPINGS="mapping.txt ...".
MAPPINGS ?=
retrace-oracle:
	@scripts/ci/deps python3 python3-venv
	@scripts/ci/archives
	$(BUILD)
	scripts/oracles/retrace-oracle.py $(MAPPINGS)

# Positions in scripts beside those of symbolic, for MAPS="main.js.map ...".
MAPS ?=
sourcemap-oracle:
	@scripts/ci/deps python3 python3-venv
	@scripts/ci/archives
	$(BUILD)
	scripts/oracles/sourcemap-oracle.py $(MAPS)

# Walked stacks beside those of gdb and eu-stack, and beside the calls of programs that are stepped. Needs a
# core_pattern that is a plain name.
walk-oracle:
	@scripts/ci/deps $(WALK_PACKAGES)
	@scripts/ci/archives
	$(BUILD)
	scripts/oracles/walk-oracle.py

# Unwind rules beside those of readelf for FILES="a.so ..."; without, those of made-up STACK WIN records beside
# Breakpad's.
unwind-oracle: build
	@scripts/ci/deps python3 python3-venv binutils
	scripts/oracles/unwind-oracle.py $(FILES)

# Demangled names of FILES="program names.txt ..." beside those of llvm-nm.
demangle-oracle: deps
	$(BUILD) --product mayday-bench
	scripts/oracles/demangle.py $(FILES)

# The values that the tests of statistics compare with.
figures:
	@scripts/ci/deps python3
	scripts/oracles/first-bad.py > Tests/Ground/StatisticsTests/Golden/first-bad.jsonl
	scripts/oracles/fisher.py

# Compiles, runs and crashes the sample programs again; needs the packages that the script names.
samples:
	Symbols/recipes/make-samples.sh

# Changed input for every reader, or TARGET="reports json" alone, for so many seconds each.
SECONDS ?= 60
TARGET ?=
fuzz: deps
	@scripts/ci/fuzz $(TARGET) $(SECONDS)

# Files of 1 MB that are made to cost much, and what they cost.
hostile:
	@scripts/ci/deps python3
	$(BUILD) --product mayday
	scripts/attack/hostile.py

# Hostile requests, pauses and floods against the built server on 127.0.0.1; ONLY="heads floods" runs the
# checks with such names.
ONLY ?=
attack:
	@scripts/ci/deps python3 python3-venv
	$(BUILD)
	scripts/attack/attack.py $(ONLY)

clean:
	rm -rf .build .bench .fuzz

# Every target first installs missing packages (scripts/setup).

ARGS ?=
CONFIGURATION ?= release
PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help run build test interop browser examples kits bench lint format reference docs sanitize fuzz dist check-dist install uninstall clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build and run the server: make run ARGS="--strict"
	@exec "$$(swift build -c $(CONFIGURATION) --show-bin-path)/mock-apns" $(ARGS)

build: ## Build the release executable
	@scripts/setup build
	@scripts/build-executable $(CONFIGURATION)

test: ## Run all tests, including clients in other languages
	@scripts/setup test
	@scripts/test

interop: ## Run only the clients in other languages: make interop ARGS="curl node"
	@scripts/setup test
	@scripts/build-executable debug
	@MOCK_APNS_BIN="$$(swift build --show-bin-path)/mock-apns" Tests/Interop/run $(ARGS)

browser: ## Run only the browser tests of the page: make browser ARGS="places faults"
	@scripts/setup test
	@scripts/build-executable debug
	@MOCK_APNS_BIN="$$(swift build --show-bin-path)/mock-apns" Tests/Browser/run $(ARGS)

examples: ## Run the examples of tests: make examples ARGS="python go"
	@scripts/setup test
	@scripts/build-executable debug
	@MOCK_APNS_BIN="$$(swift build --show-bin-path)/mock-apns" examples/run $(ARGS)

kits: ## Run the tests of the kits of other languages: make kits ARGS="python node"
	@scripts/setup test
	@scripts/build-executable debug
	@MOCK_APNS_BIN="$$(swift build --show-bin-path)/mock-apns" kits/run $(ARGS)

bench: build ## Compare with nghttpd: make bench ARGS=--quick
	@scripts/setup test
	@scripts/bench $(ARGS)

lint: ## Check format, architecture rules, shell scripts and workflows
	@scripts/setup test
	@scripts/lint

format: ## Format the Swift sources
	@scripts/setup build
	@swift format --in-place --recursive Fuzz Sources Tests Package.swift

reference: ## Generate docs/reference.md and docs/lints.md, the tables of docs/api.md, and the page of differences
	@scripts/setup build
	@scripts/build-executable debug
	@"$$(swift build --show-bin-path)/mock-apns" reference > docs/reference.md
	@"$$(swift build --show-bin-path)/mock-apns" reference --lints > docs/lints.md
	@"$$(swift build --show-bin-path)/mock-apns" reference --update docs/api.md > .build/api.md && cp .build/api.md docs/api.md
	@scripts/page-table

docs: ## Build the documentation of MockAPNsTesting
	@scripts/setup build
	@MOCK_APNS_DOCS=1 swift package generate-documentation --target MockAPNsTesting \
		--warnings-as-errors

sanitize: ## Run the Swift tests under the address and thread sanitizers
	@scripts/setup build
	@scripts/sanitize $(ARGS)

fuzz: ## Fuzz parsers, rules and HTTP/2 sessions: make fuzz ARGS="--seconds 60 json http2"
	@scripts/setup build fuzz
	@scripts/fuzz $(ARGS)

dist: ## Make the files that install, in .build/dist: make dist ARGS="deb wheel"
	@scripts/setup build dist
	@scripts/dist $(ARGS)

check-dist: dist ## Install and run each of these files in bare systems: make check-dist
	@scripts/setup build check-dist
	@scripts/check-dist

install: build ## Install the executable, manual and completions: make install PREFIX=/usr/local
	@scripts/install "$(PREFIX)"

uninstall: ## Remove what make install has installed
	@scripts/install --remove "$(PREFIX)"

clean: ## Remove all build products
	@rm -rf .build

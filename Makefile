# SPDX-License-Identifier: Apache-2.0
# Shortcuts for meson and the scripts of this repository: every target runs a few commands that can also be typed by hand.

BUILD ?= build
SETUP ?= -Dgui=enabled
SECONDS ?= 60

# Package names are those of Debian 12.
BUILD_PACKAGES = gcc libc6-dev pkg-config meson ninja-build python3 gettext desktop-file-utils \
  libglib2.0-dev libglib2.0-dev-bin libjson-glib-dev libsqlite3-dev zlib1g-dev liblzma-dev libisal-dev nettle-dev libarchive-dev libcairo2-dev libpango1.0-dev \
  libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev
RUN_PACKAGES = adwaita-icon-theme at-spi2-core fonts-cantarell fonts-dejavu-core librsvg2-common shared-mime-info
TEST_PACKAGES = appstream binutils clang-format dbus-daemon gir1.2-atspi-2.0 libglib2.0-bin libxtst6 locales \
  python3-gi xauth xvfb zstd
FUZZ_PACKAGES = clang libclang-rt-14-dev
TIDY_PACKAGES = clang-tidy
COVERAGE_PACKAGES = gcovr
DEB_PACKAGES = debhelper dpkg-dev lintian

.PHONY: all deps test-deps build programs run show draw check check-long bench install uninstall deb help-html format tidy coverage fuzz clean
all: build

deps:
	@.ci/install-packages $(BUILD_PACKAGES) $(RUN_PACKAGES)

test-deps: deps
	@.ci/install-packages $(TEST_PACKAGES)

build: $(BUILD)/build.ninja
	meson compile -C $(BUILD)

programs: $(BUILD)/build.ninja
	meson compile -C $(BUILD) programs

%/build.ninja:
	meson setup $(SETUP) $*

# With a display, opens the sample run in the window; without one, draws its timeline into a picture file.
run: deps
	@$(MAKE) --no-print-directory programs
	@$(MAKE) --no-print-directory $(if $(DISPLAY)$(WAYLAND_DISPLAY),show,draw)

show:
	GSETTINGS_SCHEMA_DIR=$(BUILD)/data $(BUILD)/src/app/traceloom data/sample

# `render` already prints the notes about the sample; --quiet keeps `merge` from printing them a second time.
draw:
	@echo "There is no display: drawing the sample run as a picture and merging it, instead of opening a window."
	$(BUILD)/src/cli/traceloom-cli render data/sample -o $(BUILD)/sample.png
	$(BUILD)/src/cli/traceloom-cli merge data/sample -o $(BUILD)/sample-merged.json --quiet
	@echo "The picture is $(BUILD)/sample.png, the merged timeline $(BUILD)/sample-merged.json."

check: test-deps
	@python3 tests/run-checks.py

# `check` tests a seeded sample of truncated files, damaged copies and corpus files; `check-long` tests all of them. It also
# runs the tests under the thread sanitizer, with a GLib that is built for it from Debian's source.
check-long: test-deps
	@python3 tests/check-threads.py; threads=$$?; python3 tests/run-checks.py --long && exit $$threads

bench: deps
	@$(MAKE) --no-print-directory build BUILD=build-bench SETUP='-Dbench=true -Dgui=enabled --buildtype=release'
	meson test -C build-bench --benchmark --verbose

# PREFIX=/usr changes the installation prefix. DESTDIR means that a package is made: its metadata name the dependencies, so
# none are installed here.
install: $(if $(DESTDIR),,deps)
	@$(MAKE) --no-print-directory -s $(BUILD)/build.ninja
	$(if $(PREFIX),meson configure $(BUILD) -Dprefix=$(PREFIX))
	@$(MAKE) --no-print-directory programs
	@meson install -C $(BUILD) --no-rebuild || { echo "The installation failed. To install for all users, run: sudo make install." \
	  "To install for yourself, run: make install PREFIX=$$HOME/.local" >&2; exit 1; }

uninstall:
	@python3 data/uninstall.py $(BUILD)

# Builds Debian packages in build-deb with the packaging in data/debian, and checks them with lintian.
deb: deps
	@.ci/install-packages $(DEB_PACKAGES)
	python3 data/make-deb.py build-deb
	lintian --allow-root --fail-on error --tag-display-limit 0 build-deb/*.changes
	@echo "Install the window, the command line and the sample run with:"
	@echo "  sudo apt install ./build-deb/traceloom{,-cli,-data}_*.deb"

# Writes the user guide as HTML pages for a web server, in every language.
help-html:
	python3 data/make-help-html.py $(BUILD)/help
	@echo "The first page is $(BUILD)/help/index.html."

format:
	find src tests -name '*.[ch]' -exec clang-format -i {} +

# Checks the sources that differ from origin/main, or with FILES="src/scan" those of a folder. Checking all takes about ten minutes.
tidy: $(BUILD)/build.ninja
	@.ci/install-packages $(TIDY_PACKAGES)
	python3 tests/run-tidy.py $(BUILD) $(FILES)

# Writes build-coverage/coverage.html: the lines that tests of the layers below the window run, by layer and file.
coverage: test-deps
	@.ci/install-packages $(COVERAGE_PACKAGES)
	@python3 tests/run-coverage.py build-coverage

# Runs each fuzz target for SECONDS seconds. Inputs that reach new code are kept in build-fuzz/corpus, inputs that crash in
# build-fuzz/findings. -fno-sanitize=pointer-overflow: clang would report NULL + 0, which is harmless; the address sanitizer
# still finds reads out of bounds.
fuzz:
	@.ci/install-packages $(BUILD_PACKAGES) $(FUZZ_PACKAGES)
	@CC=clang $(MAKE) --no-print-directory build BUILD=build-fuzz SETUP='-Dfuzz=true -Dgui=disabled -Db_lundef=false \
	  -Db_sanitize=address,undefined \
	  "-Dc_args=-fsanitize=fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize=pointer-overflow"'
	@python3 tests/fuzz/run-fuzz.py build-fuzz $(SECONDS)

clean:
	rm -rf $(BUILD) build-check build-sanitize build-bench build-fuzz build-tsan build-threads build-deb build-coverage

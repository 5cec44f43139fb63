# SPDX-License-Identifier: Apache-2.0
# Thin over meson: every target is a handful of commands that can be typed by hand.

BUILD ?= build
SETUP ?= -Dgui=enabled
SECONDS ?= 60

# Debian 12's names.
BUILD_PACKAGES = gcc libc6-dev pkg-config meson ninja-build python3 gettext desktop-file-utils \
  libglib2.0-dev libglib2.0-dev-bin libjson-glib-dev libsqlite3-dev zlib1g-dev libisal-dev libarchive-dev libcairo2-dev libpango1.0-dev \
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

# With a display the sample run opens in the window, without one the same timeline becomes a picture.
run: deps
	@$(MAKE) --no-print-directory programs
	@$(MAKE) --no-print-directory $(if $(DISPLAY)$(WAYLAND_DISPLAY),show,draw)

show:
	GSETTINGS_SCHEMA_DIR=$(BUILD)/data $(BUILD)/src/app/traceloom data/sample

# What there is to say of the sample the first says; the second would say it again.
draw:
	@echo "No display here: the sample run is drawn and merged instead of opened."
	$(BUILD)/src/cli/traceloom-cli render data/sample -o $(BUILD)/sample.png
	$(BUILD)/src/cli/traceloom-cli merge data/sample -o $(BUILD)/sample-merged.json --quiet
	@echo "The picture is $(BUILD)/sample.png, the merged timeline $(BUILD)/sample-merged.json."

check: test-deps
	@python3 tests/run-checks.py

# What check tries of a seeded sample (cuts, damaged copies, the reading of the corpus), this tries whole; and the thread
# sanitizer, with a GLib built for it from Debian's source.
check-long: test-deps
	@python3 tests/check-threads.py; threads=$$?; python3 tests/run-checks.py --long && exit $$threads

bench: deps
	@$(MAKE) --no-print-directory build BUILD=build-bench SETUP='-Dbench=true -Dgui=enabled --buildtype=release'
	meson test -C build-bench --benchmark --verbose

# PREFIX=/usr changes the place. With DESTDIR somebody makes a package, and says elsewhere what it needs.
install: $(if $(DESTDIR),,deps)
	@$(MAKE) --no-print-directory -s $(BUILD)/build.ninja
	$(if $(PREFIX),meson configure $(BUILD) -Dprefix=$(PREFIX))
	@$(MAKE) --no-print-directory programs
	@meson install -C $(BUILD) --no-rebuild || { echo "Nothing, or not all, was installed. Where only root may write:" \
	  "sudo make install; for yourself alone: make install PREFIX=$$HOME/.local" >&2; exit 1; }

uninstall:
	@python3 data/uninstall.py $(BUILD)

# Debian packages in build-deb, by the packaging in data/debian, and what lintian says of them.
deb: deps
	@.ci/install-packages $(DEB_PACKAGES)
	python3 data/make-deb.py build-deb
	lintian --fail-on error --tag-display-limit 0 build-deb/*.changes

# The user guide for a web server, in every language.
help-html:
	python3 data/make-help-html.py $(BUILD)/help
	@echo "The first page is $(BUILD)/help/index.html."

format:
	find src tests -name '*.[ch]' -exec clang-format -i {} +

# The sources that differ from origin/main, FILES="src/scan" those below a folder; all take about ten minutes.
tidy: $(BUILD)/build.ninja
	@.ci/install-packages $(TIDY_PACKAGES)
	python3 tests/run-tidy.py $(BUILD) $(FILES)

# Lines that the tests below the window run, by layer and file, in build-coverage/coverage.html.
coverage: test-deps
	@.ci/install-packages $(COVERAGE_PACKAGES)
	@python3 tests/run-coverage.py build-coverage

# Every target for SECONDS seconds; what it found stays in build-fuzz/corpus, what broke it in build-fuzz/findings.
# Clang minds NULL + 0, which reads nothing; what reads beyond its bytes the address sanitizer sees.
fuzz:
	@.ci/install-packages $(BUILD_PACKAGES) $(FUZZ_PACKAGES)
	@CC=clang $(MAKE) --no-print-directory build BUILD=build-fuzz SETUP='-Dfuzz=true -Dgui=disabled -Db_lundef=false \
	  -Db_sanitize=address,undefined \
	  "-Dc_args=-fsanitize=fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize=pointer-overflow"'
	@python3 tests/fuzz/run-fuzz.py build-fuzz $(SECONDS)

clean:
	rm -rf $(BUILD) build-check build-sanitize build-bench build-fuzz build-tsan build-threads build-deb build-coverage

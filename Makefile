# librrm - two programs, train and predict.
#
#   make              ./train and ./predict, and the converters
#   make test         every test          make asan    the same under sanitizers
#   make fuzz         each reader, FUZZ_SECONDS long
#   make bench        tables of speed     make format  clang-format in place
#   make install      PREFIX=/usr/local, DESTDIR=
#
# For another machine: make CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar. CPPFLAGS and LDFLAGS say where
# its zlib is; what has to run while building is then built once more, by CC_FOR_BUILD.

CC = gcc
CPPFLAGS =
CFLAGS = -O3 -g
CFLAGS_EXTRA =
PREFIX = /usr/local
DESTDIR =
BUILD = build
BIN = .

STANDARD = -std=c11 -D_GNU_SOURCE -I. -fopenmp -fno-math-errno
WARNINGS = -Wall -Wextra
LDLIBS = -lz -lm

# The layers, the lowest first: each calls and includes only what stands before it, or beside it.
LAYERS = math io kernel matrix risk prediction solvers training cli
LIBRARY := $(sort $(shell find $(LAYERS) -name '*.c'))
OBJECTS := $(LIBRARY:%.c=$(BUILD)/%.o)
COMPILE = $(CC) $(STANDARD) $(CPPFLAGS) $(WARNINGS) $(CFLAGS) $(CFLAGS_EXTRA)

# Programs of another machine's compiler do not run here.
other_machine := $(filter-out $(shell uname -m),$(firstword $(subst -, ,$(shell $(CC) -dumpmachine))))
CC_FOR_BUILD = $(if $(other_machine),cc,$(CC))

.PHONY: all
all: $(BIN)/train $(BIN)/predict

$(BIN)/train $(BIN)/predict: $(BIN)/%: $(BUILD)/%.o $(BUILD)/librrm.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

$(BUILD)/librrm.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# Before all else, so that a compiler for 32 bits stops at one line.
$(BUILD)/io/word_size.o: io/word_size.c
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.c | $(BUILD)/io/word_size.o
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

include data/data.mk

# The man pages come from the same tables as --help, and the one of the file formats from the README.
PROGRAMS = train predict $(CONVERTERS)
.PHONY: man
man: $(PROGRAMS:%=$(BIN)/%.1) $(BIN)/formats.5

ifeq ($(other_machine),)
RUNS = $(BIN)
else
RUNS = $(BUILD)/runs
$(PROGRAMS:%=$(RUNS)/%): runs ;
.PHONY: runs
runs:
	$(MAKE) BUILD=$(RUNS) BIN=$(RUNS) CC='$(CC_FOR_BUILD)' AR=ar CPPFLAGS= LDFLAGS= CFLAGS=-O1 CFLAGS_EXTRA= \
	  $(PROGRAMS:%=$(RUNS)/%)
endif

$(PROGRAMS:%=$(BIN)/%.1): $(BIN)/%.1: $(RUNS)/%
	$(abspath $<) --man > $@.new && mv $@.new $@

$(BIN)/formats.5: cli/formats.awk cli/version.h README.md
	@mkdir -p $(@D)
	awk -f $^ > $@.new && mv $@.new $@

BINARIES = $(DESTDIR)$(PREFIX)/bin
MANUAL = $(DESTDIR)$(PREFIX)/share/man

.PHONY: install uninstall clean
install: all man
	install -d $(BINARIES) $(MANUAL)/man1 $(MANUAL)/man5
	for name in $(PROGRAMS); do \
	  install -m 755 $(BIN)/$$name $(BINARIES)/librrm-$$name && \
	  install -m 644 $(BIN)/$$name.1 $(MANUAL)/man1/librrm-$$name.1 || exit 1; \
	done
	install -m 644 $(BIN)/formats.5 $(MANUAL)/man5/librrm-formats.5

uninstall:
	for name in $(PROGRAMS); do \
	  rm -f $(BINARIES)/librrm-$$name $(MANUAL)/man1/librrm-$$name.1; \
	done
	rm -f $(MANUAL)/man5/librrm-formats.5

clean:
	rm -rf $(BUILD) $(PROGRAMS:%=$(BIN)/%) $(PROGRAMS:%=$(BIN)/%.1) $(BIN)/formats.5

-include $(OBJECTS:.o=.d) $(BUILD)/train.d $(BUILD)/predict.d

include tests/tests.mk
include tests/fuzz/fuzz.mk
include bench/bench.mk

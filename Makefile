# librrm - two programs, train and predict.
#
#   make              ./train and ./predict, and the converters
#   make test         every test          make asan    the same under sanitizers
#   make fuzz         each reader, FUZZ_SECONDS long
#   make bench        tables of speed     make format  clang-format in place
#   make install      PREFIX=/usr/local, DESTDIR=

CC = gcc
CFLAGS = -O3 -g
CFLAGS_EXTRA =
PREFIX = /usr/local
DESTDIR =
BUILD = build
BIN = .

STANDARD = -std=c11 -D_GNU_SOURCE -I. -fopenmp -fno-math-errno
WARNINGS = -Wall -Wextra
LDLIBS = -lz -lm

LIBRARY := $(sort $(wildcard io/*.c kernel/*.c math/*.c risk/*.c solvers/*.c cli/*.c))
OBJECTS := $(LIBRARY:%.c=$(BUILD)/%.o)
COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(CFLAGS) $(CFLAGS_EXTRA)

.PHONY: all
all: $(BIN)/train $(BIN)/predict

$(BIN)/train $(BIN)/predict: $(BIN)/%: $(BUILD)/%.o $(BUILD)/librrm.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

$(BUILD)/librrm.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

# The man pages come from the same tables as --help.
.PHONY: man
man: $(BIN)/train.1 $(BIN)/predict.1

$(BIN)/train.1 $(BIN)/predict.1: %.1: %
	$(abspath $<) --man > $@.new && mv $@.new $@

MAN1 = $(DESTDIR)$(PREFIX)/share/man/man1

.PHONY: install uninstall clean
install: all man
	install -d $(DESTDIR)$(PREFIX)/bin $(MAN1)
	for name in train predict; do \
	  install -m 755 $(BIN)/$$name $(DESTDIR)$(PREFIX)/bin/librrm-$$name && \
	  install -m 644 $(BIN)/$$name.1 $(MAN1)/librrm-$$name.1 || exit 1; \
	done
	for name in $(CONVERTERS); do \
	  install -m 755 $(BIN)/$$name $(DESTDIR)$(PREFIX)/bin/librrm-$$name || exit 1; \
	done

uninstall:
	for name in train predict; do \
	  rm -f $(DESTDIR)$(PREFIX)/bin/librrm-$$name $(MAN1)/librrm-$$name.1; \
	done
	for name in $(CONVERTERS); do \
	  rm -f $(DESTDIR)$(PREFIX)/bin/librrm-$$name; \
	done

clean:
	rm -rf $(BUILD) $(BIN)/train $(BIN)/predict $(BIN)/train.1 $(BIN)/predict.1 $(CONVERTERS:%=$(BIN)/%) $(CONVERTERS:%=$(BIN)/%)

-include $(OBJECTS:.o=.d) $(BUILD)/train.d $(BUILD)/predict.d

include data/data.mk
include tests/tests.mk
include tests/fuzz/fuzz.mk
include bench/bench.mk

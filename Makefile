# librrm - two programs, train and predict.
#
#   make              ./train and ./predict
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

STANDARD = -std=c11 -D_GNU_SOURCE -I. -fopenmp
WARNINGS = -Wall -Wextra
LDLIBS = -lz -lm

LIBRARY := $(sort $(wildcard io/*.c math/*.c risk/*.c solvers/*.c cli/*.c))
OBJECTS := $(LIBRARY:%.c=$(BUILD)/%.o)
COMPILE = $(CC) $(STANDARD) $(WARNINGS) $(CFLAGS) $(CFLAGS_EXTRA)

.PHONY: all
all: $(BIN)/train $(BIN)/predict

$(BIN)/train $(BIN)/predict: $(BIN)/%: $(BUILD)/%.o $(BUILD)/librrm.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

$(BUILD)/librrm.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d) $(BUILD)/train.d $(BUILD)/predict.d

include tests/tests.mk

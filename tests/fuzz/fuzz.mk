# Fuzzing: tests/fuzz/fuzz_NAME.c with seeds in tests/fuzz/seeds/NAME, each for FUZZ_SECONDS.
# A target with the name of a converter has its parts, data/NAME_*.c.
# What the fuzzer finds stays in the build folder; a crash there is a file to keep as a test.

FUZZ_SECONDS = 60
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/fuzz_%)
FUZZ_CFLAGS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_COMPILE = clang $(STANDARD) $(CPPFLAGS) $(WARNINGS) $(FUZZ_CFLAGS) -fsanitize=fuzzer

# The library, compiled once for all targets.
FUZZ_LIBRARY = $(BUILD)/fuzz/internal.a
.PHONY: fuzz-library
fuzz-library:
	$(MAKE) BUILD=$(BUILD)/fuzz CC=clang CFLAGS='$(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link' $(FUZZ_LIBRARY)

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c fuzz-library $(wildcard data/*_*.c) $(COLUMN_OBJECTS:$(BUILD)/%.o=%.c)
	$(FUZZ_COMPILE) -o $@ $< $(wildcard data/$*_*.c) $(if $(filter conll,$*),$(COLUMN_OBJECTS:$(BUILD)/%.o=%.c)) $(FUZZ_LIBRARY) $(LDFLAGS) $(LDLIBS)

FUZZ_RUNS := $(FUZZ_TARGETS:%=fuzz-%)
.PHONY: fuzz $(FUZZ_RUNS)
fuzz: $(FUZZ_RUNS)

$(FUZZ_RUNS): fuzz-%: $(BUILD)/fuzz/fuzz_%
	@mkdir -p $(BUILD)/fuzz/corpus/$*
	@$< -max_total_time=$(FUZZ_SECONDS) -timeout=10 -print_final_stats=1 \
	  -artifact_prefix=$(BUILD)/fuzz/$*- $(BUILD)/fuzz/corpus/$* tests/fuzz/seeds/$*

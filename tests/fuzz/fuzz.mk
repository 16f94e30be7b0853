# Fuzzing: tests/fuzz/fuzz_NAME.c with seeds in tests/fuzz/seeds/NAME, each for FUZZ_SECONDS.
# What the fuzzer finds stays in the build folder; a crash there is a file to keep as a test.

FUZZ_SECONDS = 60
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/fuzz_%)
FUZZ_COMPILE = clang $(STANDARD) $(WARNINGS) -O1 -g -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=undefined

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(LIBRARY) $(wildcard */*.h)
	@mkdir -p $(@D)
	$(FUZZ_COMPILE) -o $@ $< $(LIBRARY) $(LDFLAGS) $(LDLIBS)

.PHONY: fuzz
fuzz: $(FUZZ_PROGRAMS)
	@set -e; for name in $(FUZZ_TARGETS); do \
	  mkdir -p $(BUILD)/fuzz/corpus/$$name; \
	  $(BUILD)/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) -timeout=10 -print_final_stats=1 \
	    -artifact_prefix=$(BUILD)/fuzz/$$name- \
	    $(BUILD)/fuzz/corpus/$$name tests/fuzz/seeds/$$name; \
	done

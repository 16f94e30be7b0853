# Fuzzing: tests/fuzz/fuzz_NAME.c with seeds in tests/fuzz/seeds/NAME, each for FUZZ_SECONDS, all seeds first. The
# library is that of `make asan`.
# A target with the name of a converter has its parts, data/NAME_*.c.
# What the fuzzer finds stays in the build folder; a crash there is a file to keep as a test.

FUZZ_SECONDS = 60
FUZZ_LIMIT = -max_total_time=$(FUZZ_SECONDS)
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/fuzz_%)

fuzz_parts = $(patsubst %.c,$(BUILD)/%.o,$(wildcard data/$(1)_*.c))
$(foreach name,$(FUZZ_TARGETS),$(eval $(BUILD)/tests/fuzz/fuzz_$(name): $(call fuzz_parts,$(name))))

$(FUZZ_PROGRAMS): $(SCHEDULES)
$(BUILD)/tests/fuzz/fuzz_conll: $(COLUMN_OBJECTS)
$(BUILD)/tests/fuzz/fuzz_table: $(TABLE_OBJECTS)

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/internal.a
	$(COMPILE) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(BUILD)/internal.a $(LDFLAGS) $(LDLIBS)

.PHONY: fuzz fuzz-programs
fuzz:
	+@$(SANITIZED) fuzz-runs

fuzz-programs: $(FUZZ_PROGRAMS)

FUZZ_RUNS := $(FUZZ_TARGETS:%=fuzz-run-%)
.PHONY: fuzz-runs $(FUZZ_RUNS)
fuzz-runs: $(FUZZ_RUNS)

$(FUZZ_RUNS): fuzz-run-%: $(BUILD)/tests/fuzz/fuzz_%
	@mkdir -p $(BUILD)/fuzz/corpus/$*
	@$< $(FUZZ_LIMIT) -timeout=10 -print_final_stats=1 \
	  -artifact_prefix=$(BUILD)/fuzz/$*- $(BUILD)/fuzz/corpus/$* tests/fuzz/seeds/$*

-include $(FUZZ_PROGRAMS:=.d)

# Tests: cmocka programs in the folders of what they test (tests/FOLDER/test_*.c), scripts that run the binaries
# (tests/end-to-end/*.sh BIN).

TESTS := $(sort $(shell find tests -name 'test_*.c'))
TEST_PROGRAMS := $(TESTS:tests/%.c=$(BUILD)/tests/%)
LONG_SCRIPTS := $(addprefix tests/end-to-end/,sparse.sh sequences.sh multiclass.sh accelerated.sh rna.sh batch.sh path.sh)
TEST_SCRIPTS := $(LONG_SCRIPTS) $(filter-out $(LONG_SCRIPTS),$(sort $(wildcard tests/end-to-end/*.sh)))
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))

$(BUILD)/tests/data/test_corpus: $(COLUMN_OBJECTS)

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/internal.a
	$(COMPILE) -o $@ $(filter %.o,$^) $(BUILD)/internal.a $(LDFLAGS) -lcmocka $(LDLIBS)

# Of these every allocation comes by the test (tests/failing_memory.h).
WRAPPED = malloc calloc realloc aligned_alloc strdup strndup realpath fopen fdopen fopencookie setvbuf inflateInit2_
MEMORY_TESTS = $(BUILD)/tests/cli/test_train_memory $(BUILD)/tests/cli/test_predict_memory
$(MEMORY_TESTS): LDFLAGS += $(WRAPPED:%=-Wl,--wrap=%)
$(MEMORY_TESTS): $(BUILD)/tests/train_main.o $(BUILD)/tests/predict_main.o
$(BUILD)/tests/test_rrm_memory: LDFLAGS += $(foreach name,$(filter %alloc,$(WRAPPED)),-Wl,--wrap=$(name))

$(BUILD)/tests/%_main.o: %.c # the program, to be called
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -Dmain=$*_main -c -o $@ $<

# What tells most in little time: the command lines, and the programs that take less than two seconds.
SMOKE_SCRIPTS = $(addprefix tests/end-to-end/,train.sh predict.sh kernel_predict.sh stream.sh)
LONG_TESTS = $(addprefix test_,agm ball box_plane box_plane_work box_qp bundle cutting_plane decomposition dual_form \
	ipm lps number proximal_bundle smoothed_risk sparse svmlight_sources window)
LONG_PROGRAMS = $(foreach name,$(LONG_TESTS),$(filter %/$(name),$(TEST_PROGRAMS)))
QUICK_PROGRAMS = $(filter-out $(LONG_PROGRAMS),$(TEST_PROGRAMS))

.PHONY: programs test test-programs test-smoke asan
programs: all $(TEST_PROGRAMS) $(BENCH_PROGRAMS) $(BUILD)/data/make_samples

# Everything; the programs and the scripts of the command lines; the quick ones of these. The longest first.
test: $(TEST_PROGRAMS) all
	@sh tests/run.sh $(BIN) $(TEST_SCRIPTS) $(TEST_PROGRAMS)

test-programs: $(TEST_PROGRAMS) all
	@sh tests/run.sh $(BIN) $(LONG_PROGRAMS) $(SMOKE_SCRIPTS) $(QUICK_PROGRAMS)

test-smoke: $(QUICK_PROGRAMS) all
	@sh tests/run.sh $(BIN) $(firstword $(SMOKE_SCRIPTS)) $(QUICK_PROGRAMS)

SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
asan:
	$(MAKE) BUILD=$(BUILD)/asan BIN=$(BUILD)/asan/bin \
	  CFLAGS='-O1 -g -fno-omit-frame-pointer' CFLAGS_EXTRA='$(CFLAGS_EXTRA) $(SANITIZE)' test

# Every C file of the tree; not by git, which refuses to look at another user's checkout.
SOURCES = find . -name 'build*' -prune -o -name '.?*' -prune -o -name '*.[ch]' -print

.PHONY: format check-format
format:
	$(SOURCES) | xargs clang-format -i

.PHONY: check-layers
check-layers: $(BUILD)/internal.a # the folders' order, by includes and by symbols
	@/usr/bin/python3 tests/layers.py $(BUILD)

check-format:
	$(SOURCES) | xargs clang-format --dry-run -Werror

-include $(TEST_PROGRAMS:=.d) $(BENCH_PROGRAMS:=.d)
-include $(BUILD)/tests/train_main.d $(BUILD)/tests/predict_main.d

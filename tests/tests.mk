# Tests: one cmocka program a room (tests/test_*.c), scripts that run the binaries
# (tests/end-to-end/*.sh BIN).

TESTS := $(sort $(wildcard tests/test_*.c))
TEST_PROGRAMS := $(TESTS:tests/%.c=$(BUILD)/tests/%)
TEST_SCRIPTS := $(sort $(wildcard tests/end-to-end/*.sh))
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/librrm.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) -lcmocka $(LDLIBS)

# Of these every allocation comes by the test (tests/failing_memory.h).
WRAPPED = malloc calloc realloc aligned_alloc strdup strndup realpath fopen fdopen fopencookie setvbuf inflateInit2_
MEMORY_TESTS = $(BUILD)/tests/test_train_memory $(BUILD)/tests/test_predict_memory
$(MEMORY_TESTS): LDFLAGS += $(WRAPPED:%=-Wl,--wrap=%)
$(MEMORY_TESTS): LDLIBS := $(BUILD)/librrm.a $(LDLIBS)
$(MEMORY_TESTS): $(BUILD)/tests/train_main.o $(BUILD)/tests/predict_main.o

$(BUILD)/tests/%_main.o: %.c # the program, to be called
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -Dmain=$*_main -c -o $@ $<

.PHONY: programs test asan
programs: all $(TEST_PROGRAMS) $(BENCH_PROGRAMS) $(BUILD)/data/make_samples

test: $(TEST_PROGRAMS) all
	@sh tests/run.sh $(BIN) $(TEST_SCRIPTS) $(TEST_PROGRAMS) # the longest first

SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
asan:
	$(MAKE) BUILD=$(BUILD)/asan BIN=$(BUILD)/asan/bin \
	  CFLAGS='-O1 -g -fno-omit-frame-pointer' CFLAGS_EXTRA='$(CFLAGS_EXTRA) $(SANITIZE)' test

# Every C file of the tree; not by git, which refuses to look at another user's checkout.
SOURCES = find . -name 'build*' -prune -o -name '.?*' -prune -o -name '*.[ch]' -print

.PHONY: format check-format
format:
	$(SOURCES) | xargs clang-format -i

check-format:
	$(SOURCES) | xargs clang-format --dry-run -Werror

-include $(TEST_PROGRAMS:=.d) $(BENCH_PROGRAMS:=.d)
-include $(BUILD)/tests/train_main.d $(BUILD)/tests/predict_main.d

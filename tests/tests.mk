# Tests: one cmocka program a room (tests/test_*.c), one shell script a program (tests/*.sh).

TESTS := $(sort $(wildcard tests/test_*.c))
TEST_PROGRAMS := $(TESTS:tests/%.c=$(BUILD)/tests/%)
TEST_SCRIPTS := $(sort $(wildcard tests/end-to-end/*.sh))

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/librrm.a
	$(COMPILE) -o $@ $^ $(LDFLAGS) -lcmocka $(LDLIBS)

.PHONY: test
test: $(TEST_PROGRAMS) all
	@set -e; for program in $(TEST_PROGRAMS); do echo "$$program"; $$program; done
	@set -e; for script in $(TEST_SCRIPTS); do echo "$$script"; bash $$script $(BIN); done

-include $(TEST_PROGRAMS:=.d)

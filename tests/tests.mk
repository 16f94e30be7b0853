# Tests: cmocka programs in the folders of what they test (tests/FOLDER/test_*.c), scripts that run the binaries
# (tests/end-to-end/*.sh BIN).

TESTS := $(sort $(shell find tests -name 'test_*.c'))
# Most tests are one program, TOGETHER: to link each takes longer than to run it. Those with functions of the library of
# their own stand alone; so does each other by its own name, as in make build/tests/math/test_select.
ALONE_TESTS := $(patsubst %,tests/%.c,test_rrm_memory cli/test_train_memory cli/test_predict_memory \
	io/svmlight/test_svmlight_memory solvers/test_processes solvers/kernel_machine/test_smo_resume)
JOINED_TESTS := $(filter-out $(ALONE_TESTS),$(TESTS))
TOGETHER := $(BUILD)/tests/together
TEST_PROGRAMS := $(TOGETHER) $(ALONE_TESTS:%.c=$(BUILD)/%)
LONG_SCRIPTS := $(addprefix tests/end-to-end/,sparse.sh sequences.sh multiclass.sh accelerated.sh \
	portable.sh experiments.sh mpi.sh checkpoint.sh accelerated_sparse.sh kernel.sh batch.sh path.sh python.sh)
TEST_SCRIPTS := $(LONG_SCRIPTS) $(filter-out $(LONG_SCRIPTS),$(sort $(wildcard tests/end-to-end/*.sh)))
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/*.c))

LLD := $(if $(shell command -v ld.lld),-fuse-ld=lld)# it links in half of the time

# A rule's own pattern: make would take what it makes for a step between, delete it, and compile it at the next call.
.PRECIOUS: $(BUILD)/%.o
$(BUILD)/tests/%.o: override CFLAGS += $(TEST_CFLAGS)
# What stands around the solvers takes little of a test's time, and to optimize it much of a build's.
$(addprefix $(BUILD)/,training/%.o cli/%.o data/%.o prediction/%.o): override CFLAGS += $(AROUND_CFLAGS)

# What these compare with, loops of their own take most of their time.
LOOPING_TESTS = math/matrices/test_triangle math/box_qp/test_box_qp math/projections/test_ball math/projections/test_box_plane math/projections/test_box_plane_work \
	math/matrices/test_eigen solvers/interior_point/test_ipm solvers/lps/test_lps kernel/test_kernel kernel/test_nystrom solvers/kernel_machine/test_smo \
	solvers/kernel_machine/test_decomposition solvers/accelerated/test_estimation solvers/sparse/test_lazy \
	solvers/sparse/test_sparse solvers/sparse/test_sparse_formulas solvers/bundle/test_proximal_bundle prediction/test_measures kernel/test_fourier \
	solvers/online/test_online
$(LOOPING_TESTS:%=$(BUILD)/tests/%.o): override CFLAGS += -O1

# The main function of test_NAME is test_NAME_main.
$(TESTS:%.c=$(BUILD)/%.o): override CFLAGS += -Dmain=$(*F)_main
$(TESTS:%.c=$(BUILD)/%): override LDFLAGS += -Wl,--defsym=main=$(@F)_main

# No fuzzer asks which branches of the tests ran, or of the folders that compute: no bytes of a user reach them but as
# checked numbers. Without the counters they are compiled in less time.
$(addprefix $(BUILD)/,math/%.o matrix/%.o kernel/%.o risk/%.o solvers/%.o): override CFLAGS_EXTRA += $(UNFUZZED)
$(TESTS:%.c=$(BUILD)/%.o): override CFLAGS_EXTRA += $(UNFUZZED)

# Its own mpi.h stands in for that of MPI.
$(BUILD)/tests/mpi/%.o: override CFLAGS += -Itests/mpi

# The sanitized programs: in place of functions of clang's OpenMP.
$(BUILD)/tests/schedules.o: override CFLAGS += -O1
$(TEST_PROGRAMS): $(SCHEDULES)

$(BUILD)/tests/data/test_corpus: $(COLUMN_OBJECTS)
$(BUILD)/tests/data/test_table: $(TABLE_OBJECTS)
$(TOGETHER): $(sort $(JOINED_TESTS:%.c=$(BUILD)/%.o) $(COLUMN_OBJECTS) $(TABLE_OBJECTS))

# At addresses that are known before: no start has to put them in.
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/internal.a
	$(COMPILE) -no-pie -o $@ $(filter %.o,$^) $(BUILD)/internal.a $(LDFLAGS) $(LLD) -lcmocka $(LDLIBS)

# The folders change when a test comes or goes.
$(TOGETHER).list: $(sort $(dir $(TESTS)))
	@mkdir -p $(@D)
	@printf 'TEST(%s)\n' $(notdir $(JOINED_TESTS:.c=)) > $@
$(TOGETHER).o: $(TOGETHER).list
$(TOGETHER).o: override CFLAGS += -DTEST_LIST='"$(TOGETHER).list"'

# Of these every allocation comes by the test (tests/failing_memory.h).
WRAPPED = malloc calloc realloc aligned_alloc strdup strndup realpath fopen fdopen fopencookie setvbuf inflateInit2_
MEMORY_TESTS = $(BUILD)/tests/cli/test_train_memory $(BUILD)/tests/cli/test_predict_memory
$(MEMORY_TESTS): override LDFLAGS += $(WRAPPED:%=-Wl,--wrap=%) -Wl,--wrap=clock_gettime
$(MEMORY_TESTS): $(BUILD)/tests/train_main.o $(BUILD)/tests/predict_main.o
$(addprefix $(BUILD)/tests/,test_rrm_memory solvers/test_processes): override LDFLAGS += $(foreach name,$(filter %alloc,$(WRAPPED)),-Wl,--wrap=$(name))

$(BUILD)/tests/solvers/kernel_machine/test_smo_resume: override LDFLAGS += -Wl,--wrap=interior_kernel_factor

$(BUILD)/tests/%_main.o: %.c # the program, to be called
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -Dmain=$*_main -c -o $@ $<

# Those that take longest, to be started first.
LONG_TESTS = $(addprefix test_,train_memory agm ball box_plane box_plane_work box_qp bundle cutting_plane dcd \
	decomposition dual_form excessive_gap ipm lps new_loss number path processes proximal_bundle rrm_checkpoint sdca sdm \
	smo smoothed_risk sparse sparse_formulas svmlight_limits svmlight_sources window)
NAMED_TESTS = $(ALONE_TESTS:%.c=$(BUILD)/%) $(JOINED_TESTS:.c=)
FIRST_TESTS = $(foreach name,$(LONG_TESTS),$(filter %/$(name),$(NAMED_TESTS)))
SORTED_TESTS = $(FIRST_TESTS) $(filter-out $(FIRST_TESTS),$(NAMED_TESTS))

# Where mpicc is.
MPI_PROGRAM := $(if $(shell command -v $(MPICC)),$(BIN)/train-mpi)

# `programs` is all that is compiled, `main-programs` all but the tests.
.PHONY: programs main-programs sanitized-programs test test-programs
programs: main-programs $(TEST_PROGRAMS)
main-programs: all $(MPI_PROGRAM) $(BENCH_PROGRAMS) $(BUILD)/data/make_samples
sanitized-programs: $(TEST_PROGRAMS) $(BUILD)/train.o $(BIN)/predict fuzz-programs $(BENCH_PROGRAMS:=.o) \
	$(BUILD)/data/make_samples.o

# What one_command.sh links, and what run.sh runs by the names of tests.
LINKED = OBJECTS='$(abspath $(BUILD))' COMPILE='$(COMPILE)' TOGETHER='$(TOGETHER)'

# Everything; the programs alone, and the script that shows that what another compiler made works. The longest first.
.PHONY: test-builds
test-builds: $(TEST_PROGRAMS) all $(MPI_PROGRAM)
test: test-builds
	@$(LINKED) bash tests/run.sh $(BIN) $(TEST_SCRIPTS) $(SORTED_TESTS)

test-programs: $(TEST_PROGRAMS) $(BUILD)/train.o $(BIN)/predict
	@$(LINKED) bash tests/run.sh $(BIN) tests/end-to-end/one_command.sh $(SORTED_TESTS)

# Whether the programs do what those of the folder OLD do, to the byte: after moves and cuts that shall change nothing.
.PHONY: same
same: all
	@bash tests/same.sh $(or $(OLD),$(error make same OLD=FOLDER: the folder of the programs to compare with)) $(BIN)

# The sanitizers are clang's, as the fuzzers are: one build for both, in a folder of its own. `make asan TESTED=test`
# runs the scripts, too, which takes long. What computes and reads is compiled with -O1, the tests and what stands around
# it with -O0: they spend their time in the first, and clang its own in the others. tests/leaks has the leaks that are
# not ours.
TESTED = test-programs
# With the numbers of lines; without them the build takes a twelfth less (tests/all.sh).
LINE_NUMBERS = -g1
# The fuzzers see which branches ran, not what was compared: that makes the tests three times as slow.
SANITIZE = -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -Wno-pass-failed \
	-fno-sanitize-coverage=trace-cmp,trace-div,trace-gep,indirect-calls,stack-depth \
	-fsanitize-ignorelist=$(CURDIR)/tests/arithmetic.list
# What is freed stays out of use for its next 16 MB: to touch ever new pages takes a tenth of the time. The search for
# leaks leaves out the variables of threads in libraries that are loaded late: clang 14 takes what lies before such a
# block in memory for its address where that ends in 010, one run in six, and crashes.
SANITIZED = ASAN_OPTIONS=quarantine_size_mb=16:intercept_tls_get_addr=0:$$ASAN_OPTIONS \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks:print_suppressions=0 \
	$(MAKE) BUILD=$(BUILD)/asan BIN=$(BUILD)/asan/bin CC=clang \
	CFLAGS='-O1 $(LINE_NUMBERS) -fno-omit-frame-pointer' TEST_CFLAGS=-O0 AROUND_CFLAGS=-O0 CFLAGS_EXTRA='$(CFLAGS_EXTRA) $(SANITIZE)' \
	LDFLAGS='$(LDFLAGS) $(LLD)' SCHEDULES=$(BUILD)/asan/tests/schedules.o \
	UNFUZZED='-fno-sanitize=fuzzer-no-link -Wno-unused-command-line-argument'
.PHONY: asan
asan:
	+@$(SANITIZED) $(TESTED)

# Threads that train at once, under clang's thread sanitizer; OpenMP tells it of barriers by libarcher (libomp-dev).
# `tsan` watches the whole library; `tsan-training` what threads share beside the examples: the sources that start
# trainings or have variables of their own (check-layers finds those), with the objects of BUILD for the others.
TSAN = $(BUILD)/tsan
UNDER_TSAN = $(MAKE) BUILD=$(TSAN) BIN=$(TSAN)/bin CC=clang LDFLAGS='$(LDFLAGS) $(LLD)'
RUN_TSAN = TSAN_OPTIONS=ignore_noninstrumented_modules=1 OMP_WAIT_POLICY=passive setarch -R
THREADED := $(patsubst %.c,$(BUILD)/%.o,$(shell find training -name '*.c') $(PUBLIC) risk/risk_table.c \
	$(wildcard solvers/*.c) tests/test_rrm_training.c)
REST = $(BUILD)/internal.a

$(BUILD)/tests/training_threads: $(THREADED)
	$(COMPILE) -o $@ $^ $(REST) $(LDFLAGS) -Wl,--defsym=main=test_rrm_training_main -lcmocka $(LDLIBS)

.PHONY: tsan tsan-training
tsan:
	+@$(UNDER_TSAN) CFLAGS='-O1 -g1 -fsanitize=thread' $(TSAN)/tests/test_rrm_training
	$(RUN_TSAN) $(TSAN)/tests/test_rrm_training

tsan-training: $(REST)
	+@$(UNDER_TSAN) REST=$(REST) CFLAGS='-O0 -fsanitize=thread' $(TSAN)/tests/training_threads
	@$(RUN_TSAN) $(TSAN)/tests/training_threads

# Each solver, killed at KILLS random moments with --checkpoint: by hand, as it takes a quarter of an hour and more.
.PHONY: kill-test
kill-test: all
	@bash tests/by-hand/kill.sh $(BIN) $(SOLVER)

# Three network namespaces in place of hosts: by hand, as it takes root.
.PHONY: hosts-test
hosts-test: mpi
	@bash tests/by-hand/hosts.sh $(BIN)

# Lines that the tests run, a folder a line: tests/coverage.sh. To count makes programs two or three times as slow, so
# real data, which run the same lines for longer, are left out, and portable.sh, which runs programs of its own.
COVERED = COUNTS_LINES=1 $(MAKE) BUILD=$(BUILD)/coverage BIN=$(BUILD)/coverage/bin CC='$(CC)' CFLAGS='-O1 --coverage' RRM_DATASETS=
.PHONY: coverage
coverage:
	find $(BUILD)/coverage -name '*.gcda' -delete 2>/dev/null || :
	+@$(COVERED) -j$$(nproc) test-builds
	+@$(COVERED) test TEST_SCRIPTS='$(filter-out %/portable.sh,$(TEST_SCRIPTS))'; tested=$$?; \
	sh tests/coverage.sh $(BUILD)/coverage && exit $$tested

# Every C file of the tree; not by git, which refuses to look at another user's checkout.
SOURCES = find . -name 'build*' -prune -o -name '.?*' -prune -o -name '*.[ch]' -print

.PHONY: format check-format
format:
	$(SOURCES) | xargs clang-format -i

.PHONY: check-layers
check-layers: $(BUILD)/internal.a # the folders' order, by includes and by symbols
	@/usr/bin/python3 tests/layers.py $(BUILD) $(LAYERS) rrm cli mpi data

check-format:
	$(SOURCES) | xargs -P 2 -n 200 clang-format --dry-run -Werror
	@$(SOURCES) | xargs awk 'length > 120 { print FILENAME ":" FNR ": more than 120 columns"; bad = 1 } END { exit bad }'

-include $(TESTS:%.c=$(BUILD)/%.d) $(TOGETHER).d $(BENCH_PROGRAMS:=.d)
-include $(BUILD)/tests/train_main.d $(BUILD)/tests/predict_main.d

# librrm - two programs, train and predict, and a library for C.
#
#   make              ./train and ./predict, the converters, ./librrm.a and ./librrm.so.0
#   make test         every test          make asan    the test programs under sanitizers
#   make fuzz         each reader, FUZZ_SECONDS long
#   make coverage     lines that the tests run, a folder a line
#   make bench        tables of speed     make format  clang-format in place
#   make same OLD=FOLDER   the same files to the byte as by the programs of FOLDER
#   make mpi          ./train-mpi, for several processes (docs/scale.md); needs mpicc
#   make install      PREFIX=/usr/local, DESTDIR=, LIBDIR=PREFIX/lib
#   make PORTABLE=1   of C11 and POSIX alone, without OpenMP; OPENMP=no: without OpenMP
#   make dist         librrm-VERSION.tar.gz, of the files that git knows
#
# For another machine: make CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar. CPPFLAGS and LDFLAGS say where
# its zlib is; what has to run while building is then built once more, by CC_FOR_BUILD.

# None of make's own rules is used here: to try them on each of a thousand files took half a second.
MAKEFLAGS += -r

CC = gcc
CPPFLAGS =
CFLAGS = -O3 -g
CFLAGS_EXTRA =
PREFIX = /usr/local
DESTDIR =
BUILD = build
BIN = .

# OPENMP=no: one thread. PORTABLE=1: C11 and POSIX alone, without OpenMP and without the ways that Linux adds.
PORTABLE =
OPENMP = $(if $(PORTABLE),no,yes)

# What the shared library exports says so itself (rrm.h); the programs are made of the same objects.
# Not -fopenmp-simd: with it gcc takes another pragma below an `else` for its statement, and the loop runs in any case.
THREADS = $(if $(filter no,$(OPENMP)),-Iio/one_thread,-fopenmp)
QUIET = $(addprefix -Wno-,unknown-pragmas misleading-indentation unused-variable unused-const-variable unused-function)
SYSTEM = $(if $(PORTABLE),-D_XOPEN_SOURCE=700,-D_GNU_SOURCE)
STANDARD = -std=c11 $(SYSTEM) -I. $(THREADS) -fno-math-errno -fPIC -fvisibility=hidden
# One dialect of C: what -Wall and -Wextra leave open.
DIALECT = $(addprefix -W,shadow vla strict-prototypes old-style-definition nested-externs undef pointer-arith)
WARNINGS = -Wall -Wextra $(DIALECT) $(if $(filter no,$(OPENMP)),$(QUIET))
LDLIBS = -lz -lm -ldl
SONAME = librrm.so.0

# The layers, the lowest first: each calls and includes only itself and what stands before it. Above them are the public
# library (rrm*), the command line and the converters.
LAYERS = io math kernel matrix risk prediction solvers training
PUBLIC := $(sort $(wildcard rrm*.c))
OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(shell find $(LAYERS) $(wildcard cli) -name '*.c')) $(PUBLIC))
COMPILE = $(CC) $(STANDARD) $(CPPFLAGS) $(WARNINGS) $(CFLAGS) $(CFLAGS_EXTRA)

# Programs of another machine's compiler do not run here.
other_machine := $(filter-out $(shell uname -m),$(firstword $(subst -, ,$(shell $(CC) -dumpmachine))))
CC_FOR_BUILD = $(if $(other_machine),cc,$(CC))

.PHONY: all
all: $(BIN)/train $(BIN)/predict $(BIN)/librrm.a $(BIN)/$(SONAME)

$(BIN)/train $(BIN)/predict: $(BIN)/%: $(BUILD)/%.o $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

# The same program for several processes, by MPI (docs/scale.md).
MPICC = mpicc
MPI_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard mpi/*.c)))
MPI_COMPILE = OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(wordlist $(words $(CC) x),99,$(COMPILE))

.PHONY: mpi
mpi: $(BIN)/train-mpi

.PHONY: has-mpicc
has-mpicc:
	@command -v $(firstword $(MPICC)) >/dev/null || { \
	  echo 'make mpi needs $(firstword $(MPICC)); in Debian: apt-get install libopenmpi-dev openmpi-bin' >&2; exit 1; }

$(BUILD)/mpi/%.o: mpi/%.c | has-mpicc $(BUILD)/io/word_size.o
	@mkdir -p $(@D)
	$(MPI_COMPILE) -MMD -MP -c -o $@ $<

$(BIN)/train-mpi: $(MPI_OBJECTS) $(BUILD)/train.o $(BUILD)/internal.a # its processes.o is not taken then
	@mkdir -p $(@D)
	$(MPI_COMPILE) -o $@ $^ $(LDFLAGS) $(LDLIBS)

$(BUILD)/internal.a: $(OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# The public library: rrm.h and what it stands on, nothing of the command line. Its names are those of rrm.h alone:
# in the archive the others become local to its one object. (Hidden are all but clang's lock of OpenMP reductions.)
PUBLIC_OBJECTS := $(filter-out $(BUILD)/cli/%,$(OBJECTS))
OBJCOPY = $(shell $(CC) -print-prog-name=objcopy)
sanitized := $(findstring -fsanitize,$(CFLAGS) $(CFLAGS_EXTRA))

$(BIN)/$(SONAME): $(PUBLIC_OBJECTS) librrm.map
	@mkdir -p $(@D)
	$(COMPILE) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=librrm.map $(if $(sanitized),,-Wl,-z,defs) \
	  -o $@ $(PUBLIC_OBJECTS) $(filter-out -static,$(LDFLAGS)) $(LDLIBS)

$(BUILD)/librrm.o: $(PUBLIC_OBJECTS)
	$(CC) -r -nostdlib -Wl,-d -o $@ $^
	$(OBJCOPY) --localize-hidden --wildcard --localize-symbol='.gomp*' $@

$(BIN)/librrm.a: $(BUILD)/librrm.o
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $<

# Before all else, so that a compiler for 32 bits stops at one line.
$(BUILD)/io/word_size.o: io/word_size.c
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.c | $(BUILD)/io/word_size.o
	@mkdir -p $(@D)
	$(COMPILE) -MMD -MP -c -o $@ $<

include data/data.mk

# train-mpi is installed where it was built.
INSTALLED = $(PROGRAMS) $(if $(wildcard $(BIN)/train-mpi),train-mpi)

# The man pages come from the same tables as --help, and the one of the file formats from docs/formats.md.
PROGRAMS = train predict $(CONVERTERS)
.PHONY: man
man: $(INSTALLED:%=$(BIN)/%.1) $(BIN)/formats.5

ifeq ($(other_machine),)
RUNNABLE = $(BIN)
else
RUNNABLE = $(BUILD)/runs
$(PROGRAMS:%=$(RUNNABLE)/%): runs ;
.PHONY: runs
runs:
	$(MAKE) BUILD=$(RUNNABLE) BIN=$(RUNNABLE) CC='$(CC_FOR_BUILD)' AR=ar CPPFLAGS= LDFLAGS= CFLAGS=-O1 CFLAGS_EXTRA= \
	  $(PROGRAMS:%=$(RUNNABLE)/%)
endif

$(PROGRAMS:%=$(BIN)/%.1): $(BIN)/%.1: $(RUNNABLE)/%
	$(abspath $<) --man > $@.new && mv $@.new $@

$(BIN)/train-mpi.1: $(BIN)/train-mpi
	$(abspath $<) --man > $@.new && mv $@.new $@

$(BIN)/formats.5: cli/formats.awk version.h docs/formats.md
	@mkdir -p $(@D)
	awk -f $^ > $@.new && mv $@.new $@

BINARIES = $(DESTDIR)$(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
LIBRARIES = $(DESTDIR)$(LIBDIR)
HEADERS = $(DESTDIR)$(PREFIX)/include
MANUAL = $(DESTDIR)$(PREFIX)/share/man
DOCUMENTS = $(DESTDIR)$(PREFIX)/share/doc/librrm

# Says where the library is installed, so it is written at each installation.
.PHONY: $(BUILD)/librrm.pc
$(BUILD)/librrm.pc: librrm.pc.in version.h
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@

# The same bytes for the same files, whenever it is made.
VERSION = $(shell sed -n 's/.*RRM_VERSION "librrm \(.*\)"/\1/p' version.h)
DATE = $(shell sed -n 's/.*RRM_DATE "\(.*\)"/\1/p' version.h)
.PHONY: dist
dist:
	@git rev-parse --git-dir >/dev/null || { echo 'make dist needs a checkout of git, which knows the files' >&2; exit 1; }
	git ls-files -- . ':!.ci' ':!.gitignore' | tar --create --files-from=- --transform='s|^|librrm-$(VERSION)/|' --sort=name \
	  --mtime='$(DATE) UTC' --owner=0 --group=0 --numeric-owner --mode=go=rX,u+w | gzip -9n > librrm-$(VERSION).tar.gz

.PHONY: install uninstall clean
install: all man $(BUILD)/librrm.pc
	install -d $(BINARIES) $(LIBRARIES)/pkgconfig $(HEADERS) $(MANUAL)/man1 $(MANUAL)/man5 $(DOCUMENTS)
	install -m 644 rrm.h $(HEADERS)/rrm.h
	install -m 644 $(BIN)/librrm.a $(LIBRARIES)/librrm.a
	install -m 755 $(BIN)/$(SONAME) $(LIBRARIES)/$(SONAME)
	ln -sf $(SONAME) $(LIBRARIES)/librrm.so
	install -m 644 $(BUILD)/librrm.pc $(LIBRARIES)/pkgconfig/librrm.pc
	for name in $(INSTALLED); do \
	  install -m 755 $(BIN)/$$name $(BINARIES)/librrm-$$name && \
	  install -m 644 $(BIN)/$$name.1 $(MANUAL)/man1/librrm-$$name.1 || exit 1; \
	done
	install -m 644 $(BIN)/formats.5 $(MANUAL)/man5/librrm-formats.5
	install -m 644 LICENSE $(DOCUMENTS)/LICENSE

uninstall:
	for name in $(PROGRAMS) train-mpi; do \
	  rm -f $(BINARIES)/librrm-$$name $(MANUAL)/man1/librrm-$$name.1; \
	done
	rm -f $(MANUAL)/man5/librrm-formats.5 $(HEADERS)/rrm.h
	rm -f $(LIBRARIES)/librrm.a $(LIBRARIES)/librrm.so $(LIBRARIES)/$(SONAME) $(LIBRARIES)/pkgconfig/librrm.pc
	rm -f $(DOCUMENTS)/LICENSE
	[ ! -d $(DOCUMENTS) ] || rmdir --ignore-fail-on-non-empty $(DOCUMENTS)

clean:
	rm -rf $(BUILD) $(BIN)/librrm.a $(BIN)/$(SONAME) $(PROGRAMS:%=$(BIN)/%) $(PROGRAMS:%=$(BIN)/%.1) $(BIN)/formats.5 \
	  $(BIN)/train-mpi $(BIN)/train-mpi.1

-include $(OBJECTS:.o=.d) $(MPI_OBJECTS:.o=.d) $(BUILD)/train.d $(BUILD)/predict.d

include tests/tests.mk
include tests/fuzz/fuzz.mk
include bench/bench.mk

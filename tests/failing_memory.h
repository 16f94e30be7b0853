/* failing_memory.h - runs a program once for each place that allocates memory, and makes an allocation there fail.
 *
 * A test program is linked with -Wl,--wrap for each of the functions below (tests.mk): the calls of the project's own
 * code come here, also those of the C library and zlib that allocate on its behalf. A run is a fork that calls the
 * program's main. One run picks the allocations to fail: those whose call stack has CHAIN calls in a row that no
 * allocation before has had, so that each caller, and the callers above it, see a failure below them; without
 * sanitizers, of these stacks the last allocation, too. Then the program runs once more, and at each of these forks: in
 * the new process the allocation fails. Only where that process would share more than files to read, with threads or a
 * file that is being written, a run of its own starts from main.
 *
 * Each run must end with exit status 1 and one line that names memory, and write only complete files; or it must write
 * what the run without failures writes. Include after cmocka.h. */
#ifndef RRM_FAILING_MEMORY_H
#define RRM_FAILING_MEMORY_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/call_chains.h"
#include "tests/size.h"

enum {
    ALLOCATIONS = 1 << 17,
    DESCRIPTORS = 16, /* of files that a run may have open */
    WORDS = 40,
    OUTPUTS = 2,
    TEXT = 1 << 13
};

/* Shared by the runs. */
static struct {
    int64_t count;              /* of this run's allocations */
    int64_t fails;              /* the one that fails; -1: none */
    uint64_t hash[ALLOCATIONS]; /* of the call stacks, in the run without failures */
    bool picked[ALLOCATIONS];   /* has still to fail */
    struct call_chains chains;
    int wrong;        /* failures of the command's allocations that did not end as they must */
    char found[TEXT]; /* what is to be said of them */
} * runs;

static bool counting, keeping;                /* keeping: the first checkpoint is not kept yet */
static enum { ONE_FAILS, PICKS, FORKS } kind; /* of run */
static int outer;                             /* frames of a call stack around the program's main */

static char folder[] = "/tmp/librrm_memory.XXXXXX";

/* Gives the folder's file FROM the name TO, too. */
static bool link_in_folder(const char *from, const char *to) {
    char old[256], new[256];
    snprintf(old, sizeof old, "%s/%s", folder, from);
    snprintf(new, sizeof new, "%s/%s", folder, to);
    return link(old, new) == 0;
}

static bool fails_here(int64_t number);

static bool allocation_fails(void) {
    if (!counting)
        return false;
    keeping = keeping && !link_in_folder("checkpoint", "kept");
    int64_t number = runs->count++;
    if (kind == ONE_FAILS || number >= ALLOCATIONS)
        return number == runs->fails;
    if (kind == FORKS && !runs->picked[number])
        return false;
    counting = false;
    void *frame[CALLS_MOST];
    int frames = backtrace(frame, CALLS_MOST) - outer;
    bool fails = false;
    uint64_t hash = calls_hash(frame, frames);
    if (kind == PICKS) {
        runs->hash[number] = hash;
        runs->picked[number] = call_chains_take(&runs->chains, frame, frames);
    } else if (runs->hash[number] == hash) { /* a run that takes longer may allocate more */
        fails = fails_here(number);
    }
    counting = true;
    return fails;
}

#include "tests/wrapped_allocations.h"

WRAP_POINTER(strdup, (const char *text), text)
WRAP_POINTER(strndup, (const char *text, size_t size), text, size)
WRAP_POINTER(realpath, (const char *path, char *real), path, real)
WRAP_POINTER(fopen, (const char *path, const char *mode), path, mode)
WRAP_POINTER(fdopen, (int descriptor, const char *mode), descriptor, mode)
WRAP_POINTER(fopencookie, (void *cookie, const char *mode, cookie_io_functions_t by), cookie, mode,
             by)

int __real_inflateInit2_(z_streamp, int, const char *, int);
int __wrap_inflateInit2_(z_streamp, int, const char *, int);
int __wrap_inflateInit2_(z_streamp stream, int bits, const char *version, int size) {
    return allocation_fails() ? Z_MEM_ERROR : __real_inflateInit2_(stream, bits, version, size);
}

/* A microsecond a call: how often a run looks at its clock, and writes a checkpoint then, follows from how long its
 * steps take, and each run shall allocate the same. */
int __wrap_clock_gettime(clockid_t, struct timespec *);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    static _Atomic int64_t calls;
    int64_t microseconds = calls++;
    (void)clock;
    *now = (struct timespec){1 + microseconds / 1000000, 1000 * (microseconds % 1000000)};
    return 0;
}

int __real_setvbuf(FILE *, char *, int, size_t);
int __wrap_setvbuf(FILE *, char *, int, size_t);
int __wrap_setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
    return allocation_fails() ? -1 : __real_setvbuf(stream, buffer, mode, size);
}

/* ---- a run */

int train_main(int argc, char **argv);
int predict_main(int argc, char **argv);

struct command {
    const char *words;           /* with "@" for the folder */
    const char *output[OUTPUTS]; /* files of the folder that it writes; NULL: none. Not the trace */
    int (*main)(int, char **);
};

struct ended {
    int status;
    char words[TEXT];    /* on standard error */
    char *text[OUTPUTS]; /* NULL: there is no such file */
};

static const char *in_folder(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The words of LINE, at most WORDS, which point into ROOM. */
static int split(const char *line, char *copy, char **argv) {
    int count = 0;
    char *to = copy;
    for (const char *from = line; *from != '\0'; from++)
        to += *from == '@' ? sprintf(to, "%s/", folder) : sprintf(to, "%c", *from);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        argv[count++] = word;
    argv[count] = NULL;
    assert_true(count < WORDS);
    return count;
}

/* From now on standard error is a file, empty. */
static void collect_words(void) {
    int words = open(in_folder("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(words, 2);
    close(words);
}

#if PART(false, true)
size_t __sanitizer_get_current_allocated_bytes(void);

/* The bytes that are allocated now, without those that OpenMP's runtime allocates at its first use and keeps. */
static size_t allocated_bytes(void) {
#pragma omp parallel num_threads(1)
    ;
    return __sanitizer_get_current_allocated_bytes();
}
#else
static size_t allocated_bytes(void) {
    return 0;
}
#endif

static _Noreturn void run_child(const struct command *command) {
    static char copy[TEXT], *argv[WORDS + 1];
    void *frame[CALLS_MOST];
    int count = split(command->words, copy, argv);
    int null_device = open("/dev/null", O_RDWR);
    dup2(null_device, 0);
    dup2(null_device, 1);
    close(null_device);
    collect_words();
    outer = backtrace(frame, CALLS_MOST);
    size_t before = allocated_bytes();
    counting = true;
    int status = command->main(count, argv);
    counting = false;
    fflush(NULL);
    if (allocated_bytes() !=
        before) /* sanitizers look for what has leaked; they read all memory for it */
        exit(status);
    _exit(status);
}

static char *file_text(const char *name) {
    FILE *file = __real_fopen(in_folder(name), "r");
    struct stat of;
    if (file == NULL)
        return NULL;
    assert_int_equal(fstat(fileno(file), &of), 0);
    char *text = __real_calloc(1, (size_t)of.st_size + 1);
    assert_int_equal(fread(text, 1, (size_t)of.st_size, file), of.st_size);
    fclose(file);
    return text;
}

/* How the process ended, and what it left. */
static struct ended wait_for(pid_t child, const struct command *command) {
    struct ended ended = {0};
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    char *words = file_text("stderr");
    snprintf(ended.words, sizeof ended.words, "%s", words);
    free(words);
    for (int i = 0; i < OUTPUTS; i++)
        if (command->output[i] != NULL)
            ended.text[i] = file_text(command->output[i]);
    return ended;
}

static void unlink_outputs(const struct command *command) {
    for (int i = 0; i < OUTPUTS; i++)
        if (command->output[i] != NULL)
            unlink(in_folder(command->output[i]));
}

static struct ended run_of(int what, const struct command *command, int64_t fails) {
    unlink_outputs(command);
    unlink(in_folder("checkpoint"));
    link_in_folder("kept", "checkpoint");
    unlink(in_folder("trace")); /* the trace is written during the run and is not compared */
    runs->count = 0;
    runs->fails = fails;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        kind = what;
        run_child(command);
    }
    return wait_for(child, command);
}

static struct ended run(const struct command *command, int64_t fails) {
    return run_of(ONE_FAILS, command, fails);
}

static void ended_free(struct ended *ended) {
    for (int i = 0; i < OUTPUTS; i++)
        free(ended->text[i]);
}

/* ---- requirements on each run */

/* The lines other than warnings. */
static int plain_lines(const char *words) {
    int count = 0;
    for (const char *at = words; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        const char *warning = strstr(at, "warning: ");
        count += warning == NULL || warning > at + length;
        at += length + (at[length] == '\n');
    }
    return count;
}

/* Counts files other than those of the test and the program. */
static int leftovers(void) {
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] == '.' && strlen(entry->d_name) > 2;
    closedir(open);
    return count;
}

/* The part of a text that is equal in each run: without the seconds of a report. */
static bool same_text(const char *a, const char *b) {
    return a[0] == '{' || strcmp(a, b) == 0;
}

static bool is_honest(const struct ended *one, const struct ended *complete) {
    if (one->status == 0 && strstr(one->words, "warning: memory") != NULL)
        return true; /* the model that there is */
    for (int i = 0; i < OUTPUTS; i++) {
        bool there = one->text[i] != NULL;
        if (there ? !same_text(complete->text[i], one->text[i])
                  : one->status == 0 && complete->text[i] != NULL)
            return false;
    }
    if (one->status == 0)
        return true;
    return one->status == 1 && plain_lines(one->words) == 1 && strstr(one->words, "memory") != NULL;
}

/* What there is to compare with while a run forks. */
static const struct command *forking;
static const struct ended *whole;

static void judge(int64_t number, const struct ended *one) {
    bool reached = runs->count > number, honest = is_honest(one, whole);
    if (reached && honest && leftovers() == 0)
        return;
    size_t length = strlen(runs->found);
    runs->wrong++;
    snprintf(runs->found + length, sizeof runs->found - length,
             "%s\n  allocation %lld fails%s: exit status %d%s, %s\n", forking->words,
             (long long)number, reached ? "" : " (there are fewer)", one->status,
             honest ? "" : ", not honest", one->words);
}

/* Whether nothing is shared but files that are read; where these are read: in POSITION, or -1. */
static bool can_fork(off_t *position) {
    struct stat of;
    if (PART(false, true)) /* sanitizers have too many pages to copy */
        return false;
    if (stat("/proc/self/task", &of) != 0 ||
        of.st_nlink != 3) /* a folder, with one of the only thread */
        return false;
    for (int i = 0; i < OUTPUTS; i++)
        if (forking->output[i] != NULL && access(in_folder(forking->output[i]), F_OK) == 0)
            return false;
    for (int i = 3; i < DESCRIPTORS; i++) {
        int mode = fcntl(i, F_GETFL);
        if (mode != -1 && (mode & O_ACCMODE) != O_RDONLY)
            return false;
        position[i] = mode == -1 ? -1 : lseek(i, 0, SEEK_CUR);
    }
    return true;
}

/* In a new process: true, the allocation fails. In the old one, once the new one has ended: false. An allocation that
 * cannot fail here stays picked. */
static bool fails_here(int64_t number) {
    off_t position[DESCRIPTORS];
    if (!can_fork(position))
        return false;
    pid_t child = fork();
    if (child == 0) {
        kind = ONE_FAILS;
        collect_words();
        return true;
    }
    struct ended one = wait_for(child, forking);
    judge(number, &one);
    ended_free(&one);
    runs->picked[number] = false;
    runs->count = number + 1;
    unlink_outputs(forking);
    for (int i = 3; i < DESCRIPTORS; i++)
        if (position[i] >= 0)
            lseek(i, position[i], SEEK_SET);
    return false;
}

/* The number of runs that went wrong. */
static int fail_each(const struct command *command) {
    struct ended complete = run_of(PICKS, command, -1);
    int64_t count = runs->count;
    if (complete.status != 0)
        print_message("%s\n  exit status %d, %s\n", command->words, complete.status,
                      complete.words);
    assert_int_equal(complete.status, 0);
    assert_true(count < ALLOCATIONS && !call_chains_full(&runs->chains));
    bool any = false;
    for (int64_t i = count - 1; i >= 0; i--)
        if (runs->picked[i]) {
            any = true;
            if (PART(true, false))
                runs->picked[calls_last(runs->hash, runs->hash[i], count)] = true;
        }
    forking = command, whole = &complete;
    runs->wrong = 0, runs->found[0] = '\0';
    if (any) {
        struct ended again = run_of(FORKS, command, -1);
        assert_true(again.status == 0);
        ended_free(&again);
    }
    for (int64_t i = 0; i < count; i++)
        if (runs->picked[i]) {
            struct ended one = run(command, i);
            judge(i, &one);
            ended_free(&one);
        }
    ended_free(&complete);
    print_message("%s", runs->found);
    return runs->wrong;
}

/* ---- the data */

/* Runs the program with WORDS to make the files of a test. */
static inline void make_by(const char *words) {
    struct ended ended = run(&(struct command){words, {NULL}, train_main}, -1);
    if (ended.status != 0)
        print_message("%s: %s\n", words, ended.words);
    assert_int_equal(ended.status, 0);
    ended_free(&ended);
}

static void write_rows(const char *name, int form) {
    FILE *file = __real_fopen(in_folder(name), "w");
    static const char *const words[] = {"2:1 4:-0.5", "1:0.3 3:1", "1:-1 2:2", "3:0.2 4:0.7",
                                        "1:1 4:1"};
    for (int i = 0; i < 40; i++) {
        static const int partner[] = {8, 7, 6, 0, 0, 3, 2, 1};
        if (form == 'r')
            fprintf(file, "%d qid:%d %d:1\n", partner[i % 8], i / 8 + 1, "34211232"[i % 8] - '0');
        else if (form == 'q')
            fprintf(file, "%d qid:%d %s\n", i % 3, i / 5 + 1, words[i * i % 5]);
        else if (form == 'y')
            fprintf(file, "%g %s\n", 0.3 * (i % 7) - 1, words[i * i % 5]);
        else
            fprintf(file, "%d %s 5:%g\n",
                    form == '3'     ? i % 3
                    : i * 7 % 5 < 2 ? 1
                                    : -1,
                    words[i * i % 5], 0.08 * (i % 11) + 0.01);
    }
    fclose(file);
}

static void pack(const char *from, const char *to) {
    char *text = file_text(from);
    gzFile packed = gzopen(in_folder(to), "wb");
    gzputs(packed, text);
    gzclose(packed);
    free(text);
}

static int make_folder(void **state) {
    (void)state;
    size_t size = sizeof *runs;
    void *frame[1];
    backtrace(frame, 1); /* loads what it needs */
    setenv("OMP_WAIT_POLICY", "passive", 1);
    runs = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (runs == MAP_FAILED || mkdtemp(folder) == NULL)
        return -1;
    write_rows("two", '2');
    write_rows("three", '3');
    write_rows("queries", 'q');
    write_rows("numbers", 'y');
    write_rows("rna", 'r');
    pack("two", "two.gz");
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    char path[512];
    DIR *open = opendir(folder);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(open);
    munmap(runs, sizeof *runs);
    return rmdir(folder);
}

#endif

/* fuzz_bpseq.c - any bytes as bpseq. What the converter takes must be data that -L rna takes: bases, and
 * structures that are mutual and nested. */
#include "data/bpseq.h"
#include "io/svmlight/svmlight.h"
#include "risk/rna/rna_data.h"
#include "risk/rna/rna_fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void require(int condition) {
    if (!condition)
        abort();
}

static int descriptor_of(const char *name, char path[64]) {
    int descriptor = memfd_create(name, 0);
    require(descriptor >= 0);
    snprintf(path, 64, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

/* What is written to standard output goes to the file; its numbers on standard error nowhere. */
static int encode(char *path, int output, struct error *e) {
    FILE *errors = stderr;
    int kept = dup(STDOUT_FILENO);
    require(kept >= 0 && dup2(output, STDOUT_FILENO) >= 0);
    stderr = fopen("/dev/null", "w");
    require(stderr != NULL);
    int status = bpseq_encode(&path, 1, e);
    fflush(stdout);
    fclose(stderr);
    stderr = errors;
    require(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    return status;
}

static void require_data(const char *path) {
    struct dataset data;
    struct svmlight_options options = {.threads = 1};
    require(dataset_load(path, &options, &data, NULL) == 0);
    require(data.groups > 0 && data.rows > 0);
    require(rna_check_data(&data, path, false, NULL) == 0 ||
            dataset_largest_group(&data) > RNA_MAX_LENGTH);
    dataset_free(&data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char input_path[64], output_path[64];
    struct error e = {0};
    int input = descriptor_of("input", input_path), output = descriptor_of("output", output_path);
    require(write(input, bytes, size) == (ssize_t)size);
    if (encode(input_path, output, &e) == 0)
        require_data(output_path);
    else
        require(e.kind == ERROR_FAILURE && e.words[0] != '\0' && strchr(e.words, '\n') == NULL);
    close(input);
    close(output);
    return 0;
}

/* rna_data.c - bases and partners of the rows of a dataset, and their checks; see rna_data.h. */
#include "risk/rna/rna_data.h"

#include "io/memory.h"
#include "io/svmlight/svmlight_line.h"
#include "risk/rna/rna_fold.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* Sets the error "PATH:LINE: -L rna: MESSAGE" for a row. */
static int refuse(const char *path, int64_t row, struct error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static int refuse(const char *path, int64_t row, struct error *e, const char *format, ...) {
    char message[256];
    int used = snprintf(message, sizeof message, "-L rna: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
    va_end(arguments);
    return svmlight_refuse_row(path, row, message, e);
}

/* ---- bases */

/* 0 .. 3, RNA_UNKNOWN, or -1 if the row is no base. */
static int base_of(const struct dataset *data, int64_t row) {
    const int32_t *column = dataset_columns(data, row);
    const double *value = dataset_values(data, row);
    int base = RNA_UNKNOWN;
    for (int64_t k = 0; k < dataset_count(data, row); k++) {
        double x = value == NULL ? 1 : value[k];
        if (x == 0)
            continue;
        if (x != 1 || base != RNA_UNKNOWN || column[k] >= RNA_UNKNOWN)
            return -1;
        base = column[k];
    }
    return base;
}

int8_t *rna_bases(const struct dataset *data, struct error *e) {
    int8_t *bases = memory_new(data->rows + data->groups + 1, 1, "the bases", e);
    if (bases == NULL)
        return NULL;
    bases[0] = RNA_UNKNOWN;
    for (int64_t g = 0; g < data->groups; g++) {
        for (int64_t row = data->group_start[g]; row < data->group_start[g + 1]; row++) {
            int base = base_of(data, row);
            bases[row + g + 1] = (int8_t)(base < 0 ? RNA_UNKNOWN : base);
        }
        bases[data->group_start[g + 1] + g + 1] = RNA_UNKNOWN;
    }
    return bases;
}

/* ---- pairs */

void rna_partners_of(const double *label, int64_t length, int32_t *partner) {
    for (int64_t i = 0; i < length; i++)
        partner[i] = (int32_t)label[i] - 1;
}

void rna_keep_canonical(const struct rna_sequence *s, int32_t *partner) {
    for (int32_t i = 0; i < s->length; i++)
        if (partner[i] > i && rna_type(s, i, partner[i]) < 0) {
            partner[partner[i]] = -1;
            partner[i] = -1;
        }
}

static int check_partners(const double *label, int64_t first, int64_t length, const char *path,
                          struct error *e) {
    for (int64_t i = 0; i < length; i++) {
        double partner = label[i];
        if (!(partner >= 0 && partner <= (double)length) || partner != floor(partner))
            return refuse(path, first + i, e,
                          "partner %.10g is not from 1 to %" PRId64
                          ", the positions of the sequence, nor 0",
                          partner, length);
        if (partner == (double)i + 1)
            return refuse(path, first + i, e, "position %" PRId64 " is its own partner", i + 1);
        if (partner > 0 && label[(int64_t)partner - 1] != (double)i + 1)
            return refuse(path, first + i, e,
                          "position %" PRId64 " has the partner %.10g, which has %.10g", i + 1,
                          partner, label[(int64_t)partner - 1]);
    }
    return 0;
}

/* Whether pairs cross, given mutual partners. OPEN: scratch memory of a number per position. */
static int check_nested(const double *label, int64_t first, int64_t length, int64_t *open,
                        const char *path, struct error *e) {
    int64_t count = 0;
    for (int64_t i = 0; i < length; i++) {
        int64_t partner = (int64_t)label[i] - 1;
        if (partner > i)
            open[count++] = i;
        else if (partner >= 0 && open[--count] != partner)
            return refuse(path, first + i, e,
                          "the pairs %" PRId64 "-%" PRId64 " and %" PRId64
                          "-%.10g cross; data/bpseq leaves such pairs out",
                          partner + 1, i + 1, open[count] + 1, label[open[count]]);
    }
    return 0;
}

static bool is_labeled(const double *label, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        if (isnan(label[i]))
            return false;
    return true;
}

static int check_sequence(const struct dataset *data, int64_t g, int64_t *open, const char *path,
                          struct error *e) {
    int64_t first = data->group_start[g], length = data->group_start[g + 1] - first;
    int64_t first_of_file = dataset_row_of_file(data, first);
    const double *label = data->label + first;
    if (length > RNA_MAX_LENGTH)
        return refuse(path, first_of_file, e,
                      "a sequence of %" PRId64 " bases; at most %d are taken", length,
                      RNA_MAX_LENGTH);
    for (int64_t row = first; row < first + length; row++)
        if (base_of(data, row) < 0)
            return refuse(path, dataset_row_of_file(data, row), e,
                          "a base is one of the features 1 to 4 (A, C, G, U) of value 1, or none");
    if (!is_labeled(label, length))
        return 0;
    return check_partners(label, first_of_file, length, path, e) != 0
               ? -1
               : check_nested(label, first_of_file, length, open, path, e);
}

int rna_check_data(const struct dataset *data, const char *path, bool zero_based, struct error *e) {
    int64_t *open = memory_new(RNA_MAX_LENGTH, sizeof *open, "open pairs", e);
    int status = open == NULL ? -1 : 0;
    (void)zero_based;
    for (int64_t g = 0; g < data->groups && status == 0; g++)
        status = check_sequence(data, g, open, path, e);
    free(open);
    return status;
}

/* ---- memory */

int rna_check_memory(int64_t length, int threads, struct error *e) {
    double bytes = (double)rna_fold_bytes(length);
    if (bytes * threads <= memory_of_machine())
        return 0;
    return error_set(e,
                     "a sequence of %" PRId64
                     " bases needs %.3g GB, in each of %d threads: more than this machine has",
                     length, bytes / 1e9, threads);
}

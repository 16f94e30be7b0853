/* rna_data.h - sequences of RNA from rows: a group (qid) is a sequence, a row a base.
 *
 * Features 1 to 4 are A, C, G and U, of which one is 1; none: an unknown base. The label is the position of
 * the partner within the sequence, from 1, or 0. */
#ifndef RRM_RNA_DATA_H
#define RRM_RNA_DATA_H

#include "io/dataset.h"
#include "risk/rna/rna_features.h"

#include <stddef.h>

/* 0, or an error that names the line of: a row that is no base; a sequence longer than RNA_MAX_LENGTH; and, in
 * groups whose labels are all known, a partner outside of the sequence, a position that is its own partner or
 * whose partner has another one, pairs that cross. */
int rna_check_data(const struct dataset *data, const char *path, bool zero_based, struct error *e);

/* The bases of all rows, with an RNA_UNKNOWN before, between and behind the groups; NULL with the error set. */
int8_t *rna_bases(const struct dataset *data, struct error *e);

/* The sequence of group G. */
static inline struct rna_sequence rna_sequence_of(const struct dataset *data, const int8_t *bases,
                                                  int64_t g) {
    int64_t first = data->group_start[g];
    return (struct rna_sequence){data->group_start[g + 1] - first, bases + first + g + 1};
}

/* Converts labels to partners: positions from 0, or -1. */
void rna_partners_of(const double *label, int64_t length, int32_t *partner);

/* Removes the pairs that are not A-U, C-G or G-U from a structure. */
void rna_keep_canonical(const struct rna_sequence *s, int32_t *partner);

/* 0, or an error if THREADS times rna_fold_bytes(length) exceed this machine's memory. */
int rna_check_memory(int64_t length, int threads, struct error *e);

#endif

/* rrm_parts.h - what the objects of the public library are made of; for rrm*.c alone. */
#ifndef RRM_PARTS_H
#define RRM_PARTS_H

#include "rrm.h"

#include "io/csr.h"
#include "io/dataset.h"
#include "io/error.h"
#include "io/model/model.h"

#include <locale.h>
#include <stdbool.h>

struct rrm_data {
    struct csr_dataset csr; /* of a file all arrays are owned */
    char *name;             /* of the file; "": arrays of the caller */
    bool zero_based;        /* files call the first column feature 0, not 1 */
    int hash_bits;          /* of a file with names (io/feature_hash.h); 0: none */
};

struct rrm_model {
    struct model model; /* as it was trained or read */
    /* the same without its untrained labels: shares all arrays if there are none, else has its own labels and
     * weights */
    struct model ready;
};

/* Turns E into the caller's error (NULL: not wanted), with the names of settings in place of the command line's
 * options; -1. */
int rrm_fail(struct rrm_error *error, const struct error *e);

/* The same where E names settings already, and may show a text of the caller's. */
int rrm_fail_as_is(struct rrm_error *error, const struct error *e);

/* The argument WHAT is NULL and must not be: the caller's error (RRM_USAGE); -1. */
int rrm_fail_missing(struct rrm_error *error, const char *what);

/* Whether the field NAME of the caller is 0 or 1: 0, or -1 with the error set (usage). */
int rrm_check_flag(const char *name, int value, struct error *e);

/* From here on OpenMP has up to WANTED threads for the calling thread: as many as can be started; one in a child that
 * was forked after several were used. Returns how many it had, which the caller sets again (omp_set_num_threads). */
int rrm_limit_threads(int wanted);

/* Between these two the calling thread reads and writes numbers with a point, whatever the program's locale. */
locale_t rrm_enter(void);
void rrm_leave(locale_t before);

/* Makes *made a model over the arrays of MODEL, which must outlive it; rrm_model_return frees what it has of its own.
 * 0, or -1 with the error set. */
int rrm_model_borrow(const struct model *model, struct rrm_model *made, struct error *e);
void rrm_model_return(struct rrm_model *made);

/* The caller's model of *model, whose arrays it takes over; they are freed if that fails. NULL with the error set. */
struct rrm_model *rrm_model_make(struct model *model, struct error *e);

#endif

/* foreign_options.h - the options of LIBLINEAR's train and of svm-train, in our words.
 *
 * `-s` names a solver here and has a number there. A command line with such a number, or with -g, is theirs: its
 * one-letter options become ours, and everything else stays (files, --report FILE, ...). It is LIBSVM's if it has -t,
 * -g, -d, -h or a number of -r. So is -t K beside -d, -h, -m or a number of -r. */
#ifndef RRM_FOREIGN_OPTIONS_H
#define RRM_FOREIGN_OPTIONS_H

#include "io/error.h"

#include <stdbool.h>

/* A command line in our words. */
struct foreign_options {
    bool found; /* otherwise the rest is 0, but for `kernel`: the command line is ours */
    /* the number of a limit -t that could be one of LIBSVM's kernels, beside -c or -v; or NULL */
    const char *kernel;
    const char *whose; /* "LIBLINEAR", "LIBSVM" */
    int argc;
    char **argv;          /* owned; NULL at the end */
    bool drops_tolerance; /* LIBLINEAR's -e was given, which has no counterpart */
};

/* Translates argv, which must outlive the result; the result is not to be moved. 0, or -1 with the error set: a problem
 * that is not solved here, or an argument that is no number; to be freed in either case. */
int foreign_options_translate(int argc, char **argv, struct foreign_options *foreign,
                              struct error *e);

/* What LIBSVM means by that number, in our words; NULL: there is none. */
const char *foreign_options_kernel(const struct foreign_options *foreign);

void foreign_options_free(struct foreign_options *foreign);

#endif

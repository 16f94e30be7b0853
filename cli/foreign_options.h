/* foreign_options.h - the options of LIBLINEAR's train and of svm-train, in our words.
 *
 * `-s` names a solver here and has a number there. A command line with such a number, with -g, with a number of -h, or
 * with -C and neither our loss nor our solver, is theirs: its one-letter options become ours, and everything else stays
 * (files, --report FILE, ...). It is LIBSVM's if it has -t, -g, -d, -h, a number of -r, or -n or -p beside a number of
 * -s with which LIBLINEAR does not use them. So is -t K beside -d, -m or a number of -r, and -t 0 with no option that
 * LIBSVM has not. */
#ifndef RRM_FOREIGN_OPTIONS_H
#define RRM_FOREIGN_OPTIONS_H

#include "io/error.h"

#include <stdbool.h>

/* A command line in our words. */
struct foreign_options {
    bool found; /* otherwise the rest is 0, but for `kernel` and `tube`: the command line is ours */
    /* the number of a limit -t that could be one of LIBSVM's kernels: beside -c, -v or -b, or with no option that
     * LIBSVM has not; or NULL */
    const char *kernel;
    /* a limit -p of less than one pass, which could be the width of a tube; or NULL */
    const char *tube;
    const char *whose; /* "LIBLINEAR", "LIBSVM" */
    int argc;
    char **argv; /* owned; NULL at the end */
    /* a number of -s that both have, with no option that one of them alone has; or NULL */
    const char *ambiguous;
    bool drops_tolerance; /* an -e was given that has no counterpart */
    bool drops_start;     /* LIBLINEAR's -C has a -c, the first C of the search */
    const char *model;    /* the operand for a model that -v does not write, behind argv; or NULL */
    char unused[8];       /* letters of options that were given and have no effect, there as here */
};

/* Translates argv, which must outlive the result; the result is not to be moved. 0, or -1 with the error set: a problem
 * that is not solved here, or an argument that is no number; to be freed in either case. */
int foreign_options_translate(int argc, char **argv, struct foreign_options *foreign,
                              struct error *e);

/* What LIBSVM means by that number, in our words; NULL: there is none. */
const char *foreign_options_kernel(const struct foreign_options *foreign);

void foreign_options_free(struct foreign_options *foreign);

#endif

/* mcpa.c - multiple cutting planes for the linear support vector machine.
 *
 *     minimize  lambda/2 ||w||^2 + sum over partitions k of R_k(w)
 *
 * As ocas, but each iteration takes a cut from each of P partitions of the rows, and the cut's point
 * is the best point itself unless the line search failed there (section 5.2.3.1). More cuts a pass
 * mean fewer iterations and a larger program. Single passes (cutting_plane.h) suit rows that a disk reads: with 64
 * parts they read covtype 12, 19 and 20 times at lambda 1e-3, 1e-5 and 1e-7, where the others take 22, 38 and 44.
 *
 * Reference: Lee 2011, Algorithm 8. Iteration: as ocas, with P Gram rows. */
#include "solvers/cutting_plane/cutting_plane.h"

static int train(const struct solve *solve, struct error *e) {
    const struct cutting_settings *settings = solve->options;
    return cutting_train(solve, settings->partitions, true, e);
}

static const struct option_row options[] = {
    {.name = "partitions",
     .argument = "P",
     .kind = OPTION_INTEGER,
     .low = 0,
     .high = 1000,
     .default_text = "0",
     .help = "cuts in each iteration, one from each of P parts of the examples; 0: 64 with "
             "--single-pass, else 2, or 1 if there are more features than examples",
     .offset = offsetof(struct cutting_settings, partitions)},
    {.name = "single-pass",
     .argument = "off|on|auto",
     .kind = OPTION_CHOICE,
     .choices = cutting_single_passes,
     .default_text = "auto",
     .help =
         "on: an iteration reads the examples once, and takes two cuts from each part; not with "
         "--intercept, nor over processes; auto: with a cache larger than --memory, and at most "
         "1000 features",
     .offset = offsetof(struct cutting_settings, single_pass)},
    CUTTING_SAFEGUARD_ROWS("needed"),
    CUTTING_OPTION_ROWS,
};

const struct solver mcpa = {
    .name = "mcpa",
    .summary = "several cutting planes a pass, for few features and many examples",
    .reference = "Lee 2011, Algorithm 8",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .train = train,
    CUTTING_SOLVER_FIELDS,
};

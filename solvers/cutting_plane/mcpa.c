/* mcpa.c - multiple cutting planes for the linear support vector machine.
 *
 *     minimize  lambda/2 ||w||^2 + sum over partitions k of R_k(w)
 *
 * As ocas, but each iteration takes a cut from each of P partitions of the rows, and the cut's point
 * is the best point itself unless the line search failed there (section 5.2.3.1). More cuts a pass
 * mean fewer iterations and a larger program. Single passes (cutting_plane.h) suit rows that a disk reads: with 64
 * parts they read covtype 9 and 11 times at lambda 1e-5 and 1e-7, where the others take 122 and 316 passes. Other
 * piecewise linear losses have single passes alone: 4 to 13 on covtype at 1e-2 to 1e-7, where proximal-bundle takes 45
 * to 384.
 *
 * Reference: Lee 2011, Algorithm 8. Iteration: as ocas, with P Gram rows. */
#include "solvers/cutting_plane/cutting_plane.h"

/* The multiples of the hinge, and by single passes all piecewise linear losses. */
static bool takes(const struct loss *loss) {
    return cutting_takes(loss) || loss_is_piecewise_linear(loss);
}

static bool takes_alone(const struct loss *loss) {
    return !cutting_takes(loss);
}

static int check(const struct solver_request *request, struct error *e) {
    const struct cutting_settings *settings = request->options;
    if (request->loss != NULL && takes_alone(request->loss) &&
        settings->single_pass == SINGLE_PASS_OFF)
        return error_usage(e, "mcpa trains -L %s by single passes alone; drop --single-pass off",
                           request->loss->name);
    return 0;
}

static double bytes(const struct scalar_terms *terms, const void *options) {
    return cutting_bytes(terms, options);
}

static int train(const struct solve *solve, struct error *e) {
    return cutting_train(solve, false, true, e);
}

static const struct option_row options[] = {
    {.name = "partitions",
     .argument = "P",
     .kind = OPTION_INTEGER,
     .low = 0,
     .high = 1000,
     .default_text = "0",
     .help = "cuts in each iteration, one from each of P parts of the examples; 0: 64 with single "
             "passes, else 2, or 1 if there are more features than examples",
     .offset = offsetof(struct cutting_settings, partitions)},
    {.name = "single-pass",
     .argument = "off|on|auto",
     .kind = OPTION_CHOICE,
     .choices = cutting_single_passes,
     .default_text = "auto",
     .help = "on: an iteration reads the examples once, and takes two cuts from each part; not "
             "over processes; auto: with losses other than the hinge, and "
             "with a cache larger than --memory, and at most 1000 features",
     .offset = offsetof(struct cutting_settings, single_pass)},
    OPTION_NUMBER_ROW("memory", "MB", 1e7, "0", struct cutting_settings, memory,
                      "with single passes: limit of what is kept of examples and cuts, in "
                      "megabytes; 0: half of the machine's"),
    CUTTING_SAFEGUARD_ROWS("needed"),
    CUTTING_OPTION_ROWS,
};

const struct solver mcpa = {
    .name = "mcpa",
    .summary = "several cutting planes a pass, for few features and many examples",
    .reference = "Lee 2011, Algorithm 8",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_loss = takes,
    .takes_alone = takes_alone,
    .check = check,
    .bytes = bytes,
    .train = train,
    CUTTING_SOLVER_FIELDS,
};

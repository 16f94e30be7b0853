/* accelerated_options.c - the options of agm and agm1. */
#include "solvers/accelerated/accelerated.h"

#include <math.h>
#include <stddef.h>

static const char *const smoothings[] = {"homotopy", "fixed", NULL};
static const char *const lipschitz[] = {"adaptive", "fixed", NULL};
static const char *const proxes[] = {"plain", "optimized", NULL};
static const char *const metrics[] = {"auto", "plain", "root", "scaled", NULL};

#define FIELD(name) .offset = offsetof(struct accelerated_settings, name)

const struct option_row accelerated_options[ACCELERATED_OPTIONS] = {
    {0, "form", "NAME", OPTION_CHOICE, .default_text = "auto", FIELD(form), .choices = form_names,
     .help = "the problem that is solved: primal, the smoothed risk in the weights; dual, the dual "
             "problem; smooth-dual, the smoothed dual; excessive-gap, primal and dual together, "
             "with smoothing that falls to 0. auto takes smooth-dual for losses with kinks and "
             "more features than examples, else primal. All but primal need -r l2 or elastic-net "
             "and -L hinge, squared-hinge, squared, absolute, huber or quantile. -L boost has "
             "primal, over the distribution of the examples, and dual, over the weights"},
    {0, "smoothing", "NAME", OPTION_CHOICE, .default_text = "homotopy", FIELD(smoothing),
     .choices = smoothings,
     .help = "how mu, the smoothing of losses with kinks, is chosen: homotopy, mu becomes smaller "
             "as the gap does; fixed, mu stays, and without --mu it is lowered only if -e cannot "
             "be reached otherwise (--form primal and smooth-dual, losses with kinks; -L boost: "
             "--form primal with a constraint)"},
    {0, "mu", "X", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, FIELD(mu),
     .help = "amount of smoothing: for the hinge the smoothed risk is at most mu/2 below the risk. "
             "With homotopy this is the first value (default: 1; with fixed, it follows from -e). "
             "For the same losses and forms as --smoothing"},
    {0, "lipschitz", "NAME", OPTION_CHOICE, .default_text = "adaptive", FIELD(lipschitz),
     .choices = lipschitz,
     .help = "the Lipschitz constant L of the gradient: adaptive, estimated in each step; or "
             "fixed, an upper bound by power iteration (needs --metric plain or auto; not for -L "
             "boost with --form dual)"},
    {0, "decay", "X", OPTION_REAL, .low = 1, .high = 100, FIELD(decay),
     .help = "with --lipschitz adaptive: L is divided by X after each step, and doubled when a "
             "step is refused (default 1.1)"},
    {0, "prox", "NAME", OPTION_CHOICE, .default_text = "plain", FIELD(prox), .choices = proxes,
     .help =
         "the prox-function that smooths the kinks: plain, the same for each example; optimized, "
         "by each example's entry in the top eigenvector (--form primal, losses with kinks)"},
    {0, "metric", "NAME", OPTION_CHOICE, .default_text = "auto", FIELD(metric), .choices = metrics,
     .help = "the norm in which steps are measured: plain, the Euclidean one; scaled, each squared "
             "weight times the mean square of its feature; root, times the square root of that. "
             "auto takes plain; root for several outputs and groups; scaled if values are far "
             "above 1 (--form primal)"},
    {0, "strong", "X", OPTION_REAL, .low = 0, .high = INFINITY, .default_text = "0", FIELD(strong),
     .help =
         "strong convexity of the risk, if you know it, such as the smallest eigenvalue of X'X/m "
         "for the squared loss: faster; the certified bound does not use it (--form primal)"},
};

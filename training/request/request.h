/* request.h - a request for training: the settings, which of them were given, and what follows from them. It does not
 * depend on the command line: settings are set by name and text, or by the owner of the option groups.
 *
 *     request_init, request_set ...     the settings
 *     request_find_names                loss, regularizer and solver by their names (check.h)
 *     request_complete                  sets defaults, refuses combinations that are not possible
 *     request_choose                    the default solver, once the data are known (choice.h) */
#ifndef RRM_REQUEST_H
#define RRM_REQUEST_H

#include "solvers/solver.h"
#include "training/request/settings.h"

enum { TRIALS_MOST = 3 };

/* A solver that is tried before the solver of the request. It ends the run if it reaches the tolerance within its
 * passes. If not, the next trial follows; after the last one the solver of the request, which starts from the best
 * weights of all trials. */
struct trial {
    const struct solver *solver; /* NULL: there are no more */
    double passes;               /* at most */
    /* how many of these the latest report allows (trial_limits.h); NULL: all */
    double (*allowed)(const struct report *report, double passes);
    bool warm;      /* it starts from the best of those before it */
    bool forgotten; /* the solver of the request starts at w = 0, after the last of them */
    /* if it takes all its passes, the solver of the request is next, from its weights */
    bool decides;
};

struct training_request {
    struct train_settings settings; /* once complete: with defaults for those not given */
    bool solver_given, cost_given, positive_given, passes_given;
    bool start_given; /* training starts from a model */
    bool one_vs_one;  /* more than two labels are trained in pairs; set by request_complete */
    bool distributed; /* the data will lie in several processes (io/communicator.h) */
    bool held_out; /* the caller has examples that choose lambda or end the passes (--validation) */
    bool weights_given; /* the caller multiplies the examples' weights (--weights) */
    bool cached;        /* the examples come from a cache, which may be larger than --memory */
    /* an option by which all examples are read before training, which streams do not have; NULL: none was given */
    const char *read_first;
    /* a linear model is trained in place of a kernel machine (linear_kernel.h) */
    bool linear_kernel;
    bool window;                 /* the examples do not stay in memory; set by request_choose */
    const struct solver *solver; /* of -s; NULL until request_choose otherwise */
    /* before it, one after another; set by request_choose */
    struct trial trial[TRIALS_MOST];
    const struct risk_row *risk;
    const struct regularizer *regularizer;
    const void *options; /* the settings of the solver; NULL: it has none */
    bool zero_based;     /* models and messages count features from 0 */
    /* of the data ("": arrays) and of the model to start from, for messages */
    const char *data_name;
    const char *start_name;
    /* what precedes "-L help", which lists the losses, in messages: "" in the program itself */
    const char *lister;

    struct option_group *groups; /* the settings', MORE of request_init, then one a solver */
    int group_count;
    char **text; /* copies that request_set made */
    int64_t texts;
};

/* Sets every setting to its default. MORE: a further group of options of the caller; NULL: none. The request must
 * not be moved, since its groups point to it. 0, or -1 with the error set; the caller frees it in either case. */
int request_init(struct training_request *request, const struct option_group *more,
                 struct error *e);

void request_free(struct training_request *request);

/* Sets the option of this long name, "lambda", from TEXT, which is copied; for a flag (--intercept) TEXT is
 * NULL. 0, or -1 with a usage error: no such option (the nearest is named), not a number, out of range. */
int request_set(struct training_request *request, const char *name, const char *text,
                struct error *e);

/* Whether the setting NAME was given. */
bool request_given(const struct training_request *request, const char *name);

/* The group of the options of one solver, or NULL. */
const struct option_group *request_group(const struct training_request *request,
                                         const char *solver);

/* Whether sigmoids are fitted: -b 1, with a loss that has no probabilities of its own. */
bool request_fits_sigmoids(const struct training_request *request);

/* The settings that concern every solver. The run sets the stream and a start other than the caller's. */
struct run_settings request_run_settings(const struct training_request *request);

#endif

/* request.h - what is to be trained, and how: the settings, which of them were given, and what follows from
 * them. Nothing in it is of the command line: the options are set by name and text, or by whoever fills the
 * groups.
 *
 *     request_init, request_set ...     the settings
 *     request_find_names                loss, regularizer and solver by their names (check.h)
 *     request_complete                  what holds where nothing was given, and what does not go together
 *     request_choose                    the default solver, once the data are known (choice.h) */
#ifndef RRM_REQUEST_H
#define RRM_REQUEST_H

#include "solvers/solver.h"
#include "training/settings.h"

struct training_request {
    struct train_settings settings; /* once complete: what holds, given or not */
    bool solver_given, cost_given, positive_given, passes_given;
    bool start_given;   /* training starts from a model */
    bool weights_given; /* the caller multiplies the examples' weights by others (--weights) */
    bool window;        /* mapped examples come and go: known once request_choose saw the data */
    const struct solver *solver; /* of -s; NULL until request_choose otherwise */
    const struct risk_row *risk;
    const struct regularizer *regularizer;
    const void *own; /* the solver's own settings; NULL when it has none */
    bool zero_based; /* the data's features count from 0, where a model or a message names one */
    const char
        *data_name; /* of the data ("": arrays) and of the model to start from, for messages */
    const char *start_name;
    const char *
        lister; /* what precedes "-L help", which lists the losses, in messages: "" in the program itself */

    struct option_group *groups; /* the settings', MORE of request_init, then one a solver */
    int group_count;
    char **text; /* copies that request_set made */
    int64_t texts;
};

/* Every setting at its default. MORE: a group of the caller's that is set beside them, without an owner;
 * NULL: none. The request stays where it is: its groups point to it. 0, or -1 with the error set; to be
 * freed in either case. */
int request_init(struct training_request *request, const struct option_group *more,
                 struct error *e);

void request_free(struct training_request *request);

/* Sets the option of this long name, "lambda", from TEXT, which is copied; for a flag (--intercept) TEXT is
 * NULL. 0, or -1 with a usage error: no such option (the nearest is named), not a number, out of range. */
int request_set(struct training_request *request, const char *name, const char *text,
                struct error *e);

/* Whether the setting NAME was given. */
bool request_given(const struct training_request *request, const char *name);

/* The group of a solver's own options, or NULL. */
const struct option_group *request_group(const struct training_request *request,
                                         const char *solver);

/* What the settings say to every solver; the stream, and a start other than the caller's, are the run's. */
struct run_settings request_run_settings(const struct training_request *request);

#endif

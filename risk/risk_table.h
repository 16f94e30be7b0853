/* risk_table.h - the risks that -L knows: the mean of a scalar loss for each row of the table of losses,
 * and risks that are no such means, a row each in risk_table.c. */
#ifndef RRM_RISK_TABLE_H
#define RRM_RISK_TABLE_H

#include "risk/regularizer.h"
#include "risk/risk.h"

/* 0: chosen, see boost.h. */
struct boost_parameters {
    double nu;  /* examples that share d at least; 1/nu is the cap */
    double eta; /* the weight of the entropy is 1/eta: KL(d, q)/eta */
};

/* The weights of places in rankings: --places grades, root; see ndcg.h. */
enum places { PLACES_GRADES, PLACES_ROOT };

/* The pairs of a feature and a label of sequences that have a weight: --state-features all, attested. */
enum state_features { STATE_FEATURES_ALL, STATE_FEATURES_ATTESTED };

/* What a risk is made of: the examples, with a scalar loss and its parameters where it has one, and the
 * parameters of the others. */
struct risk_settings {
    /* target: +1 and -1; of joint tasks the class, from 0; else the label */
    struct scalar_settings scalar;
    struct boost_parameters boost;
    int64_t labels;     /* classes of a joint task */
    int places;         /* enum places, of ndcg */
    int state_features; /* enum state_features, of sequences */
    int64_t at;         /* the K of precision at K and NDCG at K; 0: the default */
};

/* Other settings of the user that a risk may have to refuse. */
struct risk_request {
    const struct regularizer *regularizer;
    const struct regularizer_parameters *parameters;
    bool constants; /* a constant feature or an offset */
};

struct risk_row {
    const char *name;
    const char *summary; /* one line for -L help */
    enum task task;
    bool probabilities;        /* as in struct loss; of joint tasks the risk is a log-likelihood */
    const struct loss *scalar; /* the risk is its mean; NULL: it is no such mean */
    /* beside the weights, from nu: solvers that learn margins take it alone */
    enum loss_learned learned;
    const char *regularizer; /* the default one */
    const char *measure; /* the measure of predictions by which lambda is chosen; NULL: the first */

    /* 0, or a usage error if the risk does not allow these settings. NULL: it allows all. */
    int (*check)(const struct risk_request *request, struct error *e);

    /* 0, or an error with the line of the file PATH, whose indices count from 0 or 1, if the risk does not allow
     * the data. NULL: it allows all data. */
    int (*check_data)(const struct dataset *data, const char *path, bool zero_based,
                      struct error *e);

    bool items;          /* it is a mean over items: online solvers apply */
    bool margins;        /* it has class_terms, unless with offsets */
    bool smooth;         /* it has no kinks and needs no smoothing */
    bool no_smooth_form; /* no smoothed form: accelerated gradients do not apply */
    bool needs_all_rows; /* needs all rows in memory at once: no window (io/window.h) */
    bool cut;            /* has a K (--at) */
    bool boosts;         /* has a distribution over the examples besides the weights (boost.h) */

    const char *no_offset; /* why it has no unregularized offset; NULL: it has one */

    /* number of features, whether they occur in training or not; 0: those that occur */
    int32_t features;

    /* The number of weights that belong to no feature, stored behind the vectors. NULL: none. */
    int64_t (*shared)(int64_t labels);

    /* NULL with the error set. */
    struct risk *(*make)(const struct risk_settings *settings, struct error *e);
};

/* NULL when there is none of this name. */
const struct risk_row *risk_row_by_name(const char *name);

/* The table, scalar losses first; *count rows. */
const struct risk_row *risk_table(int *count);

#endif

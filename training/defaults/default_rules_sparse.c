/* default_rules_sparse.c - other regularizers than l2. */
#include "training/defaults/default_rules.h"

#include "training/defaults/default_bounds.h"

static bool is_sparse(const struct default_request *request) {
    return request->needs.regularizer == regularizer_by_name("l1");
}

/* Others take many steps where features are not scaled, so that most examples have the absolute loss. */
static bool is_huber_for_newton(const struct default_request *request) {
    bool uneven = default_request_has_few(request) && request->uneven;
    return request->needs.risk == risk_row_by_name("huber") &&
           (uneven || default_request_is_of_few_rows(request)) &&
           (is_sparse(request) || request->needs.regularizer == regularizer_by_name("elastic-net"));
}

static bool is_sparse_and_smooth(const struct default_request *request) {
    return default_request_is_smooth(request) &&
           (is_sparse(request) || request->needs.regularizer == regularizer_by_name("elastic-net"));
}

static bool is_sparse_with_kinks(const struct default_request *request) {
    return is_sparse(request) && default_request_has_kinks(request);
}

static bool is_sparse_narrow_with_kinks(const struct default_request *request) {
    return is_sparse_with_kinks(request) && default_request_affords_newton(request);
}

/* Planes are few at large lambda and with many examples alone. */
static bool is_elastic_narrow_with_kinks(const struct default_request *request) {
    bool easy = request->lambda >= LARGE_LAMBDA && !default_request_is_tight(request) &&
                request->rows >= FAIRLY_MANY_EXAMPLES_PER_FEATURE * request->features;
    return request->needs.regularizer == regularizer_by_name("elastic-net") &&
           default_request_has_kinks(request) && default_request_affords_newton(request) && !easy;
}

static bool is_elastic_and_wide(const struct default_request *request) {
    return request->needs.regularizer == regularizer_by_name("elastic-net") &&
           default_request_is_wide(request);
}

/* clang-format off */
static const struct default_rule rules[] = {
    {"ipm",
     "l1 or elastic net, huber: at most " TEXT(FEW_FEATURES) " features whose sizes differ much, or " FEW_ROWS,
     is_huber_for_newton},
    {"lps", "l1 or elastic net, and a smooth loss", is_sparse_and_smooth},
    {"ipm",
     "l1, a loss with kinks: at most " TEXT(MANY_FEATURES) " features, or " FEW_ROWS,
     is_sparse_narrow_with_kinks},
    {"agm", "l1, and a loss with kinks", is_sparse_with_kinks},
    {"rda", "l1, and -k", is_sparse},
    {"ipm",
     "elastic net, a loss with kinks, at most " TEXT(MANY_FEATURES) " features or " FEW_ROWS ", unless lambda is "
     TEXT(LARGE_LAMBDA) " or more with at least " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a feature",
     is_elastic_narrow_with_kinks},
    {"agm", "elastic net, more features than examples", is_elastic_and_wide},
    {"bundle", "regularizers other than l2", default_request_other_than_l2},
};
/* clang-format on */

const struct default_rules default_rules_sparse = {"regularizers other than l2", rules,
                                                   sizeof rules / sizeof *rules};

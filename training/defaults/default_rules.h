/* default_rules.h - the rules that choose the solver of a run without -s, by families, which are asked in this order:
 * the first rule that suits decides. */
#ifndef RRM_DEFAULT_RULES_H
#define RRM_DEFAULT_RULES_H

#include "training/defaults/default_request.h"

struct default_rule {
    const char *solver; /* may be one that is not registered: the rule is skipped */
    const char *when;
    bool (*suits)(const struct default_request *request);
};

struct default_rules {
    const char *of; /* what kind of runs, for the help */
    const struct default_rule *rule;
    int count;
};

extern const struct default_rules default_rules_joint, default_rules_sparse, default_rules_hinge,
    default_rules_other;

#endif

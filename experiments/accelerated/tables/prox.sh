# prox.sh - Hinge, l2: the prox-function of the smoothing, L adaptive and fixed. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: the prox-function of the smoothing, L adaptive and fixed"
levels="1e-2 1e-3 1e-4"
. "$folder/five_sets.sh"
methods=( # name|options; +: a run for each level
    "plain|-s agm --form primal"
    "optimized|-s agm --form primal --prox optimized"
    "plain, L fixed|-s agm --form primal --lipschitz fixed"
    "optimized, L fixed|-s agm --form primal --lipschitz fixed --prox optimized"
)
. "$folder/spec.sh"

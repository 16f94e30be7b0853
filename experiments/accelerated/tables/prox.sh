# prox.sh - Hinge, l2: the prox-function of the smoothing, L adaptive and fixed. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: the prox-function of the smoothing, L adaptive and fixed"
levels="1e-2 1e-3 1e-4"
problems=(
    "a9a 1e-2 1e-4"
    "w8a 1e-2 1e-4"
    "ijcnn1 1e-2 1e-4"
    "usps 1e-2 1e-4"
    "reuters 1e-2 1e-4"
)
methods=( # name|options; +: a run for each level
    "plain|-s agm --form primal"
    "optimized|-s agm --form primal --prox optimized"
    "plain, L fixed|-s agm --form primal --lipschitz fixed"
    "optimized, L fixed|-s agm --form primal --lipschitz fixed --prox optimized"
)
. "$folder/spec.sh"

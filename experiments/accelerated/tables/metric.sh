# metric.sh - Hinge, l2: norms of the weights. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: norms of the weights"
levels="1e-2 1e-3 1e-4"
problems=(
    "a9a 1e-2 1e-4"
    "w8a 1e-2 1e-4"
    "ijcnn1 1e-2 1e-4"
    "usps 1e-2 1e-4"
    "reuters 1e-2 1e-4"
)
methods=( # name|options; +: a run for each level
    "auto: plain here|-s agm --form primal"
    "root|-s agm --form primal --metric root"
    "scaled|-s agm --form primal --metric scaled"
)
. "$folder/spec.sh"

# metric.sh - Hinge, l2: norms of the weights. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: norms of the weights"
levels="1e-2 1e-3 1e-4"
. "$folder/five_sets.sh"
methods=( # name|options; +: a run for each level
    "auto: plain here|-s agm --form primal"
    "root|-s agm --form primal --metric root"
    "scaled|-s agm --form primal --metric scaled"
)
. "$folder/spec.sh"

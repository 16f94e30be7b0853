# linear.sh - Logistic (log) and squared hinge (sq), l2. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Logistic (log) and squared hinge (sq), l2"
levels="1e-2 1e-4 1e-6 1e-8"
. "$folder/five_sets.sh"
methods=( # name|options; +: a run for each level
    "log: agm|-s agm -L logistic"
    "log: bundle|-s bundle -L logistic"
    "sq: agm|-s agm -L squared-hinge"
    "sq: bundle|-s bundle -L squared-hinge"
)
. "$folder/spec.sh"

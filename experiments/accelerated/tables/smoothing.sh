# smoothing.sh - Hinge, l2. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2"
levels="1e-2 1e-3 1e-4"
problems=(
    "a9a 1e-2 1e-4"
    "w8a 1e-2 1e-4"
    "ijcnn1 1e-2 1e-4"
    "connect-4 1e-2 1e-4"
    "usps 1e-2 1e-4"
    "reuters 1e-2 1e-4"
    "mnist 1e-2"
    "covtype 1e-2"
    "news20 1e-2"
)
methods=( # name|options; +: a run for each level
    "homotopy|-s agm --form primal"
    "+fixed, mu = e|-s agm --form primal --smoothing fixed"
    "mu = 0.1|-s agm --form primal --smoothing fixed --mu 0.1"
    "mu = 0.01|-s agm --form primal --smoothing fixed --mu 0.01"
    "mu = 0.001|-s agm --form primal --smoothing fixed --mu 0.001"
)
. "$folder/spec.sh"

# memory.sh - Hinge, l2: infinite memory and one memory. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: infinite memory and one memory"
levels="1e-2 1e-3 1e-4"
problems=(
    "a9a 1e-2 1e-4"
    "w8a 1e-2 1e-4"
    "ijcnn1 1e-2 1e-4"
    "connect-4 1e-2 1e-4"
    "usps 1e-2 1e-4"
    "reuters 1e-2 1e-4"
    "news20 1e-2"
)
methods=( # name|options; +: a run for each level
    "agm|-s agm --form primal"
    "agm1|-s agm1 --form primal"
)
. "$folder/spec.sh"

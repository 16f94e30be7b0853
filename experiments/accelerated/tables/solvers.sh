# solvers.sh - Hinge, l2: until J is within so much of the optimum. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: until J is within so much of the optimum"
levels="1e-2 1e-3 1e-4"
from=optimum
problems=(
    "a9a 1e-2 1e-4"
    "w8a 1e-2 1e-4"
    "ijcnn1 1e-2 1e-4"
    "connect-4 1e-2 1e-4"
    "usps 1e-2 1e-4"
    "reuters 1e-2 1e-4"
    "mnist 1e-2 1e-4 1e-5"
    "covtype 1e-2 1e-4"
    "news20 1e-2 1e-4 1e-5"
)
methods=( # name|options; +: a run for each level
    "agm|-s agm"
    "bundle|-s bundle"
    "ocas|-s ocas"
    "proximal-bundle|-s proximal-bundle"
    "ipm|-s ipm"
    "LIBLINEAR|-s liblinear" # no solver of ours: no sources
)
. "$folder/spec.sh"

# boost.sh - Entropy-regularized LPBoost, ball of the 1-norm. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Entropy-regularized LPBoost, ball of the 1-norm"
levels="1e-2 1e-3 1e-4"
common="-L boost --ball l1=1"
parameter=--nu
problems=(
    "a9a 326 3256 16280"
    "w8a 498 4975 24875"
    "ionosphere 4 35 176"
)
methods=( # name|options; +: a run for each level
    "primal|-s agm --form primal"
    "dual|-s agm --form dual"
)
. "$folder/spec.sh"

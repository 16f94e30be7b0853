# lipschitz.sh - Hinge, l2: L found on the way, by its decay, and fixed. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: L found on the way, by its decay, and fixed"
levels="1e-2 1e-3 1e-4"
. "$folder/five_sets.sh"
methods=( # name|options; +: a run for each level
    "decay 1|-s agm --form primal --decay 1"
    "decay 1.1 (default)|-s agm --form primal"
    "decay 2|-s agm --form primal --decay 2"
    "fixed|-s agm --form primal --lipschitz fixed"
)
. "$folder/spec.sh"

# forms.sh - Hinge, l2: what is solved. See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge, l2: what is solved"
levels="1e-2 1e-3 1e-4"
. "$folder/five_sets.sh"
methods=( # name|options; +: a run for each level
    "primal|-s agm --form primal"
    "dual|-s agm --form dual"
    "smooth-dual|-s agm --form smooth-dual"
    "excessive-gap|-s agm --form excessive-gap"
)
. "$folder/spec.sh"

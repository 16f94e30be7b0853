# sparse.sh - Hinge with l1 and with the elastic net (en, half and half). See ../spec.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154
title="Hinge with l1 and with the elastic net (en, half and half)"
levels="1e-2 1e-3 1e-4"
problems=(
    "a9a 1e-2 1e-3"
    "w8a 1e-2 1e-3"
    "ijcnn1 1e-2 1e-3"
    "usps 1e-2 1e-3"
    "reuters 1e-3 1e-4"
)
methods=( # name|options; +: a run for each level
    "l1: homotopy|-s agm --form primal -r l1"
    "+l1: fixed, mu = e|-s agm --form primal -r l1 --smoothing fixed"
    "en: homotopy|-s agm --form primal -r elastic-net"
    "+en: fixed, mu = e|-s agm --form primal -r elastic-net --smoothing fixed"
    "en: bundle|-s bundle -r elastic-net"
)
. "$folder/spec.sh"

# five_sets.sh - sourced by tables of this folder: the sets and lambdas that most of them share.
# shellcheck shell=bash disable=SC2034
problems=(
    "a9a 1e-2 1e-4"
    "w8a 1e-2 1e-4"
    "ijcnn1 1e-2 1e-4"
    "usps 1e-2 1e-4"
    "reuters 1e-2 1e-4"
)

# lambdas.sh - for the scripts of this folder. Sourced.
# shellcheck shell=bash

# OUT COLUMN: the sets that are there, with the lambdas of that column of sets.tsv: "NAME LAMBDA ...".
sets_with_lambdas() {
    awk -F '\t' -v column="$2" '
        NR == FNR { there[$1]; next }
        /^# name/ { for (i = 1; i <= NF; i++) if ($i == column) c = i }
        !/^#/ && $1 in there && $c != "-" { print $1, $c }' "$1/names" "$(dirname "$0")/sets.tsv"
}

# The bundle methods that are compared; the terms of proximal-bundle by level are its default, balance is
# the paper's Algorithm 4.
# shellcheck disable=SC2034 # used by the scripts
methods="bundle level balance"
# shellcheck disable=SC2034
declare -A method_options=(
    [bundle]="-s bundle"
    [level]="-s proximal-bundle --tau level"
    [balance]="-s proximal-bundle --tau balance"
)
# shellcheck disable=SC2034
declare -A method_titles=(
    [bundle]=bundle
    [level]="proximal-bundle"
    [balance]="proximal-bundle --tau balance"
)

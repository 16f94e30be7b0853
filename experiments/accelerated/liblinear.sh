#!/bin/bash
# liblinear.sh OUT SET LAMBDA OPTIMUM LEVELS - LIBLINEAR's dual coordinate descent (-s 3) at the loosest of its
# tolerances that ends with J within each level of the optimum, as cells of table.sh: outer
# iterations, then seconds, of the process less those of one that loads and evaluates (-s 0 at a tolerance that
# always holds). Without LIBLINEAR: "-".
set -euo pipefail
here=$(dirname "$0")
out=$1 set=$2 lambda=$3 optimum=$4 levels=$5
cache=$out/$set.liblinear-$lambda
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
# shellcheck disable=SC2034 # for sets.sh
train=${BIN:-$here/../..}/train runs=1 limit=$((${LIMIT:-30} + 5))
# shellcheck source=bench/sets.sh
. "$here/../../bench/sets.sh"

# TOLERANCE J ITERATIONS SECONDS of the runs, until one is within the last level or takes too long.
measure() {
    local cost load seconds j
    cost=$(cost_of "$lambda" "$file")
    load=$(seconds_of liblinear-train -s 0 -c "$cost" -e 1e9 "$file" "$temporary/model")
    for tolerance in 10 1 0.1 0.01 1e-3; do
        seconds=$(seconds_of liblinear-train -s 3 -c "$cost" -e $tolerance "$file" "$temporary/model")
        case $seconds in [0-9]*) ;; *) return 0 ;; esac
        j=$(liblinear_objective "$lambda" "$file" "$temporary/model")
        echo "$tolerance $j $(sed -n 's/^optimization finished, #iter = //p' "$temporary/output")" \
            "$(awk -v s="$seconds" -v l="$load" 'BEGIN { t = s - l; printf "%.4f", (t > 0 ? t : 0) }')"
        ! grep -q 'max number of iterations' "$temporary/output" || return 0
        awk -v j="$j" -v o="$optimum" -v least="${levels##* }" 'BEGIN { exit j / o - 1 <= least }' || return 0
    done
}

file=$out/$set.train
if [ ! -f "$cache" ]; then
    : >"$cache.part"
    ! command -v liblinear-train >/dev/null || measure >"$cache.part"
    mv "$cache.part" "$cache"
fi
printf '%s\t%s\tLIBLINEAR\tall\t' "$set" "$lambda"
awk -v levels="$levels" -v optimum="$optimum" '
    BEGIN { n = split(levels, level, " "); at = 1 }
    { for (; at <= n && $2 / optimum - 1 <= level[at]; at++) { passes[at] = $3; seconds[at] = sprintf("%.3f", $4) } }
    END {
        for (i = 1; i <= n; i++) printf "%s\t", i in passes ? passes[i] : "-"
        for (i = 1; i <= n; i++) printf "%s%s", i in seconds ? seconds[i] : "-", i < n ? "\t" : "\n"
    }' "$cache"

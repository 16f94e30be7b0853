#!/bin/bash
# sparse.sh BIN - l1: lps and rda+ (by turns; with RRM_LONG both on each row) to a certified gap of 1e-6 on real data:
# objective and bound enclose the optimum of $RRM_DATASETS/reference.tsv (the largest sets and the slowest rows with
# RRM_LONG); from lambda_max on every weight is 0.
set -u
bin=$1
# shellcheck source=tests/real_data.sh
. "$(dirname "$0")/../real_data.sh"

takes_long() { # DATA REGULARIZER
    case $1-$2 in
    mnist* | covtype* | news20-*'(0.001*'* | connect-4-*'(0.001*'*) [ -z "${RRM_LONG:-}" ] ;;
    *) false ;;
    esac
}

# The table has lambda in 10 digits, its bounds are of the unrounded one: J moves by up to 5e-10.
digits=1e-9
tried=0
while IFS=$'\t' read -r data _ _ rule loss regularizer lambda lower upper _; do
    case $regularizer in "l1("*) ;; *) continue ;; esac
    [ -f "$(path "$data")" ] || continue
    takes_long "$data" "$regularizer" && continue
    positive=()
    file=$(path "$data")
    case $rule in
    one-vs-rest:*) positive=(-P "${rule#*:}") ;;
    le:*) file=$work/data && rows_of "$data" "$rule" >"$file" ;;
    esac
    solvers=(lps rda+)
    [ -n "${RRM_LONG:-}" ] || solvers=("${solvers[tried % 2]}")
    for solver in "${solvers[@]}"; do
        "$bin/train" -q --strict -s $solver -e 1e-6 -L "$loss" -r l1 -l "$lambda" \
            "${positive[@]}" --report "$work/report" "$file" "$work/model" 2>"$work/err" ||
            fail "$data $rule $lambda, $solver: $(cat "$work/err")"
        awk -v j="$(value objective)" -v b="$(value bound)" -v lower="$lower" -v upper="$upper" -v d=$digits \
            'BEGIN { exit !(j >= lower * (1 - d) && j <= upper * (1 + 1e-6 + d) && b <= upper * (1 + d) &&
                j - b <= 1e-6 * j) }' ||
            fail "$data $rule $lambda, $solver: objective $(value objective), bound $(value bound)," \
                "optimum $lower to $upper"
    done
    tried=$((tried + 1))
done <"$table"
[ $tried -ge 15 ] || fail "only $tried rows of $table were tried"

# From lambda_max on, ten times what the rows of a tenth say, there is nothing but zeros.
while IFS=$'\t' read -r data _ _ rule loss regularizer lambda _; do
    [ "$regularizer $rule" = "l1(0.1*lambda_max) binary" ] || continue
    takes_long "$data" "$regularizer" && continue
    [ -f "$(path "$data")" ] || continue
    for factor in 10.000001 20; do
        for solver in lps rda+; do
            "$bin/train" -q --strict -s $solver -e 1e-6 -L "$loss" -r l1 \
                -l "$(awk -v l="$lambda" -v f=$factor 'BEGIN { printf "%.17g", l * f }')" \
                "$(path "$data")" "$work/model" 2>"$work/err" ||
                fail "$data, $factor/10 of lambda_max, $solver: $(cat "$work/err")"
            grep -q '^w sparse 0$' "$work/model" ||
                fail "$data, $factor/10 of lambda_max, $solver: $(grep -A 3 '^w ' "$work/model")"
        done
    done
done <"$table"
exit $failed

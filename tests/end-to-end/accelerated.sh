#!/bin/bash
# accelerated.sh BIN - agm and agm1 on real data: to a certified gap of 1e-3 their objectives and bounds enclose
# the optimum of $RRM_DATASETS/reference.tsv (by turns; with RRM_LONG both on each row, the slow rows too, and passes and
# seconds are printed); both are one method where they should be; every form finds LIBSVM's optimum with an offset.
set -u
bin=$1
# shellcheck source=tests/real_data.sh
. "$(dirname "$0")/../real_data.sh"

takes_long() { # DATA LAMBDA
    case $1-$2 in
    a9a-0.0001 | mnist* | covtype* | connect-4* | news20*) return 0 ;;
    *) return 1 ;;
    esac
}

tried=0
while IFS=$'\t' read -r data _ _ rule loss regularizer lambda lower upper _; do
    [ "$regularizer" = l2 ] || continue
    case $loss in hinge | logistic) ;; *) continue ;; esac
    awk -v l="$lambda" 'BEGIN { exit !(l >= 1e-5) }' || continue
    [ -f "$(path "$data")" ] || continue
    if takes_long "$data" "$lambda" && [ -z "${RRM_LONG:-}" ]; then continue; fi
    positive=()
    case $rule in one-vs-rest:*) positive=(-P "${rule#*:}") ;; esac
    rows_of "$data" "$rule" >"$work/data"
    solvers=(agm agm1)
    [ -n "${RRM_LONG:-}" ] || solvers=("${solvers[(tried + tried / 2) % 2]}") # each with both losses of a set
    for solver in "${solvers[@]}"; do
        "$bin/train" -q --strict -s $solver -e 1e-3 -L "$loss" -l "$lambda" "${positive[@]}" \
            --report "$work/report" "$work/data" "$work/model" 2>"$work/err" ||
            fail "$data $rule $loss $lambda, $solver: $(cat "$work/err")"
        grep -q '^status converged$' "$work/model" || fail "$data $rule $loss $lambda, $solver: not converged"
        awk -v j="$(value objective)" -v b="$(value bound)" -v lower="$lower" -v upper="$upper" \
            'BEGIN { exit !(j >= lower * (1 - 1e-12) && j <= upper * (1 + 1e-3) && b <= upper * (1 + 1e-12) &&
                j - b <= 1e-3 * j) }' ||
            fail "$data $rule $loss $lambda, $solver: objective $(value objective), bound $(value bound)," \
                "optimum $lower to $upper"
        [ -z "${RRM_LONG:-}" ] ||
            echo "$data $rule $loss $lambda, $solver: $(value passes) passes, $(value train_seconds) s"
    done
    tried=$((tried + 1))
done <"$table"
[ $tried -ge 10 ] || fail "only $tried rows of $table were tried"

# Smooth losses and l2: both memories make the same iterates, here the first 50 (with RRM_LONG of both losses on each).
for set in a9a/squared-hinge reuters21578.acq/logistic; do
    data=${set%/*}
    has_set "$data" || continue
    losses=("${set#*/}")
    [ -z "${RRM_LONG:-}" ] || losses=(logistic squared-hinge)
    for loss in "${losses[@]}"; do
        for solver in agm agm1; do
            "$bin/train" -q -s $solver -L "$loss" -l 1e-4 -e 1e-10 -p 100 -T "$work/$solver" "$(path "$data")" \
                "$work/model" 2>"$work/err" || fail "$data $loss, $solver: $(cat "$work/err")"
        done
        awk -F '\t' '
            $3 !~ /^[0-9]+$/ || $3 > 50 { next }
            NR == FNR { objective[$3] = $4; next }
            $3 in objective {
                n++
                d = $4 / objective[$3] - 1
                if (d > 1e-9 || d < -1e-9) { print "iteration " $3 ": " objective[$3] ", " $4; bad = 1 }
            }
            END { if (n < 15) print n " iterations compared"; exit bad || n < 15 }' "$work/agm" "$work/agm1" \
            >"$work/out" || fail "$data $loss, agm and agm1: $(cat "$work/out")"
    done
done

# LIBSVM solves the dual problem with its plane: 1/2 ||w||^2 + C (sum of losses) = C m J at lambda = 1/(C m). Its
# products of rows are floats, which moves its optimum by up to 4e-5 where values are not scaled (glass).
has_tools 'comparison with LIBSVM' svm-train || exit $failed
for data in heart_scale ionosphere glass.binary; do
    has_set $data || continue
    for cost in 0.01 1; do
        theirs=$(svm-train -t 0 -c $cost -e 1e-6 "$(path $data)" "$work/model" |
            sed -n 's/^obj = -\([^,]*\),.*/\1/p')
        for form in primal dual smooth-dual excessive-gap; do
            "$bin/train" -q --strict -s agm --form $form -c $cost --intercept -e 5e-5 --report "$work/report" \
                "$(path $data)" "$work/model" 2>"$work/err" || fail "$data -c $cost, $form: $(cat "$work/err")"
            awk -v j="$(value objective)" -v b="$(value bound)" -v theirs="$theirs" -v cost=$cost \
                -v rows="$(wc -l <"$(path $data)")" \
                'BEGIN { o = theirs / (cost * rows); d = 1e-4 * o; exit !(j >= o - d && j <= o + d && b <= o + d) }' ||
                fail "$data -c $cost, $form: objective $(value objective), bound $(value bound), LIBSVM's" \
                    "$theirs by $cost m"
        done
    done
done
exit $failed

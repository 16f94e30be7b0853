#!/bin/bash
# reference.sh BIN - train on real data against the certified optima of $RRM_DATASETS/reference.tsv:
# the objective is never below the optimum, the bound never above it, and proximal left to itself ends
# within 2 % of it (12 % on nearly separable data at small lambda); the slow rows with RRM_LONG. And the
# first example of the README on a9a.
set -u
bin=$1
# shellcheck source=tests/real_data.sh
. "$(dirname "$0")/../real_data.sh"

rows=0
while IFS=$'\t' read -r data _ _ rule loss regularizer lambda lower upper _; do
    [ "$regularizer" = l2 ] || continue
    case $data in a9a | w8a | ijcnn1.tr | connect-4 | reuters21578.acq | covtype*) ;; *) continue ;; esac
    case "${RRM_LONG:-} $data-$lambda" in # they take long
    *' connect-4-0.0001') ;;
    ' covtype'* | ' connect-4'*) continue ;;
    esac
    [ -f "$(path "$data")" ] || continue
    positive=()
    [ "$rule" = binary ] || positive=(-P "${rule#one-vs-rest:}")
    excess=0.02
    [ "$data" = reuters21578.acq ] && [ "$lambda" = 1e-07 ] && excess=0.12
    "$bin/train" -q -s proximal -L "$loss" -l "$lambda" "${positive[@]}" --report "$work/report" \
        "$(path "$data")" "$work/model" 2>"$work/err" || fail "$data $loss $lambda: $(cat "$work/err")"
    awk -v j="$(value objective)" -v b="$(value bound)" -v lower="$lower" -v upper="$upper" \
        -v excess=$excess 'BEGIN { exit !(j >= lower * (1 - 1e-12) && b <= upper * (1 + 1e-12) &&
            j <= upper * (1 + excess)) }' ||
        fail "$data $loss $lambda: objective $(value objective), bound $(value bound)," \
            "optimum $lower to $upper"
    rows=$((rows + 1))
done <"$table"
[ $rows -ge 20 ] || fail "only $rows rows of $table were tried"

# At small lambda proximal ends below the two others.
while read -r data lambda class; do
    [ -n "${RRM_LONG:-}" ] || [ "$data" != connect-4 ] || continue
    for solver in proximal adaptive pegasos; do
        "$bin/train" -q -s $solver -l "$lambda" ${class:+"$class"} -p 10 --report "$work/report" \
            "$(path "$data")" "$work/model" || fail "$solver on $data"
        value objective >"$work/$solver"
    done
    cat "$work/proximal" "$work/adaptive" "$work/pegasos" | tr '\n' ' ' |
        awk '{ exit !($1 < $2 && $1 < $3) }' || fail "$data: proximal does not end below the others"
done <<'END'
ijcnn1.tr 1e-7
w8a 1e-8
connect-4 1e-7 -P1
END

"$bin/train" -s proximal -l 1e-4 "$(path a9a)" "$work/a9a.model" >/dev/null || fail "train a9a"
"$bin/predict" "$(path a9a.t)" "$work/a9a.model" "$work/out" >"$work/measures"
grep -Eq '^Accuracy = 8[45]\.[0-9]+% \(1[0-9]+/16281\)$' "$work/measures" ||
    fail "a9a: $(head -1 "$work/measures")"
exit $failed

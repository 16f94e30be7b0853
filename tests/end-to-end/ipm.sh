#!/bin/bash
# ipm.sh BIN - -s ipm to a certified gap of 1e-8 on real data: objective and bound enclose the optimum of
# $RRM_DATASETS/reference.tsv (the slow rows with RRM_LONG), in no more passes than it should take; one thread and two
# give the same weights; certified paths take few passes; too many features are a one-line error.
set -u
bin=$1
# shellcheck source=tests/real_data.sh
. "$(dirname "$0")/../real_data.sh"

rows=0
while IFS=$'\t' read -r data _ _ rule loss regularizer lambda lower upper _; do
    [ "$regularizer" = l2 ] || continue
    case $data in a9a | w8a | ijcnn1.tr | connect-4) ;; *) continue ;; esac
    case $data-$loss-$lambda in connect-4-hinge-* | w8a-hinge-1e-08) [ -n "${RRM_LONG:-}" ] || continue ;; esac
    [ -f "$(path "$data")" ] || continue
    positive=()
    [ "$rule" = binary ] || positive=(-P "${rule#one-vs-rest:}")
    "$bin/train" -q --strict -s ipm -e 1e-8 -j 1 -L "$loss" -l "$lambda" "${positive[@]}" \
        --report "$work/report" "$(path "$data")" "$work/model" 2>"$work/err" ||
        fail "$data $loss $lambda: $(cat "$work/err")"
    awk -v j="$(value objective)" -v b="$(value bound)" -v lower="$lower" -v upper="$upper" \
        'BEGIN { exit !(j >= lower * (1 - 1e-9) && b <= upper * (1 + 1e-9) &&
            j - b <= 1e-8 * j) }' ||
        fail "$data $loss $lambda: objective $(value objective), bound $(value bound)," \
            "optimum $lower to $upper"
    case $data in a9a) most=165 ;; w8a) most=320 ;; ijcnn1.tr) most=290 ;; *) most=150 ;; esac
    [ "$(value passes)" -le $most ] || fail "$data $loss $lambda: $(value passes) passes, more than $most"
    rows=$((rows + 1))
done <"$table"
[ $rows -ge 15 ] || fail "only $rows rows of $table were tried"

for loss in hinge logistic; do
    for threads in 1 2; do
        "$bin/train" -q -s ipm -j $threads -L $loss -l 1e-6 --intercept "$(path a9a)" \
            "$work/$loss.$threads" || fail "a9a, $loss, $threads threads"
    done
    cmp -s "$work/$loss.1" "$work/$loss.2" || fail "$loss: the model depends on the threads"
done

# at_most TIMES DATA LOSS: a certified path takes at most so many times the passes of the hardest solve.
at_most() {
    local hardest=0 lambda
    for lambda in 1 0.1 0.01 1e-3 1e-4 1e-5 1e-6; do
        "$bin/train" -q --strict -s ipm -j 1 -L "$3" -l $lambda -e 0.005 --report "$work/report" "$(path "$2")" \
            "$work/model" || fail "$2, $3, $lambda"
        [ "$(value passes)" -le $hardest ] || hardest=$(value passes)
    done
    "$bin/train" -q --strict -s ipm -j 1 -L "$3" --path certified=0.01,1,1e-6 --report "$work/report" "$(path "$2")" \
        "$work/model" || fail "$2, $3: certified path"
    awk -v path="$(value passes)" -v hardest="$hardest" -v times="$1" 'BEGIN { exit !(path <= times * hardest) }' ||
        fail "$2, $3: $(value passes) passes of a certified path, $hardest of the hardest solve"
}
for loss in epsilon absolute quantile huber; do
    at_most 3 mpg $loss
done
at_most 2 page-blocks.binary hinge
at_most 3 ionosphere hinge
at_most 3 page-blocks.binary logistic

# On fewer rows than features, where both matrices fit in memory, and where only that of features x features does.
awk 'BEGIN { srand(1); for (i = 0; i < 300; i++) { line = i % 2 * 2 - 1
    for (j = 1; j <= 410; j++) line = line " " j ":" rand() - 0.5
    print line } }' >"$work/wide"
for memory in 1000 4.4; do
    "$bin/train" -q --strict -s ipm --memory $memory "$work/wide" "$work/model" 2>"$work/err" ||
        fail "$memory MB: $(cat "$work/err")"
done
"$bin/train" -q -s ipm --memory 2 "$work/wide" "$work/model" 2>"$work/err" && fail "wide data in 2 MB"
grep -q 'matrices of [0-9]* x [0-9]* .*--memory 2; use -s proximal-bundle$' "$work/err" || fail "$(cat "$work/err")"

if has_set news20; then
    "$bin/train" -q -s ipm -P 1 "$(path news20)" "$work/model" 2>"$work/err"
    [ $? -eq 1 ] || fail "news20 was not refused"
    [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '15935 x 15935.*; use -s proximal-bundle$' "$work/err" ||
        fail "news20: $(cat "$work/err")"
fi
exit $failed

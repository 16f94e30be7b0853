#!/bin/bash
# path.sh BIN - --path from outside: the table, the model at its end, exact zeros at lambda_max, the lambda
# that folds choose, limits, signals, reports; and the sparse models of -r l1.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# refused MESSAGE ARGUMENTS...: a usage error in this one line.
refused() {
    local message=$1
    shift
    status 2 "$@"
    [ "$(<err)" = "$message" ] || fail "'$(<err)', not '$message': train $*"
}

# rows FILE: the lines of its table, in the array `rows`.
rows() {
    local lines line
    rows=()
    mapfile -t lines <"$1"
    for line in "${lines[@]}"; do
        [[ ! $line =~ ^[0-9.e+-]+' '+[0-9.]+' '+[0-9.e+-]+' '+[0-9.e-]+%(' '|$) ]] || rows+=("$line")
    done
}
# count GLOB FILE: how many of its lines are such, in `counted`.
count() {
    local lines line
    counted=0
    mapfile -t lines <"$2"
    # shellcheck disable=SC2053 # a pattern
    for line in "${lines[@]}"; do [[ $line != $1 ]] || counted=$((counted + 1)); done
}
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e * b && -d <= e * b) }'; }
reads_json=''
has_tools 'reports read as JSON' python3 && reads_json=yes
json() { printf '%s\n' "$(<"$1")" >>reports; } # read at the end: to start Python takes longer than a run

# take REPORT KEY...: their values, in the array `value`.
declare -A value
take() {
    local lines line file=$1 keys
    shift
    keys=" $* "
    value=()
    mapfile -t lines <"$file"
    for line in "${lines[@]}"; do
        [[ $line =~ ^' '*'"'([a-z_]+)'": '([^,]*),?$ && $keys == *" ${BASH_REMATCH[1]} "* ]] || continue
        value[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    done
}

# ends_equal ARGUMENTS...: the path and a run of its own end at the same objective; the table is as it
# should be, from exact zeros at lambda_max down.
ends_equal() {
    local along lambda
    status 0 --path 6 --report report "$@" model
    quiet "--path 6 $*"
    json report
    mapfile -t -n 2 top <out
    [[ ${top[0]} =~ ^'lambda_max '[0-9.e-]*$ ]] || fail "no lambda_max on top: $*"
    [[ ${top[1]} =~ ^'lambda '' '*'nonzeros '' '*'objective '' '*gap$ ]] || fail "no header: $*"
    rows out
    [ ${#rows[@]} -eq 6 ] || fail "not 6 rows: $*"
    [ "lambda_max ${rows[0]%% *}" = "${top[0]}" ] || fail "the path does not begin at lambda_max: $*"
    count '    {"lambda": *' report
    [ $counted -eq 6 ] || fail "not 6 rows in the report: $*"
    take report objective
    along=${value[objective]}
    status 0 -q --report report "$@" direct
    take report objective
    printf '%s\n' "${rows[@]}" | awk -v along="$along" -v direct="${value[objective]}" '
        NR > 1 && !($1 < lambda && $3 <= objective * 1.001) { bad = 1 }
        NR > 2 && ($1 / lambda < 0.99 * step || $1 / lambda > 1.01 * step) { bad = 1 }
        NR > 1 { step = $1 / lambda }
        { lambda = $1; objective = $3; if (!($4 + 0 <= 0.1)) bad = 1 }
        END { d = along - direct; exit bad || !(d <= 2e-3 * direct && -d <= 2e-3 * direct) }' ||
        { fail "the table, or $along at its end, ${value[objective]} alone: $*"; cat out >&2; }
    lambda_of model
    along=$lambda
    lambda_of direct
    [ "$along" = "$lambda" ] || fail "another lambda: $*"
}

lambda_of() { # MODEL: its line of lambda, in `lambda`
    local lines line
    mapfile -t -n 12 lines <"$1"
    lambda=
    for line in "${lines[@]}"; do [[ $line != 'lambda '* ]] || lambda=$line; done
}

# null_at_most OFFSETS ARGUMENTS...: at lambda_max all weights are 0, but for offsets; just below one is not.
null_at_most() {
    local offsets=$1 largest
    shift
    status 0 --path 2 --report report "$@" model
    take report lambda_max
    largest=${value[lambda_max]}
    status 0 --path 3 -l "$largest" "$@" null
    has "^lambda_max .*, not above lambda .*: all weights are 0\$" out
    rows out
    [ ${#rows[@]} -eq 1 ] || fail "more than a row: $*"
    [[ ${rows[0]} =~ ^[^\ ]+' '+$offsets' '+[^\ ]+' '+0*'.'?0*% ]] || fail "not 0 at lambda_max: $*"
    multiply "$largest" 0.95
    status 0 -l "$product" -e 1e-8 --report report "$@" model
    take report weights_nonzero
    [ "${value[weights_nonzero]}" -gt "$offsets" ] || fail "0 below lambda_max: $*"
}

multiply() { product=$(awk -v x="$1" -v y="$2" 'BEGIN { printf "%.17g", x * y }'); }

# nothing ARGUMENTS...: certified weights of 0, but for offsets, in every run, a fold's too; and the same lambda_max.
nothing() {
    local lines line dimension=0 index inside=''
    status 0 -q --strict --report report "$@" model
    take report gap status lambda_max
    [ "${value[gap]} ${value[status]}" = '0 "converged"' ] || fail "not certified from lambda_max on: $*"
    [ "${value[lambda_max]}" = "$largest" ] || fail "lambda_max ${value[lambda_max]}, not $largest: $*"
    mapfile -t lines <model
    for line in "${lines[@]}"; do
        case $line in
        'features '* | 'intercept '*) dimension=$((dimension + ${line#* })) ;;
        'w sparse '*) inside=yes ;;
        end*) inside= ;;
        *)
            [ -n "$inside" ] || continue
            index=${line%%:*}
            [ -n "$intercept" ] && [ $((index % dimension)) -eq 0 ] || fail "weights that are not 0: $*"
            ;;
        esac
    done
}

# nothing_from_its_lambda_max SOLVER ARGUMENTS...: at lambda_max, which is that of all solvers, and above.
declare -A lambdas
nothing_from_its_lambda_max() {
    local solver=$1 largest lambda
    shift
    if [ -z "${lambdas[$*]:-}" ]; then
        status 0 -q -p 1 -s "$solver" -r l1 --report report "$@" model
        take report lambda_max
        multiply "${value[lambda_max]}" 1.5
        lambdas[$*]="${value[lambda_max]} $product"
    fi
    largest=${lambdas[$*]% *}
    for lambda in ${lambdas[$*]}; do
        nothing -s "$solver" -r l1 -l "$lambda" "$@"
    done
    status 0 -q --strict -v 3 -T trace -s "$solver" -r l1 -l "$lambda" "$@"
    awk -F'\t' -v most="${intercept:+1}" '/^[0-9]/ && $6 > most + 0 { bad = 1 } END { exit bad }' trace ||
        fail "a fold's weights are not 0: $solver $*"
}

# lambda_max is the largest entry of the gradient at 0: of X'y/examples, times these.
while read -r loss file times; do
    status 0 -q -s lps -r l1 -L "$loss" -p 1 --report report "$data/$file" model
    take report lambda_max
    awk -v found="${value[lambda_max]}" -v times="$times" '
        { for (i = 2; i <= NF; i++) { split($i, entry, ":"); sum[entry[1]] += $1 * entry[2] } }
        END {
            for (j in sum) { size = sum[j] < 0 ? -sum[j] : sum[j]; if (size > most) most = size }
            ratio = found * NR / (times * most)
            exit !(ratio > 1 - 1e-12 && ratio < 1 + 1e-12)
        }' "$data/$file" || fail "lambda_max ${value[lambda_max]} is not that of the data: $loss"
done <<'END'
squared line.train 1
squared-hinge blobs.train 2
logistic blobs.train 0.5
END

ends_equal -s bundle -r elastic-net -l 1e-3 "$data/blobs.train"
ends_equal -s bundle -r elastic-net --elastic 0.1 -L squared -B 1 -c 1 "$data/line.train"
ends_equal -s bundle -r elastic-net -l 1e-3 "$data/three.train"
null_at_most 0 -s bundle -r elastic-net "$data/three.train"

# 40 rows that one feature separates; 1 of 6 features matters.
awk 'BEGIN {
    seed = 3
    for (i = 0; i < 40; i++) {
        line = i % 2 ? "1 1:1" : "-1 1:-1"
        for (j = 2; j <= 6; j++) {
            seed = (seed * 16807) % 2147483647
            line = line sprintf(" %d:%.4f", j, seed / 2147483647 - 0.5)
        }
        print line
    }
}' >separable

for loss in logistic squared-hinge; do
    ends_equal -r l1 -L $loss -l 1e-3 "$data/blobs.train"
    ends_equal -r l1 -L $loss -l 1e-3 --intercept -w 1=3 "$data/blobs.train"
    ends_equal -r l1 -L $loss -l 1e-3 --intercept "$data/three.train"
    ends_equal -r l1 -L $loss -l 1e-4 --intercept separable
done
for loss in squared huber; do
    ends_equal -r l1 -L $loss -l 1e-2 "$data/line.train"
    ends_equal -r l1 -L $loss -l 1e-2 --intercept "$data/line.train"
done
null_at_most 0 -r l1 -L logistic "$data/blobs.train"
null_at_most 1 -r l1 -L logistic --intercept -w 1=3 "$data/blobs.train"
null_at_most 3 -r l1 -L logistic --intercept "$data/three.train"
null_at_most 1 -r l1 -L squared --intercept "$data/line.train"

# zeros are left out, and the model reads back equal
status 0 -q -r l1 -L logistic -l 1e-2 "$data/blobs.train" model
has '^w sparse [0-9]*$' model
has_not ':0$' model
awk '/^w / { for (j = 1; j <= 60; j++) print 1, j ":1" }' model >units
"$bin/predict" -q -d units model values || fail "predict on a sparse model"
sed -n '/^w /,/^end/p' model | sed '1d;$d' >sparse
awk 'NR > 1 && $2 != 0 { printf "%d:%s\n", NR - 1, $2 }' values | sed 's/:-0$/:0/' >seen
awk -F: 'NR == FNR { w[$1] = $2; n++; next } { n--; d = w[$1] - $2
    if (!(d < 1e-12 && -d < 1e-12)) bad = 1 } END { exit bad || n != 0 }' sparse seen ||
    fail "the sparse model reads otherwise"

# ---- from lambda_max on all weights are 0, for every solver
tried=0
for solver in $("$train" -s help | awk '/^$/ { exit } /^  [a-z]/ { print $1 }'); do
    "$train" -s "$solver" --help >help
    found '^  regularizers .*l1' help || continue
    found '^  regularizers .*l1 (not with .*logistic' help && continue
    tried=$((tried + 1))
    for intercept in "" --intercept; do
        nothing_from_its_lambda_max "$solver" -L logistic ${intercept:+--intercept} "$data/three.train"
        nothing_from_its_lambda_max "$solver" -L squared-hinge -w 1=3.7 ${intercept:+--intercept} \
            "$data/blobs.train"
    done
done
intercept=
[ $tried -ge 9 ] || fail "only $tried solvers take l1 and logistic"
nothing_from_its_lambda_max rda -L hinge "$data/blobs.train"

# ---- nonsmooth losses, by the interior point
for file in blobs.train three.train; do
    nothing_from_its_lambda_max ipm -L hinge "$data/$file"
    ends_equal -s ipm -r l1 -L hinge -l 1e-4 "$data/$file"
done
for loss in absolute epsilon quantile huber; do
    ends_equal -s ipm -r l1 -L $loss -l 1e-3 "$data/line.train"
    null_at_most 0 -s ipm -r l1 -L $loss "$data/line.train"
done
null_at_most 0 -r l1 -L hinge -w 1=3 "$data/blobs.train"
status 2 -s ipm -r l1 -L logistic "$data/blobs.train"
has '^train: solver ipm cannot take -L logistic with -r l1; these can: .*lps' err

# the default, certified and sparse, with an offset and weights
status 0 -q --strict -r l1 -e 1e-8 -l 0.02 --intercept -w 1=2 --report report "$data/blobs.train" model
has '"solver": "ipm"' report
awk -v n="$(member report weights_nonzero)" 'BEGIN { exit !(n > 1 && n < 30) }' ||
    fail "$(member report weights_nonzero) weights at lambda 0.02"

# ---- the summary of any run with a 1-norm has lambda_max; others have none
status 0 -s bundle -r elastic-net --report report "$data/three.train" model
has ' passes, lambda_max [0-9.]*, loaded in ' out
[ "$(grep -c '"label": .*"lambda_max": [0-9]' report)" -eq 3 ] || fail "not a lambda_max a label"
status 0 -r l2 --report report "$data/blobs.train" model
has_not lambda_max out
has '^  "lambda_max": null,$' report
status 0 -s bundle -r elastic-net --elastic 1 --report report "$data/blobs.train" model
has_not lambda_max out

# ---- the trace marks each lambda; -q; standard output
status 0 -q -s bundle -r elastic-net --path 3 -T trace "$data/three.train" model
[ ! -s out ] || fail "-q is not quiet"
[ "$(grep -c '^# lambda [0-9.e-]*, label [123]$' trace)" -eq 9 ] || fail "the trace's titles"
status 0 -s bundle -r elastic-net -l 1e-2 --path 3 "$data/blobs.train" -
[ "$(head -n 1 out)" = 'librrm 1' ] || fail "the model is not alone on standard output"
has '^lambda_max ' err

# ---- folds choose lambda
check_folds() { # MEASURE ARGUMENTS...
    local measure=$1
    shift
    status 0 -s bundle -r elastic-net -l 1e-2 --path 5 -v 4 --report report "$@"
    quiet "-v $*"
    json report
    sed -n 2p out | grep -q "gap  *$measure  *+-\$" || fail "no column $measure"
    rows out
    [ ${#rows[@]} -eq 5 ] || fail "not 5 rows: -v"
    [ "$measure" = MSE ] && order=g || order=gr
    printf '%s\n' "${rows[@]}" | sort -s -k5,5$order >sorted # of equals the first stays first
    has "^best lambda $(head -n 1 sorted | cut -d' ' -f1)\$" out
    has "^Cross Validation $measure = $(head -n 1 sorted | awk '{ print $5 }')" out
    has '4 of 4 folds, ' out
    [ "$(grep -c '^    {"lambda": .*"'"${measure,,}" report)" -eq 5 ] || fail "the report's rows: -v"
    [ -z "$(find . -name '*.train.model')" ] || fail "-v wrote a model"
}
check_folds Accuracy "$data/blobs.train"
check_folds Accuracy "$data/three.train"
check_folds MSE -L squared -B 1 "$data/line.train"
status 0 -q -s bundle -r elastic-net -l 1e-2 --path 5 -v 4 "$data/blobs.train"
has '^best lambda ' out
has_not 'folds' out

# with MODEL_FILE the model at that lambda is trained on the whole data
status 0 -s bundle -r elastic-net -l 1e-2 --path 5 -v 4 --report report "$data/blobs.train" chosen
json report
best=$(member report best_lambda)
has "^lambda $best\$" chosen
has 'model written to chosen$' out
[ "$(member report lambda)" = "$best" ] || fail "the report tells of another lambda"
status 0 -q -s bundle -r elastic-net -l "$best" --report direct "$data/blobs.train" model
near "$(member report objective)" "$(member direct objective)" 2e-3 || fail "another model after -v"

# ---- limits are for each lambda, time for all
status 3 -q --strict -s bundle -r elastic-net -e 1e-9 -p 3 --path 4 --report report \
    "$data/blobs.train" model
has '^train: warning: the limit of 3 passes (-p) came before the tolerance 1e-09' err
grep '^    {"lambda": ' report | grep -o '"passes": [0-9]*' | awk '$2 > 3 { bad = 1 }
    END { exit bad || NR != 4 }' || fail "-p is not a limit for each lambda"
# A certified path that -t ends says how far it holds. No machine trains a thousand models in so short a time.
status 0 --path certified=1e-9,1,1e-9 -t 0.001 -L hinge --report report "$data/blobs.train" m
has '^train: warning: the limit of 0.001 s (-t) came when --path certified=1e-09 was proved only down to lambda ' err
has '^  "status": "limit"' report
status 0 --path certified=1e-9,1,1e-9 -t 1e-9 -L hinge --report report "$data/blobs.train" m # one model
has 'was proved only down to lambda 1; raise -t$' err
has '^  "status": "limit"' report
# Of a 1-norm the last model is trained second, and shown at the end: its seconds count before.
status 0 --path certified=1e-9,1,1e-9 -t 0.1 -r l1 -L hinge -s ipm --report report "$data/blobs.train" m
has 'proved only down to lambda [0-9.e-]*; raise -t$' err
tr '{' '\n' <report | sed -n 's/.*"train_seconds": \([^,]*\).*/\1/p' |
    awk 'NR == 1 { all = $1 } NR > 1 { sum += $1 } END { exit !(NR > 1 && all > 1.01 * sum) }' ||
    fail "the seconds of models that were not shown are left out"
status 3 --strict -s rda -r l1 -L logistic -p 1e12 -t 0.3 --path 4 --report report \
    "$data/blobs.train" model
came='^train: warning: the limit of 0.3 s (-t) came when 1 of 4 values were done; '
has "${came}the model is at lambda .*, which is not done; raise -t\$" err
rows out
[ ${#rows[@]} -eq 2 ] || fail "-t: not the values that were reached"
json report
[ "$(member report lambda)" = "$(sed -n 's/^lambda //p' model)" ] || fail "-t: another lambda"
has '^status limit$' model
[ "$(sed -n 's/^    {"lambda": .*"status": \("[a-z]*"\)}.*/\1/p' report | xargs)" = 'converged limit' ] ||
    fail "-t: the report's rows"

# with folds: a value that they did not finish is not chosen
rm -f model
"$train" -s rda -r l1 -L logistic -p 1e12 -t 0.3 --path 4 -v 3 --report report "$data/blobs.train" model \
    >out 2>err </dev/null
ended=$?
has '^train: warning: the limit of 0.3 s (-t) came when all folds had finished [01] of 4 values' err
if [ $ended -eq 0 ]; then # the first value, where all weights but a few are 0
    grep -q "^lambda $(member report lambda_max)\$" model || fail "an unfinished lambda"
elif [ $ended -ne 1 ] || [ -e model ]; then
    fail "-t before a value is done: exit $ended"
fi
json report

# ---- the first signal saves
rm -f trace model
"$train" -s rda -r l1 -L logistic -p 1e12 --path 4 -T trace --report report \
    "$data/three.train" model >out 2>err </dev/null &
process=$!
for _ in $(seq 500); do
    [ "$(grep -c '^# lambda .*, label 1$' trace 2>/dev/null)" = 2 ] && break
    sleep 0.02
done
kill -INT $process
wait $process
ended=$?
[ $ended -eq 130 ] || fail "exit $ended after SIGINT"
has '^status interrupted$' model
has '^interrupted at lambda .*, 1 of 4 values done, 2 of 3 labels not trained (weights of the start): ' out
rows out
[ ${#rows[@]} -eq 1 ] || fail "not the one row that was done"
json report

rm -f trace model
"$train" -s rda -r l1 -L logistic -p 1e12 --path 4 -v 3 -T trace --report report \
    "$data/blobs.train" model >out 2>err </dev/null &
process=$!
await_trace 3
kill -INT $process
wait $process
[ $? -eq 130 ] || fail "folds that a signal ends choose a lambda"
has '^train: a signal came before lambda was chosen, so there is no model$' err
[ ! -e model ] || fail "a model of no lambda"
json report
[ "$(member report chosen_lambda)" = null ] || fail "a report of another run"

# ---- what a solver keeps from one lambda to the next saves passes, with a checkpoint, too, beside runs of their own

rows_of_report() { sed -n 's/^    {"lambda": \([^,]*\), "objective": \([^,]*\), .*"gap": \([^,]*\), .*/\1 \2 \3/p' "$1"; }
keeps() { # SHARE ARGUMENTS...: at most this share of the passes
    local share=$1 fresh=''
    shift
    status 0 -q --strict --path 12,1,1e-4 -e 1e-4 --report kept "$@" model
    rm -f saved
    status 0 -q --strict --path 12,1,1e-4 -e 1e-4 --report with --checkpoint saved "$@" model
    rows_of_report kept >kept_rows
    rows_of_report with | cmp -s - kept_rows || fail "another path with a checkpoint: $*"
    awk '$3 > 1e-4 { bad = 1 } END { exit bad || NR != 12 }' kept_rows || fail "gaps with what is kept: $*"
    while read -r lambda _; do
        status 0 -q --strict -l "$lambda" -e 1e-4 --report alone "$@" model
        take alone passes
        fresh="$fresh ${value[passes]}"
    done <kept_rows
    awk -v kept="$(member kept passes)" -v with="$(member with passes)" -v fresh="$fresh" -v share="$share" '
        BEGIN { for (n = split(fresh, each, " "); n > 0; n--) sum += each[n]
            exit !(kept == with && kept <= share * sum) }' ||
        fail "$(member kept passes) passes, $(member with passes) with a checkpoint, $fresh alone: $*"
}
keeps 0.5 -s lbfgs -L logistic "$data/blobs.train"
keeps 0.47 -s lbfgs -L softmax "$data/three.train"
keeps 0.57 -s dcd "$data/blobs.train"
keeps 0.57 -s dcd --intercept "$data/blobs.train"
awk '{ for (i = 2; i <= NF; i++) { split($i, part, ":"); $i = part[1] ":" 40 * part[2] } print }' "$data/blobs.train" >far
keeps 0.57 -s dcd --intercept far

# ---- usage
for regularizer in simplex; do
    refused 'train: --path needs a lambda, which a constraint does not have' --path 5 -L boost -r $regularizer nofile
done
refused 'train: --path 1: out of range: from 2 to 10000 values' --path 1 -r elastic-net nofile
refused 'train: --path 5,1: both ends are expected, FROM,TO, such as 1,1e-6' --path 5,1 nofile
refused 'train: --path 5,1,2: the path descends: FROM is above TO' --path 5,1,2 nofile
refused 'train: --path 5,1,x: x is not a number' --path 5,1,x nofile
# Mixtures of smooth models by ipm: most models are such, and most of these take no pass.
status 0 -q -s ipm -L logistic --path certified=0.01,1,1e-6 --report report "$data/blobs.train" model
[ -z "$reads_json" ] || /usr/bin/python3 -c 'import json
report = json.load(open("report"))
passes = [step["passes"] for step in report["path"]]
mixed = len(passes) - report["solves"]
assert sum(passes) == report["passes"] <= 25 and 2 * mixed > len(passes) and 2 * passes.count(0) > mixed, passes' ||
    fail 'mixtures take passes'
sed 's/^+1/5/; s/^1/5/; s/^-1/3/' "$data/blobs.train" >labels
status 0 -q -s ipm -L logistic --path certified=0.01,1,1e-6 --report renamed labels model
[ -z "$reads_json" ] || /usr/bin/python3 -c 'import json
first, second = [[(step["lambda"], step["objective"], step["bound"], step["passes"])
                  for step in json.load(open(name))["path"]] for name in ["report", "renamed"]]
assert first == second' || fail 'a certified path depends on the names of the labels'
refused 'train: --path certified=2: out of range: the relative gap is above 0 and below 1' --path certified=2 nofile
refused 'train: --path often: N[,FROM,TO] or certified=GAP[,FROM,TO] is expected' --path often nofile
refused 'train: -l and the ends of --path exclude each other' --path 5,1,1e-3 -l 1e-3 nofile
refused 'train: -e 0.5: --path certified=0.1 needs a smaller gap of each solve, above 0' --path certified=0.1 -e 0.5 nofile
refused 'train: --path certified and -v exclude each other; --path N goes with it' --path certified=0.1 -v 3 nofile
refused 'train: --path-models needs --path, without -v and --validation' --path-models m nofile
refused 'train: -i and --path exclude each other: a path starts from weights of 0' \
    --path 5 -r elastic-net -i model nofile
refused 'train: m: -v writes no model; leave MODEL_FILE out' -v 3 -r elastic-net nofile m
refused 'train: --path with --intercept needs a smooth loss, not hinge, or its ends: --path 5,FROM,TO' \
    --path 5 -r l1 --intercept nofile

[ -z "$reads_json" ] || /usr/bin/python3 -c 'import json
text = open("reports").read().strip()
assert text
while text:
    text = text[json.JSONDecoder().raw_decode(text)[1]:].strip()' || fail 'reports are not JSON'

if [ $failures -gt 0 ]; then
    echo "path.sh: $failures failures" >&2
    exit 1
fi
echo "path.sh: all well"

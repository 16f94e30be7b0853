#!/bin/sh
# default.sh TRAIN - the table behind the choice of a solver without -s (training/defaults/default_solver.c): seconds of
# training, one thread, until each solver certifies 1e-3.
#
# The default goes first and may take LIMIT seconds; the others may take twice the best so far, at least
# 0.2 s, so that the slow ones only show that they are slow.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-20}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-default
solvers='dcd ipm ocas mcpa proximal-bundle bundle agm lbfgs'

# Seconds to the tolerance within ALLOWED, ">ALLOWED", or "-" when the solver cannot do it.
certified() { # ALLOWED OPTION...
    allowed=$1
    shift
    status=0
    timeout "$((${allowed%.*} * 2 + 30))" "$train" -q --strict -j 1 -t "$allowed" --report "$temporary/report" \
        "$@" "$temporary/model" 2>/dev/null || status=$?
    case $status in
    0)
        printf '%.4f\n' "$(reported train_seconds)" | grep -v '^0' || training_seconds -j 1 "$@"
        ;;
    2) echo - ;;
    *) echo ">$allowed" ;;
    esac
}

# Whether more than one solver can do it: no usage error on an empty file.
is_choice() { # LOSS REGULARIZER
    able=0
    for solver in $solvers; do
        status=0
        "$train" -q -s "$solver" -L "$1" -r "$2" /dev/null "$temporary/model" 2>/dev/null || status=$?
        [ $status -eq 2 ] || able=$((able + 1))
    done
    [ $able -gt 1 ]
}

# A row: every solver on $file at $lambda.
compare() { # NAME LOSS REGULARIZER
    set -- "$1" -L "$2" -r "$3" -l "$lambda" -e 1e-3 "$file"
    name=$1
    shift
    seconds=$(certified "$limit" "$@")
    default=$(sed -n 's/.*"options": {"solver": "\([^"]*\)".*/\1/p' "$temporary/report")
    echo "$default $seconds" >"$temporary/seconds"
    for solver in $solvers; do
        [ "$solver" != "$default" ] || continue
        allowed=$(best_of <"$temporary/seconds" | awk -v limit="$limit" '{
            t = $1 + 0 > 0 ? 2 * $1 : limit; print (t < 0.2 ? 0.2 : t > limit ? limit : t) }')
        echo "$solver $(certified "$allowed" -s "$solver" "$@")" >>"$temporary/seconds"
    done
    awk -v head="$(printf '%-17.17s %-13s %-11s %-6s' "$name" "$2" "$4" "$lambda")" -v solvers="$solvers" \
        -v best="$(best_of <"$temporary/seconds")" '
        { seconds[$1] = $2 }
        NR == 1 { default_solver = $1 }
        END {
            printf "%s", head
            count = split(solvers, name, " ")
            for (i = 1; i <= count; i++) printf " %8s", seconds[name[i]]
            split(best, part, " ")
            t = seconds[default_solver]
            best = part[1] + 0
            known = best > 0 && t + 0 > 0
            worse = best > 0 && (t ~ />/ || (t > 2 * best && t - best >= 0.02))
            printf " %-15s %-15s %s%s\n", part[2], default_solver, known ? sprintf("%.2f", t / best) : t,
                worse ? " *" : ""
        }' "$temporary/seconds"
}

cat <<END
Seconds of training to a certified 1e-3, one thread, the fastest of $runs runs, one if 1 s or more. >T: not
within T (the default has $limit, the others twice the best so far); -: cannot do it. Last: the default's seconds
over the fastest's, with a star where that is over 2 and 0.02 s or more. Without the losses that only one solver
can do.

END
printf '%-17s %-13s %-11s %-6s' data loss regularizer lambda
# shellcheck disable=SC2086 # the words
printf ' %8.8s' $solvers
printf ' %-15s %-15s %s\n' fastest default ratio

# The file of a row below: RULE is that of two_classes, "values" or "labels" for the labels as they are, or the shape
# KIND:ROWS:FEATURES:EACH of made-up data (shape.awk).
find_file() { # NAME RULE
    case $2 in
    values | labels) plain_set "$1" ;;
    dense:* | sparse:* | classes:*)
        echo "$2" | tr : ' ' | {
            read -r kind rows features each
            awk -v kind="$kind" -v rows="$rows" -v features="$features" -v each="$each" \
                -f "$(dirname "$0")/shape.awk" >"$temporary/shape"
        }
        echo "$temporary/shape"
        ;;
    *) two_classes "$1" "$2" ;;
    esac
}

while read -r name rule losses regularizers; do
    file=$(find_file "$name" "$rule") || continue
    for loss in $(echo "$losses" | tr , ' '); do
        for regularizer in $(echo "$regularizers" | tr , ' '); do
            is_choice "$loss" "$regularizer" || continue
            for lambda in 1e-2 1e-4 1e-5 1e-7; do
                compare "$name" "$loss" "$regularizer"
            done
        done
    done
done <<'END'
heart_scale binary hinge,squared-hinge,logistic l2,elastic-net
german.numer_scale binary hinge l2
glass.binary binary hinge l2
ionosphere binary hinge l2
arrhythmia.binary binary hinge,logistic l2
spambase binary hinge,logistic l2
page-blocks.binary binary hinge l2
a9a binary hinge,squared-hinge,logistic l2,elastic-net,entropy
w8a binary hinge l2
ijcnn1.tr binary hinge l2
connect-4 one-vs-rest:1 hinge l2
covtype.libsvm.binary.scale binary hinge l2
usps one-vs-rest:8 hinge,squared-hinge,logistic l2,elastic-net
dna.scale one-vs-rest:3 hinge,logistic l2
mnist.scale one-vs-rest:8 hinge,logistic l2
reuters21578.acq binary hinge,squared-hinge,logistic l2,elastic-net
news20 one-vs-rest:1 hinge,logistic l2
colon-cancer binary hinge,squared-hinge,logistic l2
housing_scale values squared,absolute,epsilon,huber,quantile l2
abalone values squared,absolute,epsilon,huber,quantile l2
cpusmall values squared,absolute,epsilon,huber,quantile l2
mpg values squared,absolute,epsilon,huber,quantile l2
dna.scale labels crammer-singer,softmax l2
usps labels crammer-singer,softmax l2
few-features dense:100000:20:0 hinge,logistic l2
dense-500 dense:2000:500:0 hinge,logistic,epsilon l2
dense-wide dense:1000:1500:0 hinge,logistic l2
narrow-text sparse:50000:3000:30 hinge,logistic l2
text sparse:20000:20000:50 hinge,logistic l2
wide-text sparse:50000:500000:60 hinge l2
26-classes classes:15000:16:26 crammer-singer,softmax l2
END
